/** Finds the events that could have come in the place of a step: no happens-before order or delivery guarantee forbids it. */

import { nameOfPending, type PendingEventName } from '../actor/schedule.ts'
import type { SetTimer } from '../actor/timers.ts'
import { PHASES, type Phase, type Time } from '../core/time.ts'
import type { Replayed } from '../replay/replay.ts'
import { Causality } from '../trace/causality.ts'
import { handledName } from '../trace/names.ts'
import { eventOf, type Run, type Step, type SystemEvent, thingOf } from '../trace/run.ts'
import type { Occurrence } from './commute.ts'

/** An event that an actor could have handled in the place of a step. */
export interface RacingEvent {
  readonly thing: PendingEventName
  readonly occurrence: Occurrence
  /** The type of a message, or `timer` and the type of its event. */
  readonly type: string
  /** The event in words. */
  readonly text: string
  /** The time when it was handled or due. */
  readonly at: Time
  /** Whether it is a timer that the other event cancelled. */
  readonly isCancelled?: true
  /** How far the clock of the machine was ahead. */
  readonly skew: Time
}

export class Reorderings {
  readonly #run: Run
  readonly #causality: Causality
  readonly #isCausal: boolean
  /** The messages that the system sent, by envelope. */
  readonly #posted: ReadonlyMap<string, SystemEvent>
  /** The steps of each incarnation, by its address and number. */
  readonly #steps: ReadonlyMap<string, readonly Step[]>

  constructor(run: Run) {
    this.#run = run
    this.#causality = new Causality(run)
    this.#isCausal = run.head['order'] === 'causal'
    this.#steps = new Map(run.incarnations.map(({ who, incarnation, steps }) => [`${who} ${incarnation}`, steps]))
    this.#posted = new Map(
      run.system.flatMap((event) => (event.type === 'send' ? [[event.sent.id, event] as const] : [])),
    )
  }

  /**
   * The event that would have come first if a step had not been taken: the next event of the same incarnation, or a timer
   * that the step cancelled before it was due. Undefined if that event had to come later.
   */
  racingEventOf(step: Replayed, next: Replayed | undefined): RacingEvent | undefined {
    const timer = firstCalledOff(step)
    if (next && (!timer || isDueAfter(timer, next.step)) && this.#areOpen(step, next.step)) return asRacingEvent(next)
    // the timers of an actor go by one clock
    if (!timer || step.step.on.what !== 'mail' || !this.#hasPlace(step.step)) return undefined
    return this.#isFirst(timer, step) ? calledOff(step, timer) : undefined
  }

  /**
   * Whether a timer that a step called off would be the first event without that step: all that came before its time had to
   * come after the step, such as the answers to what it sent.
   */
  #isFirst(timer: SetTimer, step: Replayed): boolean {
    const { who, incarnation, n } = step.step
    const steps = this.#steps.get(`${who} ${incarnation}`) ?? []
    for (let i = n + 1; i < steps.length; i++) {
      const later = steps[i]
      if (!later || !isDueAfter(timer, later)) return true
      if (this.#areOpen(step, later)) return false
    }
    return true
  }

  /** Whether the later of two steps of one incarnation could have come right before the other. */
  #areOpen(earlier: Replayed, later: Step): boolean {
    const [one, other] = [earlier.step.on, later.on]
    if (!this.#hasPlace(earlier.step) || !this.#hasPlace(later)) return false
    if (one.what === 'timer' && other.what === 'timer') return false
    // a timer that was set before the earlier step does not depend on that step
    if (other.what === 'timer') return earlier.timersBefore.some(({ id, n }) => id === other.id && n === other.n)
    if (other.what !== 'mail' || this.#knew(other.id, earlier.step)) return false
    if (one.what !== 'mail') return true
    return slotIn(one.id) !== slotIn(other.id) && !(this.#isCausal && this.#knew(other.id, this.#sender(one.id)))
  }

  /** Whether a schedule can move a step; orders of the system, such as the start, have a fixed place, and so have deferred messages. */
  #hasPlace({ on }: Step): boolean {
    return on.what === 'timer' || (on.what === 'mail' && !on.again && this.#run.sends.has(on.id))
  }

  /** Whether a step happens before the sending of a message. */
  #knew(id: string, step: Step | undefined): boolean {
    if (!step) return false
    const sender = this.#sender(id)
    const by = sender ?? this.#posted.get(id)
    return by !== undefined && (sender?.index === step.index || this.#causality.happensBefore(step, by))
  }

  /** The step that sent a message; undefined if the system did. */
  #sender(id: string): Step | undefined {
    return this.#run.steps[this.#run.sends.get(id)?.step ?? -1]
  }
}

const slotIn = (id: string): string => id.slice(0, id.indexOf('.'))

/** A step as an event that could have come before others. */
export function asRacingEvent({ step, incoming }: Replayed): RacingEvent | undefined {
  const occurrence = occurrenceOf(step, incoming)
  return (
    occurrence && {
      thing: thingOf(step),
      occurrence,
      type: typeName(step),
      text: handledName(step),
      at: step.at,
      skew: step.skew,
    }
  )
}

/** The event of a step; undefined for the start. */
export function occurrenceOf({ on }: Step, incoming: Replayed['incoming']): Occurrence | undefined {
  if (on.what === 'timer') return { timer: on.id }
  return incoming ? { mail: incoming } : undefined
}

function calledOff({ step, replica }: Replayed, { id, n, event, due }: SetTimer): RacingEvent {
  const { slot, incarnation } = replica.who
  return {
    thing: nameOfPending({ from: slot, incarnation, n, isTimer: true }),
    occurrence: { timer: id },
    type: `timer ${event.type}`,
    text: `its timer ${id} (${event.type})`,
    isCancelled: true,
    at: Math.max(due, step.at),
    skew: step.skew,
  }
}

/** The first timer due among those that a step cancelled or set again. */
function firstCalledOff({ step: { on }, timersBefore, timers }: Replayed): SetTimer | undefined {
  const calledOff = timersBefore.filter(
    ({ id, n }) => !timers.some((one) => one.id === id && one.n === n) && !(on.what === 'timer' && on.id === id),
  )
  return calledOff.sort((one, other) => one.due - other.due || rankOf(one) - rankOf(other) || one.n - other.n)[0]
}

const rankOf = ({ kind }: { readonly kind: Phase }): number => PHASES.indexOf(kind)

function isDueAfter(timer: SetTimer, { on, at }: Step): boolean {
  if (timer.due !== at) return timer.due > at
  const rank = rankOf(on.what === 'timer' ? on : { kind: 'mail' })
  return rankOf(timer) === rank && on.what === 'timer' ? timer.n > (on.n ?? 0) : rankOf(timer) > rank
}

export const typeName = (step: Step): string => (step.on.what === 'timer' ? `timer ${eventOf(step)}` : eventOf(step))
