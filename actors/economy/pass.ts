/**
 * One pass of the scheduler over its ready list (section 2.5): who starts now, and for whom processors are reserved. Pure:
 * of a machine as it is and of what the jobs can spend.
 */
import { type Time, toUnits } from '../../lib/actor.ts'
import type { Kind } from './messages.ts'
import { isHigher } from './price.ts'
import { Profile } from './profile.ts'
import type { Policy } from './terms.ts'

export interface Candidate {
  readonly job: number
  readonly processors: number
  readonly service: Time
  /** In its expense account now, in dollars; absent where money does not matter. */
  readonly balance?: number
  /** Dollars per minute that go there now. */
  readonly rate?: number
}

/** What it was chosen for, when it was. */
export type Choice = {
  readonly job: number
  readonly decided: Time
  readonly wasted: Time
  /** Dollars per processor-minute. */
  readonly price: number
}

export type Reservation = Choice & {
  readonly start: Time
}

export type Start = Choice & {
  readonly kind: Kind
}

export interface Machine {
  readonly now: Time
  readonly idle: number
  /** Of each busy processor. */
  readonly ends: readonly Time[]
}

export interface Outcome {
  readonly starts: readonly Start[]
  readonly reservation: Reservation | null
  /** The highest offer of all who wait now, in dollars per processor-minute; 0 if nobody does. */
  readonly best: () => number
}

/** What it offers per processor-minute: its money over its work and what others waste for it (equation 3). */
function offerOf(policy: Policy, candidate: Candidate, wait: Time, wasted: Time): number {
  const { processors, service, balance = 0, rate = 0 } = candidate
  const lasts = { start: wait, end: wait + service }
  const money = policy.future === null ? balance : balance + rate * toUnits(lasts[policy.future])
  return money / toUnits(processors * service + (policy.waste ? wasted : 0))
}

/** `ready` in order of arrival; whoever needs more processors than there are is not among them. */
export function pass(policy: Policy, machine: Machine, ready: readonly Candidate[], held: Reservation | null): Outcome {
  const { now } = machine
  const profile = new Profile(now, machine.idle, machine.ends)
  const starts: Start[] = []
  let waiting = ready
  let reservation = held

  const start = (candidate: Candidate, kind: Kind, choice: Choice) => {
    const { job, decided, wasted, price } = choice
    starts.push({ job, kind, decided, wasted, price })
    waiting = waiting.filter((one) => one !== candidate)
    profile.take(candidate.processors, candidate.service)
  }

  /** What each would be chosen for as the machine is now. */
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

  if (reservation) {
    const holder = ready.find(({ job }) => job === reservation?.job)
    if (!holder) reservation = null
    else if (holder.processors <= profile.idle) {
      start(holder, 'reserved', reservation)
      reservation = null
    } else reservation = { ...reservation, start: profile.earliest(holder.processors) }
  }

  while (profile.idle > 0 && !reservation) {
    const best = choose(policy.choice, () => true)
    if (!best) break
    const { candidate, choice } = best
    if (candidate.processors <= profile.idle) start(candidate, 'direct', choice)
    else if (policy.reserves) reservation = { ...choice, start: profile.earliest(candidate.processors) }
    else break
  }

  if (reservation) backfill(reservation)
  return { starts, reservation, best }

  /** Whoever is over before the reservation begins, or does with what it leaves over, does not delay it. */
  function backfill({ job, start: begins }: Reservation): void {
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

interface Found {
  readonly candidate: Candidate
  readonly choice: Choice
}
