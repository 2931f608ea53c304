/** The machines that can get a job, and the choice of the best among them (paper, section 4.3). */
import type { Ref } from '../../../lib/actor.ts'
import type { ToScheduler } from '../../processor/jobs.ts'
import { heldBy, lacks, type Placement } from './book.ts'
import type { PlacerState, Terms } from './state.ts'

/**
 * The quantity that placement balances: tickets first and then jobs, or the reverse (`load`, figure 6).
 */
export type Balance = 'tickets' | 'load'

export interface Candidate {
  readonly processor: Ref<ToScheduler>
  /** The number of the machine, which decides between equals. */
  readonly number: number
  /** Base tickets of the jobs that a new one would compete with, and their number. */
  readonly tickets: number
  readonly jobs: number
}

/** The best `count` candidates, best first. */
export function best(candidates: readonly Candidate[], count: number, balance: Balance): Ref<ToScheduler>[] {
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

/** Draws `count` different items at random, or all; `uniform` gives a number in [0, 1) for each place. */
export function sample<T>(items: readonly T[], count: number, uniform: (place: number) => number): T[] {
  const left = [...items]
  const drawn: T[] = []
  while (drawn.length < count && left.length > 0) {
    const [item] = left.splice(Math.floor(uniform(drawn.length) * left.length), 1)
    if (item !== undefined) drawn.push(item)
  }
  return drawn
}

/** The number of a processor's machine. */
export const numberOf = ({ processors }: Pick<Terms, 'processors'>, processor: Ref<ToScheduler>): number =>
  processors.indexOf(processor) + 1

/** The processors that have no process of the job and were not passed over for it. */
export const openTo = (terms: Pick<Terms, 'processors'>, { processors, passed }: Placement): Ref<ToScheduler>[] =>
  terms.processors.filter((one) => !processors.includes(one) && !passed.includes(one))

/**
 * The best processors by the placer's own book: as many as the job lacks, or all that there are. Processors that did
 * not answer come last, because their load is unknown.
 */
export function bestByBook(
  state: Pick<PlacerState, keyof Terms | 'book' | 'silent'>,
  placement: Placement,
): Ref<ToScheduler>[] {
  const { book, funding, silent, balance } = state
  const count = lacks(placement)
  const held = heldBy(book, funding)
  const candidates = openTo(state, placement).map((processor) => {
    return { processor, number: numberOf(state, processor), tickets: 0, jobs: 0, ...held.get(processor) }
  })
  const bestOf = (isSilent: boolean) =>
    best(
      candidates.filter(({ processor }) => silent.has(processor) === isSilent),
      count,
      balance,
    )
  return [...bestOf(false), ...bestOf(true)].slice(0, count)
}

/** Why a job is not placed if only `found` more machines answered. */
export function tooFew({ processors }: Placement, found: number): string {
  const answer = found + processors.filter((processor) => processor !== null).length
  return answer === 0 ? 'no machine answers' : `${processors.length} machines are needed, and ${answer} answer`
}
