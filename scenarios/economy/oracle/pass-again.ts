/**
 * Decides a pass again, by rules 8 to 13 of the protocol: the jobs that start, their order and their terms, and the job with the
 * reservation. It shares no code with pass.ts.
 */
import type { Kind } from '../../../actors/economy/messages.ts'
import type { Policy } from '../../../actors/economy/terms.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import { sum } from '../../../lib/core/tally.ts'

/** A waiting job, and what it can spend, in dollars. */
export interface Bidder {
  readonly job: number
  readonly processors: number
  readonly service: Time
  readonly balance: number
}

/** The terms on which a job is chosen. The price is in dollars per processor-minute. */
export interface Terms {
  readonly decided: Time
  readonly wasted: Time
  readonly price: number
}

/** A job with a reservation, and the terms on which it was chosen. */
export interface Holder {
  readonly job: number
  readonly terms: Terms
}

/** The machine before a pass: idle processors, and the end for each busy one. */
export interface Machine {
  readonly now: Time
  readonly idle: number
  readonly ends: readonly Time[]
}

export interface Decision {
  readonly starts: readonly { readonly job: number; readonly kind: Kind; readonly terms: Terms }[]
  readonly reservation: (Holder & { readonly start: Time }) | null
  /** The highest price that the waiting jobs offer after the pass; 0 if none waits. */
  readonly best: number
}

/** Offers within this factor are equal. */
const EQUAL = 1 + 1e-9

/** Decides a pass over jobs in order of arrival. */
export function passAgain(policy: Policy, machine: Machine, bidders: readonly Bidder[], held: Holder | null): Decision {
  const { now } = machine
  let { idle } = machine
  const ends = machine.ends.map((end) => Math.max(now, end))
  const starts: Decision['starts'][number][] = []
  const waiting = new Set(bidders)
  let reservation: Decision['reservation'] = null

  /** When each processor is free, the earliest first. */
  const free = () => [...new Array<Time>(idle).fill(now), ...ends].sort((one, other) => one - other)
  const earliest = (times: readonly Time[], processors: number) => times[processors - 1] ?? Number.POSITIVE_INFINITY

  function termsOf({ processors, service, balance }: Bidder, times: readonly Time[]): Terms {
    const start = earliest(times, processors)
    const wasted = sum(times.slice(0, processors), (since) => start - since)
    return {
      decided: now,
      wasted,
      price: balance / toUnits(processors * service + (policy.waste ? wasted : 0)),
    }
  }

  /** The first of the best among these jobs, or the first of all. */
  function next(by: Policy['choice'], may: (one: Bidder) => boolean): (Holder & { readonly of: Bidder }) | null {
    const times = free()
    let best: (Holder & { readonly of: Bidder }) | null = null
    for (const of of waiting) {
      if (!may(of)) continue
      const terms = termsOf(of, times)
      if (best && !(by === 'offer' && terms.price > best.terms.price * EQUAL)) continue
      best = { of, job: of.job, terms }
      if (by === 'arrival') break
    }
    return best
  }

  function start(of: Bidder, kind: Kind, terms: Terms): void {
    starts.push({ job: of.job, kind, terms })
    waiting.delete(of)
    idle -= of.processors
    for (let i = 0; i < of.processors; i++) ends.push(now + of.service)
  }

  const holder = bidders.find(({ job }) => job === held?.job)
  if (held && holder && holder.processors <= idle) start(holder, 'reserved', held.terms)
  else if (held && holder) reservation = { ...held, start: earliest(free(), holder.processors) }
  while (idle > 0 && !reservation) {
    const first = next(policy.choice, () => true)
    if (!first) break
    const { of, terms } = first
    if (of.processors <= idle) start(of, 'direct', terms)
    else if (policy.reserves) reservation = { job: of.job, terms, start: earliest(free(), of.processors) }
    else break
  }
  if (reservation) {
    const { job, start: begins } = reservation
    const needed = bidders.find((one) => one.job === job)?.processors ?? 0
    let surplus = policy.surplus ? free().filter((time) => time <= begins).length - needed : 0
    const isOver = ({ service }: Bidder) => now + service <= begins
    const fits = (one: Bidder) =>
      one.job !== job && one.processors <= idle && (isOver(one) || one.processors <= surplus)
    for (let one = next(policy.backfill, fits); one; one = next(policy.backfill, fits)) {
      if (!isOver(one.of)) surplus -= one.of.processors
      start(one.of, 'backfill', one.terms)
    }
  }
  const times = free()
  const best = [...waiting].reduce((highest, one) => Math.max(highest, termsOf(one, times).price), 0)
  return { starts, reservation, best }
}
