/** The files of a command: its inputs, from flags and arguments, and its results. */
import { accessSync, type BigIntStats, closeSync, constants, fstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { quoted } from '../core/format.ts'
import { readAhead } from '../core/input.ts'
import { partOf, targetOf } from '../core/part-file.ts'
import { attempt, MAKE_FOLDER, WRITE } from '../core/result-file.ts'
import { UsageError } from '../core/usage-error.ts'
import { type AnyFlags, type FileRole, flagName, type Given } from '../scenario/flags.ts'

/** A file that a command line names. */
export interface CommandFile {
  /** The name of the flag or the argument in errors. */
  readonly name: string
  readonly path: string
  /** The flag with its path, or the path of an argument, in errors. */
  readonly where: string
  readonly role: FileRole
}

/** All files that a command line names. Every argument counts as an input, since it may be a path. */
export function filesOf(flags: AnyFlags, given: Given, words: readonly string[]): CommandFile[] {
  const named = Object.entries(flags).flatMap(([key, { file: role, fallback }]) => {
    const paths = given.get(key) ?? (fallback === null ? [] : [fallback])
    return role === undefined
      ? []
      : paths.map((path) => ({ name: flagName(key), path, where: `${flagName(key)} ${path}`, role }))
  })
  const arguments_ = words.map((path) => ({
    name: `the argument ${quoted(path)}`,
    path,
    where: path,
    role: 'input' as const,
  }))
  return [...named, ...arguments_]
}

/**
 * Makes sure that no result replaces an input or another result, and that every result can be written. This is checked
 * before the run, which may be long.
 *
 * @throws UsageError that names the flag
 */
export function requireSafe(files: readonly CommandFile[]): void {
  const inputs = files.filter(({ role }) => role === 'input')
  const written = files.filter(({ role }) => role !== 'input')
  const owners = new Map<string, string>()
  for (const { name, path } of inputs) for (const identity of identitiesAt(path)) owners.set(identity, name)
  for (const [fd, name] of STREAMS) for (const identity of identitiesOf(openAt(fd))) owners.set(identity, name)
  for (const { name, path, role } of written) {
    const paths = role === 'result' ? replacedBy(path, name) : [path]
    for (const identity of paths.flatMap(identitiesAt)) {
      const other = owners.get(identity)
      if (other !== undefined)
        throw new UsageError(`${name} and ${other} name the same file, ${quoted(path)}: give each a file of its own`)
      owners.set(identity, name)
    }
  }
  for (const { name, path, role } of written) {
    if (role === 'result') tryResult(path, name)
    if (role === 'folder') tryFolder(path, name)
  }
}

/** Reads the pipes that the command uses as input files. Throws as `readAhead` does. */
export async function readPipes(files: readonly CommandFile[]): Promise<void> {
  for (const { path, where, role } of files) if (role === 'input') await readAhead(path, where)
}

const STREAMS = [
  [1, 'stdout'],
  [2, 'stderr'],
] as const

/** The paths that writing a result replaces: the file and its part; none for a device or a pipe. */
function replacedBy(path: string, flag: string): string[] {
  const part = attempt(() => partOf(path), `${flag} ${path}`, WRITE)
  return part === path ? [] : [path, part]
}

/** The device and inode of a file, or its target path if it does not exist; none for a device, a pipe or a folder. */
function identitiesAt(path: string): string[] {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found ? identitiesOf(found) : [targetOf(path)]
  } catch {
    return [resolve(path)]
  }
}

const identitiesOf = (found: BigIntStats | undefined): string[] =>
  found?.isFile() ? [`${found.dev}:${found.ino}`] : []

function openAt(fd: number): BigIntStats | undefined {
  try {
    return fstatSync(fd, { bigint: true })
  } catch {
    return undefined
  }
}

/** Makes sure that a result can be written, and changes nothing. A pipe is not opened, since closing it would end its reader. */
const tryResult = (path: string, flag: string): void =>
  attempt(
    () => {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found?.isFIFO()) accessSync(path, constants.W_OK)
      else if (found) closeSync(openSync(path, 'a'))
      const part = partOf(path)
      if (part !== path) accessSync(dirname(part), constants.W_OK)
    },
    `${flag} ${path}`,
    WRITE,
  )

const tryFolder = (path: string, flag: string): void =>
  attempt(
    () => {
      const above = existing(resolve(path))
      // an error that says what is wrong, such as ENOTDIR
      if (!statSync(above).isDirectory()) mkdirSync(path, { recursive: true })
      accessSync(above, constants.W_OK)
    },
    `${flag} ${path}`,
    MAKE_FOLDER,
  )

/** The path, or the nearest one above it that exists. */
const existing = (path: string): string => (statSync(path, { throwIfNoEntry: false }) ? path : existing(dirname(path)))
