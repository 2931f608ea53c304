/**
 * The lock of a folder, so that two runs do not write to it at once. Each holder has a file of its own there, and its name says
 * which process that is. Whoever sees the file of another living process steps back, so at most one goes on.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BourseError } from '../core/error.ts'
import { isGone, processOf } from '../runtime/process-identity.ts'

/** `lock-PID-START-N`: START tells the process from a later one with the same id; it is 0 where that cannot be told. */
const NAME = /^lock-(\d+)-(\d+)-\d+$/

let locks = 0

/**
 * Locks a folder. Returns what unlocks it. The lock of a process that has died counts for nothing, and is removed.
 *
 * @throws BourseError if another run uses it
 */
export function lockFolder(folder: string): () => void {
  const own = `lock-${process.pid}-${processOf(process.pid)?.start ?? 0}-${locks++}`
  const path = join(folder, own)
  writeFileSync(path, '', { flag: 'wx' })
  const unlock = () => rmSync(path, { force: true })
  for (const name of readdirSync(folder)) {
    const holder = name === own ? null : NAME.exec(name)
    if (!holder) continue
    const [, pid, start] = holder
    if (!isGone(Number(pid), start)) {
      unlock()
      const mend = `wait until it has ended; if it is no such run, remove ${join(folder, name)}`
      throw new BourseError('BOURSE_LOG', `${folder} is the log of a run in process ${pid}: ${mend}`)
    }
    rmSync(join(folder, name), { force: true })
  }
  return unlock
}
