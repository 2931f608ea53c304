/** Finds programs of the computer that some tests need. */
import { existsSync } from 'node:fs'

/**
 * The path of a program, or undefined if it is at none of these paths. The environment variable names another path.
 *
 * @throws Error if there is no file at the path of the variable
 */
export function programPath(variable: string, paths: readonly string[]): string | undefined {
  const named = process.env[variable]
  if (named !== undefined && !existsSync(named)) throw new Error(`${variable}: there is no ${named}`)
  return named ?? paths.find((path) => existsSync(path))
}
