/** Who can be given a process of a job, and by the placer's own book who is best. */
import type { Address } from '../../../lib/actor.ts'
import { heldBy, lacks, type Placement } from './book.ts'
import { best } from './choice.ts'
import type { Desk, Terms } from './desk.ts'

/** The number of its machine. */
export const numberOf = ({ processors }: Pick<Terms, 'processors'>, processor: Address): number =>
  processors.indexOf(processor) + 1

/** Those that have none of its processes and were not passed over for one. */
export const openTo = (terms: Pick<Terms, 'processors'>, { processors, passed }: Placement): Address[] =>
  terms.processors.filter((one) => !processors.includes(one) && !passed.includes(one))

/** As many as the job lacks, or all that there are. Of who was silent nobody knows what it holds: they come last. */
export function bestByBook(desk: Pick<Desk, keyof Terms | 'book' | 'silent'>, placement: Placement): Address[] {
  const { book, funding, silent, balance } = desk
  const count = lacks(placement)
  const held = heldBy(book, funding)
  const candidates = openTo(desk, placement).map((processor) => {
    return { processor, number: numberOf(desk, processor), tickets: 0, jobs: 0, ...held.get(processor) }
  })
  const bestOf = (isSilent: boolean) =>
    best(
      candidates.filter(({ processor }) => silent.has(processor) === isSilent),
      count,
      balance,
    )
  return [...bestOf(false), ...bestOf(true)].slice(0, count)
}

/** Why a job is not placed when only so many could be found for what it lacks. */
export function tooFew({ processors }: Placement, found: number): string {
  const answer = found + processors.filter((processor) => processor !== null).length
  return answer === 0 ? 'no machine answers' : `${processors.length} machines are needed, and ${answer} answer`
}
