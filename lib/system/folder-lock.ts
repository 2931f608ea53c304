/**
 * The lock of a folder, so that two runs do not write to it at once. Each holder has a file of its own there, and its name says
 * which process that is. Whoever sees the file of another living process steps back, so at most one goes on.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BourseError } from '../core/error.ts'

/** How far two readings of the start of one process may be apart, in milliseconds. */
const START_ERROR_MS = 2000

/** `lock-PID-START-N`: START is when the process began, since another one may have had its number before. */
const NAME = /^lock-(\d+)-(\d+)-\d+$/

let locks = 0

const ownStart = (): number => Math.round(Date.now() - 1000 * process.uptime())

/**
 * Locks a folder. Returns what unlocks it. The lock of a process that has died counts for nothing, and is removed.
 *
 * @throws BourseError if another run uses it
 */
export function lockFolder(folder: string): () => void {
  const own = `lock-${process.pid}-${ownStart()}-${locks++}`
  const path = join(folder, own)
  writeFileSync(path, '', { flag: 'wx' })
  const unlock = () => rmSync(path, { force: true })
  for (const name of readdirSync(folder)) {
    const holder = name === own ? null : NAME.exec(name)
    if (!holder) continue
    const [, pid, start] = holder.map(Number)
    if (isAlive(pid ?? 0, start ?? 0)) {
      unlock()
      const mend = `wait until it has ended; if it is no such run, remove ${join(folder, name)}`
      throw new BourseError('BOURSE_LOG', `${folder} is the log of a run in process ${pid}: ${mend}`)
    }
    rmSync(join(folder, name), { force: true })
  }
  return unlock
}

function isAlive(pid: number, start: number): boolean {
  if (pid === process.pid) return Math.abs(start - ownStart()) < START_ERROR_MS
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // it belongs to another user
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
