/** Programs of the machine that some tests need. */
import { existsSync } from 'node:fs'

/**
 * Where a program is; undefined: at none of these paths. The variable of the environment names another place.
 *
 * @throws Error if there is nothing at the place that it names
 */
export function programPath(variable: string, paths: readonly string[]): string | undefined {
  const named = process.env[variable]
  if (named !== undefined && !existsSync(named)) throw new Error(`${variable}: there is no ${named}`)
  return named ?? paths.find((path) => existsSync(path))
}
