/** Passes a token on until it has made its rounds. */
import { type Address, actor, tell } from '../../../lib/actor.ts'

export type RingInput = { readonly next: Address }
type Context = RingInput & { taken: number }

const { createMachine, handlers } = actor<{
  input: RingInput
  context: Context
  event: { type: 'token'; left: number }
}>()

export default createMachine({
  id: 'ring',
  context: ({ input }) => ({ ...input, taken: 0 }),
  on: handlers({
    token: ({ next, taken }, { left }) => [
      { taken: taken + 1 },
      ...(left > 1 ? [tell(next, { type: 'token', left: left - 1 })] : []),
    ],
  }),
})
