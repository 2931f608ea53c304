/**
 * Folders for temporary files. A process that is killed cannot remove its own, so the next run of the same user does: the
 * name of each folder tells which process made it, and where.
 */
import { createHash } from 'node:crypto'
import { lstatSync, mkdtempSync, opendirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isGone, processOf } from './process-identity.ts'

/** How long a run may look for folders that are left. */
const SWEEP_MS = 200
const NAME = /^bourse-(?<place>[0-9a-f]{8})-(?<pid>\d+)-(?<start>\d+)-\w{6}$/

export interface TemporaryFolder {
  /** The path of the folder, without symbolic links. */
  readonly path: string
  remove(): void
}

let hasSwept = false

/** A fresh folder that only this user can read. Its maker removes it. */
export function temporaryFolder(): TemporaryFolder {
  const root = realpathSync(tmpdir())
  if (!hasSwept) removeStaleFolders(root)
  hasSwept = true
  const start = processOf(process.pid)?.start ?? 0
  const path = mkdtempSync(join(root, `bourse-${placeOf()}-${process.pid}-${start}-`))
  return { path, remove: () => remove(path) }
}

/** Removes the folders in `root` that processes of this user left behind. What cannot be removed stays. */
export function removeStaleFolders(root: string): void {
  const until = performance.now() + SWEEP_MS
  const place = placeOf()
  try {
    const entries = opendirSync(root)
    try {
      for (let entry = entries.readSync(); entry && performance.now() < until; entry = entries.readSync()) {
        const made = NAME.exec(entry.name)?.groups
        if (made?.['place'] !== place || !isGone(Number(made['pid']), made['start'])) continue
        removeOwn(join(root, entry.name))
      }
    } finally {
      entries.closeSync()
    }
  } catch {
    // cleaning up is optional, so its errors are ignored
  }
}

function removeOwn(path: string): void {
  try {
    // not a symbolic link, and nothing that another user put there
    const found = lstatSync(path)
    if (found.isDirectory() && found.uid === process.getuid?.()) remove(path)
  } catch {
    // another run removes it, too
  }
}

/** A process that is killed inside a system call ends that first, and may make a file where one is just being removed. */
function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 10 })
}

/** Within one place a number means one process at a time: machines and containers that share a folder are told apart. */
function placeOf(): string {
  let namespace = ''
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch {
    // only Linux has them
  }
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8)
}
