/** Throws a number of balls at each of the others, and one more for each that was caught. */
import { type Address, actor, type Effect, sender, tell } from '../../../lib/actor.ts'
import { offer } from '../offer.ts'

/** The number of balls that are sent in one step. */
export const BURST = 256
/** The maximum number of balls on their way to one receiver. */
export const AHEAD = 16

export type Throw = { readonly type: 'throw'; readonly to: readonly Address[]; readonly bursts: number }

type Context = { left: { readonly [to: Address]: number } }
type Event = Throw | { type: 'caught' }

const { createMachine, handlers } = actor<{ input: null; context: Context; event: Event }>()

const burst = (to: Address): readonly Effect[] => Array.from({ length: BURST }, (_, i) => tell(to, offer('tiny', i)))

export default createMachine({
  id: 'thrower',
  context: { left: {} },
  on: handlers({
    throw: (_, { to, bursts }) => {
      const first = Math.min(AHEAD, bursts)
      return [
        { left: Object.fromEntries(to.map((one) => [one, bursts - first])) },
        ...Array.from({ length: first }, () => to.flatMap(burst)).flat(),
      ]
    },
    caught: [
      {
        guard: ({ context }) => (context.left[sender()] ?? 0) > 0,
        handle: ({ left }, _caught, { from }) => [{ left: { ...left, [from]: (left[from] ?? 0) - 1 } }, ...burst(from)],
      },
      {},
    ],
  }),
})
