/** Ends its thread in the middle of a step. */
import { actor } from '../../../lib/actor.ts'

const { createMachine, handlers } = actor<{ input: null; context: { calls: number }; event: { type: 'leave' } }>()

export default createMachine({
  id: 'leaver',
  context: { calls: 0 },
  on: handlers({ leave: () => process.exit(7) }),
})
