/** Files of results: each appears under its name when it is whole. Errors name the flag and the reason. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { newPart, putInPlace } from './part-file.ts'
import { UsageError } from './usage-error.ts'

export const WRITE = 'write'
export const MAKE_FOLDER = 'make the folder'

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such folder'],
  ['ENOTDIR', 'a part of the path is no folder'],
  ['EEXIST', 'a file has this name, choose another'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'no permission'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
])

/**
 * Writes a file of results; an earlier one stays until the new one is whole.
 *
 * @throws UsageError that names the flag and the path
 */
export const writeResult = (path: string, content: string | Uint8Array, flag: string): void =>
  attempt(
    () => {
      const part = newPart(path)
      try {
        writeFileSync(part, content)
      } catch (error) {
        if (part !== path) rmSync(part, { force: true })
        throw error
      }
      putInPlace(path)
    },
    `${flag} ${path}`,
    WRITE,
  )

/** A function that writes a file of results; without a path it writes nothing. */
export const resultFile =
  (path: string | undefined, flag: string) =>
  (content: string | Uint8Array): void => {
    if (path !== undefined) writeResult(path, content, flag)
  }

/** The part file for a trace during its run. Throws as `writeResult` does. */
export const partFor = (path: string, flag: string): string => attempt(() => newPart(path), `${flag} ${path}`, WRITE)

/** Puts a result in place when its part is whole. Throws as `writeResult` does. */
export const finishResult = (path: string, flag: string): void =>
  attempt(() => putInPlace(path), `${flag} ${path}`, WRITE)

/** Makes a folder unless it exists. Throws as `writeResult` does. */
export const makeFolder = (path: string, flag: string): void =>
  attempt(() => void mkdirSync(path, { recursive: true }), `${flag} ${path}`, MAKE_FOLDER)

/** Does something with a file. @throws UsageError that says what could not be done, and why */
export function attempt<T>(act: () => T, where: string, verb: string): T {
  try {
    return act()
  } catch (error) {
    throw UsageError.cannot(`${verb} ${where}`, reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  const reason = REASONS.get(code)
  return reason === undefined ? code : `${reason} (${code})`
}
