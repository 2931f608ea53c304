/** The part of a trace that a page can show: its beginning, which includes all causes of its events, or its end. */
import type { Line } from '../trace/lines.ts'
import type { ShownWindow } from './types.ts'

export interface Prefix {
  readonly lines: readonly Line[]
  /** The number of steps and events of the system in the whole trace. */
  readonly events: number
  /** The number of events that are in `lines`. */
  readonly shown: number
  /** The room that `lines` take: the number of their events or of their messages, whichever is larger. */
  readonly need: number
  /** The last instant of the whole trace, in millionths. */
  readonly until: number
  /** Whether the trace itself was cut off at its limit of bytes. */
  readonly isCut: boolean
  /** How the end of a trace begins; absent for its beginning. */
  readonly window?: ShownWindow | undefined
}

/** The types of lines that begin a step or report an event of the system. */
const EVENTS: ReadonlySet<string> = new Set([
  ...['start', 'deliver', 'timer', 'spawn', 'begin', 'died', 'ended', 'fault', 'gave up', 'computed'],
])

export const isEvent = ({ t, from }: Line): boolean => EVENTS.has(t) || (t === 'send' && from === 'system')

/** Takes all lines, and keeps those of the first `most` events and the first `most` messages. */
export class Beginning implements Prefix {
  readonly lines: Line[] = []
  readonly #most: number
  events = 0
  shown = 0
  need = 0
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
    else if (line.t === 'broken') this.lines.push(line)
    else if (this.events <= this.#most && this.#sends <= this.#most) {
      this.lines.push(line)
      this.shown = this.events
      this.need = Math.max(this.events, this.#sends)
    }
  }
}

export function prefixOf(all: Iterable<Line>, most: number): Prefix {
  const prefix = new Beginning(most)
  for (const line of all) prefix.add(line)
  return prefix
}
