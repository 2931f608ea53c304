/** The CPU time of processes, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
/** The indices of words after the name. */
const PARENT = 1
/** The CPU time of a process and of its ended children, in user and in system mode. */
const TICKS = { first: 11, last: 14 }

interface Process {
  readonly parent: number
  readonly seconds: number
}

/** The words of a process; undefined if it has ended meanwhile. */
function processOf(pid: string): Process | undefined {
  try {
    // the name, in brackets, may contain any character
    const [, rest = ''] = /\) (.*)$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8').trimEnd()) ?? []
    const words = rest.split(' ').map(Number)
    const ticks = words.slice(TICKS.first, TICKS.last + 1).reduce((sum, count) => sum + count, 0)
    return { parent: words[PARENT] ?? 0, seconds: ticks / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}

/** CPU seconds of this process and its children; undefined on systems that do not count them. */
export function cpuSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const all = new Map<number, Process>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const found = processOf(pid)
    if (found) all.set(Number(pid), found)
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (all.has(pid) && isOurs(all.get(pid)?.parent ?? 0))
  return [...all].reduce((sum, [pid, { seconds }]) => (isOurs(pid) ? sum + seconds : sum), 0)
}
