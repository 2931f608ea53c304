/** An ordinary machine to measure XState: six states, two guards, and an assignment at each event. */
import { actor, type Decision } from '../../../lib/actor.ts'

type Event = { type: 'next'; price: number } | { type: 'back' }
type Context = { steps: number; spent: number }

const { createMachine, handlers } = actor<{ input: null; context: Context; event: Event }>()

const pay = ({ steps, spent }: Context, { price }: { price: number }): Decision<Context> => [
  { steps: steps + 1, spent: (spent + price) % 1000 },
]

export default createMachine({
  id: 'shop',
  context: { steps: 0, spent: 0 },
  initial: 'a',
  states: {
    a: {
      on: handlers({
        next: [
          { guard: ({ context }) => context.spent < 0, target: 'a' },
          { target: 'b', handle: pay },
        ],
      }),
    },
    b: { on: handlers({ next: { target: 'c', handle: pay } }) },
    c: {
      on: handlers({
        next: [
          { guard: ({ event }) => event.price < 0, target: 'a' },
          { target: 'd', handle: pay },
        ],
      }),
    },
    d: { on: handlers({ next: { target: 'e', handle: pay } }) },
    e: { on: handlers({ next: { target: 'f', handle: pay }, back: { target: 'a' } }) },
    f: { on: handlers({ next: { target: 'a', handle: pay } }) },
  },
})
