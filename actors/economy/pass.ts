/**
 * One pass of the scheduler over its waiting jobs (section 2.5): which of them start now, and which one gets a reservation.
 * The functions are pure: they see the processors as they are and the balances of the jobs.
 */
import { type Time, toUnits } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import type { Kind } from './messages.ts'
import type { Policy } from './terms.ts'

// --- prices -----------------------------------------------------------------------------------------------------------

/**
 * The price of the next `minutes`: near the best offer for a short time, near the estimate for a long one (equation 2).
 * Prices are in dollars per processor-minute, `minutes` >= 0, `alpha` > 0 per minute.
 */
export const smoothed = (best: number, estimate: number, alpha: number, minutes: number): number =>
  estimate + (best - estimate) * Math.exp(-alpha * minutes)

/** Offers that differ by at most this factor are equal. Then the earlier arrival is first. */
const EVEN = 1 + 1e-9

/** Whether one price is higher than the other by more than rounding. */
export const isHigher = (one: number, other: number): boolean => one > other * EVEN

// --- free processors --------------------------------------------------------------------------------------------------

/** The number of free processors over time, given the ends of the running jobs. */
export class Profile {
  readonly #now: Time
  /** The time when each processor becomes free, in ascending order; the first `idle` of them are free now. */
  readonly #free: Time[]
  #idle: number

  /**
   * Makes the profile of the processors at the instant `now`.
   *
   * @param ends the end for each busy processor; an end in the past counts as now
   */
  constructor(now: Time, idle: number, ends: readonly Time[]) {
    this.#now = now
    this.#idle = idle
    const busy = ends.map((end) => Math.max(now, end)).sort((one, other) => one - other)
    this.#free = [...new Array<Time>(idle).fill(now), ...busy]
  }

  get idle(): number {
    return this.#idle
  }

  get total(): number {
    return this.#free.length
  }

  /** The earliest time when this number of processors is free at once; Infinity if the machine is smaller. */
  earliest(processors: number): Time {
    return this.#free[processors - 1] ?? Number.POSITIVE_INFINITY
  }

  /**
   * The processor time wasted by waiting for p processors, for each p up to all:
   * W(p) = sum over the p processors that are free first of (s(p) - time when it becomes free).
   */
  wastes(): readonly Time[] {
    const wastes: Time[] = [0]
    let sum = 0
    for (const [before, free] of this.#free.entries()) {
      wastes.push(free * before - sum)
      sum += free
    }
    return wastes
  }

  /** The number of processors that are free at `time`. */
  freeAt(time: Time): number {
    return sum(this.#free, (free) => (free <= time ? 1 : 0))
  }

  /** Occupies idle processors from now on. */
  take(processors: number, lasts: Time): void {
    const end = this.#now + lasts
    this.#idle -= processors
    this.#free.splice(0, processors)
    const place = this.#free.findIndex((free) => free > end)
    this.#free.splice(place === -1 ? this.#free.length : place, 0, ...new Array<Time>(processors).fill(end))
  }
}

// --- the pass ---------------------------------------------------------------------------------------------------------

export interface Candidate {
  readonly job: number
  readonly processors: number
  readonly service: Time
  /** The balance of its expense account, in dollars; absent where money does not matter. */
  readonly balance?: number
  /** Dollars per minute that the account receives now. */
  readonly rate?: number
}

/** The terms on which a job was chosen. `wasted` is the processor time that it makes others waste. */
export type Choice = {
  readonly job: number
  readonly decided: Time
  readonly wasted: Time
  /** Dollars per processor-minute. */
  readonly price: number
}

/** The job that could not start when it was chosen: others may not delay its start. */
export interface Reservation {
  readonly choice: Choice
  readonly start: Time
}

export type Start = Choice & {
  readonly kind: Kind
}

export interface Machine {
  readonly now: Time
  readonly idle: number
  /** The end for each busy processor. */
  readonly ends: readonly Time[]
}

export interface Outcome {
  readonly starts: readonly Start[]
  readonly reservation: Reservation | null
  /** The highest offer of the jobs that still wait, in dollars per processor-minute; 0 if none waits. */
  readonly best: () => number
}

interface Found {
  readonly candidate: Candidate
  readonly choice: Choice
}

/** The offer per processor-minute: money over work and wasted time (equation 3). */
function offerOf(policy: Policy, candidate: Candidate, wait: Time, wasted: Time): number {
  const { processors, service, balance = 0, rate = 0 } = candidate
  const lasts = { start: wait, end: wait + service }
  const money = policy.future === null ? balance : balance + rate * toUnits(lasts[policy.future])
  return money / toUnits(processors * service + (policy.waste ? wasted : 0))
}

/**
 * Runs one pass.
 *
 * @param ready the waiting jobs in order of arrival, none wider than the machine
 */
export function pass(policy: Policy, machine: Machine, ready: readonly Candidate[], held: Choice | null): Outcome {
  const { now } = machine
  const profile = new Profile(now, machine.idle, machine.ends)
  const starts: Start[] = []
  let waiting = ready
  let reservation: Reservation | null = null

  const start = (candidate: Candidate, kind: Kind, choice: Choice) => {
    const { job, decided, wasted, price } = choice
    starts.push({ job, kind, decided, wasted, price })
    waiting = waiting.filter((one) => one !== candidate)
    profile.take(candidate.processors, candidate.service)
  }

  /** The terms on which each candidate would be chosen now. */
  const choices = (): ((candidate: Candidate) => Choice) => {
    const wastes = profile.wastes()
    return (candidate) => {
      const { job, processors } = candidate
      const wasted = wastes[processors] ?? Number.POSITIVE_INFINITY
      const price = offerOf(policy, candidate, profile.earliest(processors) - now, wasted)
      return { job, decided: now, wasted, price }
    }
  }

  const choose = (by: 'offer' | 'arrival', may: (candidate: Candidate) => boolean): Found | null => {
    const choiceOf = choices()
    let best: Found | null = null
    for (const candidate of waiting) {
      if (!may(candidate)) continue
      const choice = choiceOf(candidate)
      if (best === null || isHigher(choice.price, best.choice.price)) {
        best = { candidate, choice }
        if (by === 'arrival') break
      }
    }
    return best
  }

  const best = (): number => {
    const choiceOf = choices()
    return waiting.reduce((highest, candidate) => Math.max(highest, choiceOf(candidate).price), 0)
  }

  const holder = ready.find(({ job }) => job === held?.job)
  if (held && holder) {
    if (holder.processors <= profile.idle) start(holder, 'reserved', held)
    else reservation = { choice: held, start: profile.earliest(holder.processors) }
  }

  while (profile.idle > 0 && !reservation) {
    const best = choose(policy.choice, () => true)
    if (!best) break
    const { candidate, choice } = best
    if (candidate.processors <= profile.idle) start(candidate, 'direct', choice)
    else if (policy.reserves) reservation = { choice, start: profile.earliest(candidate.processors) }
    else break
  }

  if (reservation) backfill(reservation)
  return { starts, reservation, best }

  /** Starts jobs that do not delay the reservation: they end before it begins, or use only the surplus processors. */
  function backfill({ choice: { job }, start: begins }: Reservation): void {
    const holder = ready.find((candidate) => candidate.job === job)
    if (!holder) return
    let surplus = policy.surplus ? profile.freeAt(begins) - holder.processors : 0
    const isShort = ({ service }: Candidate) => now + service <= begins
    const fits = (candidate: Candidate) =>
      candidate !== holder &&
      candidate.processors <= profile.idle &&
      (isShort(candidate) || candidate.processors <= surplus)
    for (let next = choose(policy.backfill, fits); next; next = choose(policy.backfill, fits)) {
      const { candidate, choice } = next
      if (!isShort(candidate)) surplus -= candidate.processors
      start(candidate, 'backfill', choice)
    }
  }
}
