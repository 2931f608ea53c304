/**
 * The continuations of a failing run. A continuation repeats the run up to one of its moments. From there on it is random
 * and fair, and nothing disturbs it: each next event is drawn among those that are pending, no message is lost or doubled,
 * and no fault strikes that has not struck before. What the run held back until then is pending again.
 */
import {
  DeviationScheduler,
  type Deviations,
  HOLD_FOR_NOW,
  type HoldBounds,
  nameOfPending,
  type PendingEventName,
  type Scheduler,
  type SchedulingPoint,
  type Transmission,
  type TransmissionOutcome,
} from '../actor/schedule.ts'
import { type Fault, printFault } from '../scenario/faults.ts'
import type { Specification } from '../scenario/specification.ts'
import { type Run, type Step, type SystemEvent, thingOf } from '../trace/run.ts'
import { execute, traced } from './execution.ts'
import { unfairOf } from './explore.ts'
import { NotReproduced } from './shrink.ts'
import { random } from './strategies/random.ts'

export type FaultEvent = SystemEvent & { readonly type: 'fault' }

/** A moment of a failing run: after a step, or after faults and steps that no schedule decides. */
export interface Moment {
  /** What has happened since the moment before; nothing at the beginning. */
  readonly events: readonly (Step | FaultEvent)[]
  /** The number of events that the schedule has chosen. */
  readonly chosen: number
  /** Whether all has happened that comes before the next choice. */
  readonly isLate: boolean
  /** The faults that have struck. */
  readonly faults: readonly Fault[]
}

/** The number of continuations of one moment, unless another is asked for. */
export const CONTINUATIONS = 50

/** The most continuations of one moment. */
export const CONTINUATIONS_MAX = 10_000

export class Continuations {
  readonly run: Run
  readonly moments: readonly Moment[]
  readonly #specification: Specification
  readonly #deviations: Deviations
  readonly #property: string
  /** The events that the schedule of the run chose, in order. */
  readonly #choices: readonly PendingEventName[]

  private constructor(
    specification: Specification,
    deviations: Deviations,
    property: string,
    run: Run,
    choices: readonly PendingEventName[],
  ) {
    this.run = run
    this.moments = momentsOf(run, choices, specification.faults)
    this.#specification = specification
    this.#deviations = deviations
    this.#property = property
    this.#choices = choices
  }

  /**
   * Runs the failing run once more, to learn its moments.
   *
   * @throws NotReproduced if it does not break the promise
   */
  static async of(specification: Specification, deviations: Deviations, property: string): Promise<Continuations> {
    const choices: PendingEventName[] = []
    const whole = new Branch(deviations, { chosen: Number.POSITIVE_INFINITY, isLate: false }, (name) => {
      choices.push(name)
    })
    const { run, violations, decisions } = await traced(specification, whole)
    if (!violations.some((one) => one.property === property))
      throw new NotReproduced(`${property}: a repetition of the run kept this promise`)
    const limits = { ...specification.limits, unfair: unfairOf(decisions) + decisions }
    return new Continuations({ ...specification, limits }, deviations, property, run, choices)
  }

  /**
   * Says whether a continuation of a moment breaks the promise; undefined if `late` was aborted before its end. The same moment and
   * number always give the same run.
   */
  async fails(moment: number, number: number, late?: AbortSignal): Promise<boolean | undefined> {
    const place = this.moments[moment]
    if (!place) throw new RangeError(`a run of ${this.moments.length} moments has no moment ${moment}`)
    const { seed = 1 } = this.#specification.options
    const run = moment * CONTINUATIONS_MAX + number
    let next = 0
    const requireSame = (name: PendingEventName): void => {
      if (name !== this.#choices[next++])
        throw new NotReproduced(`a continuation left its run at choice ${next}, where it chose ${name}`)
    }
    const scheduler = new Branch(this.#deviations, place, requireSame, random({ seed, run, decisions: 0 }))
    const { violations, isCut } = await execute(this.#specification, scheduler, place.faults, late)
    return isCut ? undefined : violations.some(({ property }) => property === this.#property)
  }
}

/** Repeats a run for some of its choices, and then follows another scheduler. */
class Branch implements Scheduler {
  readonly bounds: HoldBounds | undefined
  readonly #before: Scheduler
  readonly #at: Pick<Moment, 'chosen' | 'isLate'>
  readonly #onChoice: (name: PendingEventName) => void
  readonly #after: Scheduler | undefined
  #chosen = 0
  #isOver = false

  constructor(
    deviations: Deviations,
    at: Pick<Moment, 'chosen' | 'isLate'>,
    onChoice: (name: PendingEventName) => void,
    after?: Scheduler,
  ) {
    this.bounds = deviations.bounds
    this.#before = new DeviationScheduler(deviations)
    this.#at = at
    this.#onChoice = onChoice
    this.#after = after
  }

  next(point: SchedulingPoint): number {
    const { chosen, isLate } = this.#at
    this.#isOver ||= this.#chosen === chosen && !isLate
    if (this.#isOver) return this.#after?.next(point) ?? 0
    const place = this.#before.next(point)
    const event = point.pending[place]
    // a hold that lasted beyond this moment would foretell what comes
    if (!event) return HOLD_FOR_NOW
    if (this.#chosen === chosen) {
      this.#isOver = true
      return this.#after?.next(point) ?? 0
    }
    this.#chosen++
    this.#onChoice(nameOfPending(event))
    return place
  }

  outcomeOf(transmission: Transmission): TransmissionOutcome {
    return this.#isOver ? 'once' : this.#before.outcomeOf(transmission)
  }
}

/** The beginning, and a moment after each event. Those that no schedule decides share one moment until its next choice. */
function momentsOf(run: Run, choices: readonly PendingEventName[], faults: readonly Fault[]): readonly Moment[] {
  const places = new Map(choices.map((name, i) => [name, i + 1]))
  const struck: FaultEvent[] = []
  const moments: Moment[] = [{ events: [], chosen: 0, isLate: false, faults: [] }]
  for (const event of eventsOf(run)) {
    const before = moments.at(-1)
    const chosen = before?.chosen ?? 0
    if ('type' in event) struck.push(event)
    else if (isConsequence(event)) continue
    const place = 'type' in event ? undefined : places.get(thingOf(event))
    if (place !== undefined) {
      moments.push({
        events: [event],
        chosen: Math.max(place, chosen),
        isLate: false,
        faults: struckOf(faults, struck),
      })
      continue
    }
    const events = before?.isLate ? [...before.events, event] : [event]
    if (before?.isLate) moments.pop()
    moments.push({ events, chosen, isLate: true, faults: struckOf(faults, struck) })
  }
  return moments
}

/** Whether a step follows from earlier ones in every run: a start, news of the system, or a message that was deferred. */
const isConsequence = ({ on }: Step): boolean =>
  on.what === 'start' || (on.what === 'mail' && (on.again === true || on.from === 'system'))

/** The steps and the faults of a run, in order. */
function eventsOf({ steps, system }: Run): (Step | FaultEvent)[] {
  const faults = system.filter((event): event is FaultEvent => event.type === 'fault')
  return [...steps, ...faults].sort((one, other) => one.line - other.line)
}

/** The faults of a plan that have struck so far. Random kills end with the last one. */
function struckOf(faults: readonly Fault[], struck: readonly FaultEvent[]): readonly Fault[] {
  const left = struck.map(({ fault }) => fault)
  return faults.flatMap((fault): readonly Fault[] => {
    const text = printFault(fault)
    const place = left.indexOf(text)
    if (place < 0) return []
    if (fault.type !== 'kill random') {
      left.splice(place, 1)
      return [fault]
    }
    const last = struck.findLast((one) => one.fault === text)
    return last ? [{ ...fault, until: last.at }] : []
  })
}
