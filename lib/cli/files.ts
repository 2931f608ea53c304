/** Where results go: files and folders that flags name. */
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from '../usage.ts'

const WRITABLE = 'a file that can be written'

/**
 * Writes a file of results.
 *
 * @throws UsageError that names the flag and the path
 */
export const writeResult = (path: string, content: string | Uint8Array, flag: string): void =>
  attempt(() => writeFileSync(path, content), `${flag} ${path}`, WRITABLE)

/**
 * Opens a file that a flag names, so that a bad path is known before a long run. Until there are results what is in it
 * stays, and one that was not there is not. Throws as above.
 */
export const tryResult = (path: string, flag: string): void =>
  attempt(
    () => {
      const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined
      writeFileSync(path, '', { flag: 'a' })
      if (isNew) rmSync(path)
    },
    `${flag} ${path}`,
    WRITABLE,
  )

/** Tries such a file; returns what writes it. Without a path nothing is written. */
export function resultFile(path: string | undefined, flag: string): (content: string | Uint8Array) => void {
  if (path === undefined) return () => {}
  tryResult(path, flag)
  return (content) => writeResult(path, content, flag)
}

/** Makes a folder, unless it is there. Throws as above. */
export const makeFolder = (path: string, flag: string): void =>
  attempt(() => void mkdirSync(path, { recursive: true }), `${flag} ${path}`, 'a folder that can be made')

function attempt(act: () => void, where: string, expected: string): void {
  try {
    act()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UsageError(where, expected, String(code))
  }
}
