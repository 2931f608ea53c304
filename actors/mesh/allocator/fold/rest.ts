/** Nothing is under way: who watches the run, the operator and the clock hear so. */
import { type Decision, observe, tell } from '../../../../lib/actor.ts'
import { type Fold, partitionsOf } from '../../fold/fold.ts'
import { awaitSwap } from '../admission.ts'
import type { FoldBook, RingFact } from './book.ts'
import { nextOf } from './queue.ts'
import { isToSwap } from './swaps.ts'

export function rest(book: FoldBook): Decision<FoldBook> {
  const { fold, operator, clock, requests, members } = book
  if (nextOf(book) || isToSwap(book) || book.isInDoubt) return [{}]
  const [changes, ...effects] = awaitSwap(book, requests.length)
  return [
    changes,
    ...effects,
    observe({ type: 'ring', area: fold.area, level: fold.level, rings: ringsOf(fold) } satisfies RingFact),
    ...(operator ? [tell(operator, { type: 'rested' })] : []),
    ...(clock ? [tell(clock, { type: 'running', jobs: members.size })] : []),
  ]
}

function ringsOf(fold: Fold): RingFact['rings'] {
  const partitions = new Map(partitionsOf(fold).map(({ owner, size, rectangle }) => [owner, { size, rectangle }]))
  return fold.rings.map(({ stretches }) =>
    stretches.flatMap(({ owner }) => {
      const own = partitions.get(owner)
      return own && owner ? [{ job: owner, size: own.size, partition: own.rectangle }] : []
    }),
  )
}
