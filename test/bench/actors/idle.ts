/** An idle actor. */
import { actor } from '../../../lib/actor.ts'

const { createMachine } = actor<{ input: null; context: { calls: number }; event: { type: 'call' } }>()

export default createMachine({
  id: 'idle',
  context: { calls: 0 },
  initial: 'waiting',
  states: { waiting: { on: { call: 'waiting' } } },
})
