/** Takes offers and keeps the best: six fields in, three of the context changed. */
import { actor } from '../../../lib/actor.ts'
import type { Offer } from '../offer.ts'

type Context = { count: number; best: number; from: string }

const { createMachine, handlers } = actor<{ input: null; context: Context; event: Offer }>()

export default createMachine({
  id: 'receiver',
  context: { count: 0, best: Number.POSITIVE_INFINITY, from: '' },
  initial: 'open',
  states: {
    open: {
      on: handlers({
        offer: [
          {
            guard: ({ context, event }) => event.price < context.best,
            handle: ({ count }, { price }, { from }) => [{ count: count + 1, best: price, from }],
          },
          ({ count }) => [{ count: count + 1 }],
        ],
      }),
    },
  },
})
