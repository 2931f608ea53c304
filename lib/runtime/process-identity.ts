/** Tells a process from a later one with the same id. */
import { readFileSync } from 'node:fs'

/**
 * Whether a process has ended, by its id and its start time (see `processOf`). The system may have given the id to another
 * process or thread since; that one has another start time.
 */
export function isGone(pid: number, start: string | undefined): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return true
  }
  const found = processOf(pid)
  return found !== undefined && (found.start !== start || found.state === 'Z')
}

/** The start time of a process, in clock ticks since the boot, and its state, as Linux tells them; undefined elsewhere. */
export function processOf(
  pid: number,
): { readonly start: string | undefined; readonly state: string | undefined } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name of the program is in parentheses, and may have some itself
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { start: fields[19], state: fields[0] }
  } catch {
    return undefined
  }
}
