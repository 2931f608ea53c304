/** Takes offers and keeps the best: six fields in, three of the context changed. */
import { actor, type Mail } from '../../../lib/actor.ts'
import type { Offer } from '../offer.ts'

type Context = { count: number; best: number; from: string }

const { createMachine, rule } = actor<{ input: null; context: Context; event: Mail<Offer> }>()

export default createMachine({
  id: 'receiver',
  context: { count: 0, best: Number.POSITIVE_INFINITY, from: '' },
  initial: 'open',
  states: {
    open: {
      on: {
        offer: [
          {
            guard: ({ context, event }) => event.price < context.best,
            actions: rule('offer', ({ count }, { price, from }) => [{ count: count + 1, best: price, from }]),
          },
          { actions: rule('offer', ({ count }) => [{ count: count + 1 }]) },
        ],
      },
    },
  },
})
