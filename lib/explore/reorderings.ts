/** What could have come before a step of an actor, in its place: neither a cause nor a promise says otherwise. */

import { nameOfPending, type PendingEventName } from '../actor/schedule.ts'
import type { SetTimer } from '../actor/timers.ts'
import { PHASES, type Phase, type Time } from '../core/time.ts'
import type { Replayed } from '../replay/replay.ts'
import { Causality } from '../trace/causality.ts'
import { handledName } from '../trace/names.ts'
import { eventOf, type Run, type Step, type SystemEvent, thingOf } from '../trace/run.ts'
import type { Occurrence } from './commute.ts'

/** What an actor could have handled in the place of a step. */
export interface Rival {
  readonly thing: PendingEventName
  readonly occurrence: Occurrence
  /** The type of a message, or `timer` and the type of its event. */
  readonly type: string
  /** For people. */
  readonly text: string
  /** When it was handled, or was due. */
  readonly at: Time
}

export class Reorderings {
  readonly #run: Run
  readonly #causality: Causality
  readonly #isCausal: boolean
  /** By envelope, what the system sent. */
  readonly #posted: ReadonlyMap<string, SystemEvent>

  constructor(run: Run) {
    this.#run = run
    this.#causality = new Causality(run)
    this.#isCausal = run.head['order'] === 'causal'
    this.#posted = new Map(
      run.system.flatMap((event) => (event.type === 'send' ? [[event.sent.id, event] as const] : [])),
    )
  }

  /**
   * What would have come first if a step had not been taken: what did come next, at the same incarnation, or a timer that the
   * step called off before that. Undefined if that had to come later.
   */
  rivalOf(step: Replayed, next: Replayed | undefined): Rival | undefined {
    const timer = firstCalledOff(step)
    if (!timer || (next && isDueAfter(timer, next)))
      return next && this.#areOpen(step, next) ? asRival(next) : undefined
    // the timers of an actor go by one clock
    return this.#hasPlace(step.step) && step.step.on.what === 'mail' ? calledOff(step, timer) : undefined
  }

  /** Could the later of two steps of one incarnation have come right before the other, if nothing in between kept it back? */
  #areOpen(earlier: Replayed, later: Replayed): boolean {
    const [one, other] = [earlier.step.on, later.step.on]
    if (!this.#hasPlace(earlier.step) || !this.#hasPlace(later.step)) return false
    if (one.what === 'timer' && other.what === 'timer') return false
    // a timer that was there before was not set because of what came in between
    if (other.what === 'timer') return earlier.timersBefore.get(other.id)?.n === other.n
    if (other.what !== 'mail' || this.#knew(other.id, earlier.step)) return false
    if (one.what !== 'mail') return true
    return slotIn(one.id) !== slotIn(other.id) && !(this.#isCausal && this.#knew(other.id, this.#sender(one.id)))
  }

  /** Orders of the system, such as the start, have no place in a schedule. */
  #hasPlace({ on }: Step): boolean {
    return on.what === 'timer' || (on.what === 'mail' && this.#run.sends.has(on.id))
  }

  /** Did who sent this message know of that step? */
  #knew(id: string, step: Step | undefined): boolean {
    if (!step) return false
    const sender = this.#sender(id)
    const by = sender ?? this.#posted.get(id)
    return by !== undefined && (sender?.index === step.index || this.#causality.happensBefore(step, by))
  }

  /** Undefined if the system was. */
  #sender(id: string): Step | undefined {
    return this.#run.steps[this.#run.sends.get(id)?.step ?? -1]
  }
}

const slotIn = (id: string): string => id.slice(0, id.indexOf('.'))

/** A step, as what could have come before others. */
export function asRival({ step, event }: Replayed): Rival | undefined {
  const occurrence = occurrenceOf(step, event)
  return occurrence && { thing: thingOf(step), occurrence, type: typeName(step), text: handledName(step), at: step.at }
}

/** Undefined for the start. */
export function occurrenceOf({ on }: Step, event: Replayed['event']): Occurrence | undefined {
  if (on.what === 'timer') return { timer: on.id }
  return event ? { mail: event } : undefined
}

function calledOff({ step, replica }: Replayed, { id, n, event, due }: SetTimer): Rival {
  const { slot, incarnation } = replica.who
  return {
    thing: nameOfPending({ from: slot, incarnation, n, isTimer: true }),
    occurrence: { timer: id },
    type: `timer ${event.type}`,
    text: `timer ${id} (${event.type}), called off by it,`,
    at: Math.max(due, step.at),
  }
}

/** Of the timers that were set before a step, and neither fired in it nor are set after it, the one due first. */
function firstCalledOff({ step: { on }, timersBefore, timers }: Replayed): SetTimer | undefined {
  const calledOff = [...timersBefore.values()].filter(
    ({ id, n }) => timers.get(id)?.n !== n && !(on.what === 'timer' && on.id === id),
  )
  return calledOff.sort((one, other) => one.due - other.due || rankOf(one) - rankOf(other) || one.n - other.n)[0]
}

const rankOf = ({ kind }: { readonly kind: Phase }): number => PHASES.indexOf(kind)

function isDueAfter(timer: SetTimer, { step: { on, at } }: Replayed): boolean {
  if (timer.due !== at) return timer.due > at
  const rank = rankOf(on.what === 'timer' ? on : { kind: 'mail' })
  return rankOf(timer) === rank && on.what === 'timer' ? timer.n > (on.n ?? 0) : rankOf(timer) > rank
}

export const typeName = (step: Step): string => (step.on.what === 'timer' ? `timer ${eventOf(step)}` : eventOf(step))
