/**
 * Schedules: each actor's order of events. Actors share nothing, so steps of two actors at the same time commute. A
 * schedule therefore consists of one order for each actor, and names only the places that deviate from fifo.
 */

import { type Time, units } from '../core/time.ts'
import type { EnvelopeId } from './step-report.ts'

/** An event that an actor can handle: mail, with the name of its envelope, or a timer, with the number of timers set before. */
export interface PendingEvent {
  /** The slot and the incarnation that sent the mail or set the timer. */
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

/** The name of a transmission, `slot.incarnation>slot.n`. */
export type TransmissionName = string

export const nameOfTransmission = ({ from, incarnation, to, n }: Transmission): TransmissionName =>
  `${from}.${incarnation}>${to}.${n}`

/**
 * What becomes of a transmission. A late copy arrives `lateBy` after the message, and later mail does not wait for it. It takes the
 * place of a copy that the network makes.
 */
export type TransmissionOutcome = 'once' | 'lost' | 'twice' | { readonly lateBy: Time }

/** A decision of a scheduler: the next event of an actor. */
export interface SchedulingPoint {
  readonly slot: number
  readonly incarnation: number
  /** The number of steps that this incarnation has taken. */
  readonly step: number
  readonly now: Time
  /** The events that could be next, in fifo order: the first of each sender, and the first timer. It is never empty. */
  readonly pending: readonly PendingEvent[]
}

/**
 * The answer of a scheduler that holds all pending events back until its actor is asked again, which may be before the actor
 * has taken another step. Deviations cannot repeat such a hold.
 */
export const HOLD_FOR_NOW = -2

/** Decides the order of events and the fate of transmissions. Live schedulers exist inline only; `Deviations` work everywhere. */
export interface Scheduler {
  /** Returns an index into `pending`. -1 holds all of them back until the actor has taken another step. */
  next(choice: SchedulingPoint): number
  /** Decides about a message to another machine that the simulated network has not lost. */
  outcomeOf(transmission: Transmission): TransmissionOutcome
  /** The bounds of its holds (default: `HOLD_BOUNDS`). */
  readonly bounds?: HoldBounds | undefined
  /** Whether a step that never ends is ended (option `watchdogMs`; default yes). To watch takes a thread, and a part of a short run. */
  readonly isWatched?: boolean
}

/** When all holds of a run end, whatever their events wait for. Without such bounds an actor could be starved for ever. */
export type HoldBounds = {
  /** How long an event can be held back after it is due, in virtual time. */
  readonly longest: Time
  /** From this instant on nothing is held back; null: holds are possible until the end. */
  readonly calm: Time | null
}

export const HOLD_BOUNDS: HoldBounds = { longest: units(250), calm: null }

/**
 * Delays one event until its actor has taken `until` steps in this incarnation. It is released earlier if nothing else is left
 * to do, or at a bound of the schedule: actors with periodic timers always have something else to do.
 */
export type Hold = {
  readonly thing: PendingEventName
  readonly until: number
}

/** A second copy of a message that arrives `by` after it, outside the order of its link. */
export type LateCopy = {
  readonly passage: TransmissionName
  readonly by: Time
}

/** The places where a run deviates from fifo: delayed events, and lost and duplicated transmissions. */
export type Deviations = {
  readonly holds: readonly Hold[]
  readonly lost: readonly TransmissionName[]
  readonly doubled: readonly TransmissionName[]
  /** Absent: none. */
  readonly late?: readonly LateCopy[] | undefined
  /** The bounds of all holds; absent: `HOLD_BOUNDS`. */
  readonly bounds?: HoldBounds | undefined
}

export const NO_DEVIATIONS: Deviations = { holds: [], lost: [], doubled: [] }

/** A scheduler that follows given deviations. */
export class DeviationScheduler implements Scheduler {
  readonly #until: ReadonlyMap<PendingEventName, number>
  readonly #outcomes: ReadonlyMap<TransmissionName, TransmissionOutcome>
  readonly bounds: HoldBounds | undefined

  constructor({ holds, lost, doubled, late = [], bounds }: Deviations) {
    this.bounds = bounds
    this.#until = new Map(holds.map(({ thing, until }) => [thing, until]))
    this.#outcomes = new Map<TransmissionName, TransmissionOutcome>([
      ...lost.map((name) => [name, 'lost'] as const),
      ...doubled.map((name) => [name, 'twice'] as const),
      ...late.map(({ passage, by }) => [passage, { lateBy: by }] as const),
    ])
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

/** The pending event of an envelope. */
export const pendingMail = ([from, incarnation, n]: EnvelopeId): PendingEvent => ({
  from,
  incarnation,
  n,
  isTimer: false,
})
