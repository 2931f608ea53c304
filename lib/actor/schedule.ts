/**
 * In which order an actor handles what comes to it. Actors share nothing, so what two of them do at the same time
 * commutes: a schedule is no more than the order of things at each actor, and says only where that deviates from fifo.
 */

import { type Time, units } from '../core/time.ts'
import type { EnvelopeId } from './step-report.ts'

/** What an actor can handle: mail, named as its envelope, or a timer of its own, named by how many it had set before. */
export interface PendingEvent {
  /** Slot and incarnation of who sent the mail, or set the timer. */
  readonly from: number
  readonly incarnation: number
  readonly n: number
  readonly isTimer: boolean
}

/** `slot.incarnation.seq` of mail, `slot.incarnation.tN` of a timer. */
export type PendingEventName = string

export const nameOfPending = ({ from, incarnation, n, isTimer }: PendingEvent): PendingEventName =>
  `${from}.${incarnation}.${isTimer ? 't' : ''}${n}`

/** A message on a link: the `n`-th, from 0, that this incarnation of `from` sent to `to` over the network. */
export type Transmission = {
  readonly from: number
  readonly incarnation: number
  readonly to: number
  readonly n: number
}

/** `slot.incarnation>slot.n`. */
export type TransmissionName = string

export const nameOfTransmission = ({ from, incarnation, to, n }: Transmission): TransmissionName =>
  `${from}.${incarnation}>${to}.${n}`

export type TransmissionOutcome = 'once' | 'lost' | 'twice'

/** An actor has something to do. */
export interface SchedulingPoint {
  readonly slot: number
  readonly incarnation: number
  /** Steps that this incarnation has taken. */
  readonly step: number
  readonly now: Time
  /** What could be handled next, in the order of fifo: of each sender the first, of the actor's timers the first. */
  readonly pending: readonly PendingEvent[]
}

/** Decides where a run could go one way or another. Live ones exist inline only; `Deviations` are for all runtimes. */
export interface Scheduler {
  /** A place in `things`; -1 holds all of them back until the actor has taken another step. */
  next(choice: SchedulingPoint): number
  /** What becomes of a message to another machine that no option of the network has lost. */
  outcomeOf(transmission: Transmission): TransmissionOutcome
}

/** For how long a schedule holds anything back at most, once it is due: virtual time. */
export const HOLD_MAX = units(250)

/**
 * A thing is not handled before its actor has taken `until` steps in this incarnation, or nothing else is left to do, or 250 units
 * have passed since it was due: where somebody repeats himself there is always something else to do.
 */
export type Hold = {
  readonly thing: PendingEventName
  readonly until: number
}

/** Where a run deviates from fifo. */
export type Deviations = {
  readonly holds: readonly Hold[]
  readonly lost: readonly TransmissionName[]
  readonly doubled: readonly TransmissionName[]
}

/** Does what deviations say. */
export class DeviationScheduler implements Scheduler {
  readonly #until: ReadonlyMap<PendingEventName, number>
  readonly #outcomes: ReadonlyMap<TransmissionName, TransmissionOutcome>

  constructor({ holds, lost, doubled }: Deviations) {
    this.#until = new Map(holds.map(({ thing, until }) => [thing, until]))
    const outcomes = [lost.map((name) => [name, 'lost'] as const), doubled.map((name) => [name, 'twice'] as const)]
    this.#outcomes = new Map(outcomes.flat())
  }

  next({ step, pending: things }: SchedulingPoint): number {
    return things.findIndex((thing) => (this.#until.get(nameOfPending(thing)) ?? 0) <= step)
  }

  outcomeOf(transmission: Transmission): TransmissionOutcome {
    return this.#outcomes.size === 0 ? 'once' : (this.#outcomes.get(nameOfTransmission(transmission)) ?? 'once')
  }
}

export const isDeviations = (schedule: unknown): schedule is Deviations =>
  typeof schedule === 'object' && schedule !== null && 'holds' in schedule

/** Of mail: as its envelope says. */
export const pendingMail = ([from, incarnation, n]: EnvelopeId): PendingEvent => ({
  from,
  incarnation,
  n,
  isTimer: false,
})
