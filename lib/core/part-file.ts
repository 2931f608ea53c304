/**
 * Results that appear under their names only when they are whole: until then they are written beside that name, to a
 * part. A device or a pipe is written directly.
 */
import {
  chmodSync,
  closeSync,
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

/** The end of a part's name: `run.jsonl.part` becomes `run.jsonl`. */
export const PART = '.part'

/** Names of files that this process already has open; what they lead to must not be replaced. */
const OPEN = /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/

const isDirect = (path: string): boolean =>
  OPEN.test(resolve(path)) || statSync(path, { throwIfNoEntry: false })?.isFile() === false

/** Where a path leads through symbolic links, even if there is no file yet. Throws what `realpathSync` throws. */
export function targetOf(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link && !link.isSymbolicLink()) return realpathSync(path)
  const folder = realpathSync(dirname(path))
  if (!link) return join(folder, basename(path))
  return statSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : targetOf(resolve(folder, readlinkSync(path)))
}

/** Where the result of this name is written until it is whole; a device or a pipe itself. */
export const partOf = (path: string): string => (isDirect(path) ? path : targetOf(path) + PART)

/** `partOf`, without the part that an earlier run may have left. */
export function newPart(path: string): string {
  const part = partOf(path)
  if (!isDirect(path)) rmSync(part, { force: true })
  return part
}

/** Gives the part of a result, which is whole now, the name of the result, and the mode of the file that it replaces. */
export function putInPlace(path: string): void {
  if (isDirect(path)) return
  const target = targetOf(path)
  const part = target + PART
  const replaced = statSync(target, { throwIfNoEntry: false })
  if (replaced) chmodSync(part, replaced.mode)
  const file = openSync(part, 'r')
  fsyncSync(file)
  closeSync(file)
  renameSync(part, target)
}
