/** As much of a trace as a page can show: its beginning, which lacks no cause of anything in it. */
import type { Line } from '../trace/lines.ts'

export interface Prefix {
  readonly lines: readonly Line[]
  /** Steps and events of the system in the whole trace. */
  readonly events: number
  /** Of these, the ones that are in `lines`. */
  readonly shown: number
  /** The last instant of the whole trace, in millionths. */
  readonly until: number
  /** The trace itself was cut off at its limit of bytes. */
  readonly isCut: boolean
}

/** Lines that begin a step, or tell what the system did. */
const EVENTS: ReadonlySet<string> = new Set([
  ...['start', 'deliver', 'timer', 'spawn', 'begin', 'died', 'fault', 'gave up', 'computed'],
])

const isEvent = ({ t, from }: Line): boolean => EVENTS.has(t) || (t === 'send' && from === 'system')

/** Reads all, and keeps the lines of the first `most` events, or as far as they send so many messages. */
export function prefixOf(all: Iterable<Line>, most: number): Prefix {
  const lines: Line[] = []
  let [events, sends, shown, until, isCut] = [0, 0, 0, 0, false]
  for (const line of all) {
    if (isEvent(line)) events++
    if (line.t === 'send') sends++
    if (typeof line['at'] === 'number') until = line['at']
    if (line.t === 'truncated') isCut = true
    else if (events <= most && sends <= most) {
      lines.push(line)
      shown = events
    }
  }
  return { lines, events, shown, until, isCut }
}
