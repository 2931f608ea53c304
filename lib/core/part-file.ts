/**
 * Writes results that appear under their names only when they are whole. Until then they are written to a part, a file with
 * a similar name in the same folder. A device or a pipe is written directly.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The end of a part's name: `run.jsonl.part` becomes `run.jsonl`. A second one is `run.jsonl.part.2`. */
const PART = '.part'
const PARTS_MAX = 1000

/** Names of files that this process already has open; what they lead to must not be replaced. */
const OPEN = /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/

const isDirect = (path: string): boolean =>
  OPEN.test(resolve(path)) || statSync(path, { throwIfNoEntry: false })?.isFile() === false

/** The path behind symbolic links, even if there is no file yet. Throws what `realpathSync` throws. */
export function targetOf(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link && !link.isSymbolicLink()) return realpathSync(path)
  const folder = realpathSync(dirname(path))
  if (!link) return join(folder, basename(path))
  return statSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : targetOf(resolve(folder, readlinkSync(path)))
}

/** The path of the part of a result; for a device or a pipe the path itself. */
export const partOf = (path: string): string => (isDirect(path) ? path : targetOf(path) + PART)

/** The parts that this process has made, by the paths that they become. */
const made = new Map<string, string>()

/** The name of the part number `i`, from 1, of a path. */
const numbered = (target: string, i: number): string => `${target}${PART}${i === 1 ? '' : `.${i}`}`

export const isPart = (path: string): boolean => /\.part(\.\d+)?$/.test(path)

/** The newest part of a path, of any process; undefined if there is none. */
export function lastPart(path: string): string | undefined {
  let last: string | undefined
  for (let i = 1; existsSync(numbered(path, i)); i++) last = numbered(path, i)
  return last
}

/**
 * Makes an empty part for a result, with the mode of the file that it replaces. A part that another process is writing, or has
 * left when it was killed, stays: the new one has another number.
 */
export function newPart(path: string): string {
  if (isDirect(path)) return path
  const target = targetOf(path)
  const own = made.get(target)
  if (own !== undefined) rmSync(own, { force: true })
  const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? 0o666
  for (let i = 1; ; i++) {
    const part = numbered(target, i)
    try {
      closeSync(openSync(part, 'wx', mode))
      made.set(target, part)
      return part
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST'
      if (!isTaken || i === PARTS_MAX) throw error
    }
  }
}

/** Gives the part of a result, which is whole now, the name of the result, and the mode of the file that it replaces. */
export function putInPlace(path: string): void {
  if (isDirect(path)) return
  const target = targetOf(path)
  const part = made.get(target) ?? target + PART
  made.delete(target)
  const replaced = statSync(target, { throwIfNoEntry: false })
  if (replaced) chmodSync(part, replaced.mode)
  const file = openSync(part, 'r')
  fsyncSync(file)
  closeSync(file)
  renameSync(part, target)
}
