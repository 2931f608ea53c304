/** Catches offers, keeps the best, and reports it after each burst. */
import { type Address, actor, tell } from '../../../lib/actor.ts'
import type { Offer } from '../offer.ts'
import { BURST } from './thrower.ts'

type Context = { count: number; best: number; by: Address }

const { createMachine, handlers } = actor<{ input: null; context: Context; event: Offer }>()

export default createMachine({
  id: 'catcher',
  context: { count: 0, best: Number.POSITIVE_INFINITY, by: '' },
  on: handlers({
    offer: ({ count, best, by }, { price, task }, { from }) => [
      price < best ? { count: count + 1, best: price, by: from } : { count: count + 1, best, by },
      ...(task === BURST - 1 ? [tell(from, { type: 'caught' })] : []),
    ],
  }),
})
