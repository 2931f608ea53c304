/** Which machines get a job (paper, section 4.3; spec, section 9). */
import type { Address } from '../../../lib/actor.ts'

/** What is to be even: tickets, and jobs where those are equal; or the other way round (figure 6). */
export type Balance = 'tickets' | 'load'

export interface Candidate {
  readonly processor: Address
  /** Of its machine: decides between equals. */
  readonly number: number
  /** Base tickets and jobs that it would compete with. */
  readonly tickets: number
  readonly jobs: number
}

/** The best `count`, best first. */
export function best(candidates: readonly Candidate[], count: number, balance: Balance): Address[] {
  const order = (one: Candidate, other: Candidate): number => {
    const tickets = one.tickets - other.tickets
    const jobs = one.jobs - other.jobs
    return (balance === 'tickets' ? tickets || jobs : jobs || tickets) || one.number - other.number
  }
  return candidates
    .toSorted(order)
    .slice(0, count)
    .map(({ processor }) => processor)
}

/** `count` different ones at random, or all; `uniform` gives a number in [0, 1) for each place. */
export function sample<T>(items: readonly T[], count: number, uniform: (place: number) => number): T[] {
  const left = [...items]
  const drawn: T[] = []
  while (drawn.length < count && left.length > 0) {
    const [item] = left.splice(Math.floor(uniform(drawn.length) * left.length), 1)
    if (item !== undefined) drawn.push(item)
  }
  return drawn
}
