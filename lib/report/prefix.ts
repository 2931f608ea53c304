/** The beginning of a trace, as far as a page can show it; it has all causes of its events. */
import type { Line } from '../trace/lines.ts'

export interface Prefix {
  readonly lines: readonly Line[]
  /** Steps and events of the system in the whole trace. */
  readonly events: number
  /** The number of events that are in `lines`. */
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

/** Hears all lines, and keeps those of the first `most` events and the first `most` messages. */
export class Beginning implements Prefix {
  readonly lines: Line[] = []
  readonly #most: number
  events = 0
  shown = 0
  until = 0
  isCut = false
  #sends = 0

  constructor(most: number) {
    this.#most = most
  }

  add(line: Line): void {
    if (isEvent(line)) this.events++
    if (line.t === 'send') this.#sends++
    if (typeof line['at'] === 'number') this.until = line['at']
    if (line.t === 'truncated') this.isCut = true
    else if (this.events <= this.#most && this.#sends <= this.#most) {
      this.lines.push(line)
      this.shown = this.events
    }
  }
}

export function prefixOf(all: Iterable<Line>, most: number): Prefix {
  const prefix = new Beginning(most)
  for (const line of all) prefix.add(line)
  return prefix
}
