/** An ordinary machine to measure XState: six states, two guards, and an assignment at each event. */
import { actor } from '../../../lib/actor.ts'

type Event = { type: 'next'; price: number } | { type: 'back' }
type Context = { steps: number; spent: number }

const { createMachine, rule } = actor<{ input: null; context: Context; event: Event }>()

const pay = rule('next', ({ steps, spent }, { price }) => [{ steps: steps + 1, spent: (spent + price) % 1000 }])

export default createMachine({
  id: 'shop',
  context: { steps: 0, spent: 0 },
  initial: 'a',
  states: {
    a: {
      on: {
        next: [
          { guard: ({ context }) => context.spent < 0, target: 'a' },
          { target: 'b', actions: pay },
        ],
      },
    },
    b: { on: { next: { target: 'c', actions: pay } } },
    c: {
      on: {
        next: [
          { guard: ({ event }) => event.price < 0, target: 'a' },
          { target: 'd', actions: pay },
        ],
      },
    },
    d: { on: { next: { target: 'e', actions: pay } } },
    e: { on: { next: { target: 'f', actions: pay }, back: 'a' } },
    f: { on: { next: { target: 'a', actions: pay } } },
  },
})
