/** Serves one customer at a time, and reports when it is free again. */
import { type Address, actor, type Time, tell, timer } from '../../../lib/actor.ts'

type Event = { type: 'serve'; service: Time } | { type: 'served' }

const { createMachine, handlers } = actor<{ input: null; context: { desk: Address }; event: Event }>()

export default createMachine({
  id: 'server',
  context: { desk: '' },
  on: handlers({
    serve: (_, { service }, { from }) => [{ desk: from }, timer('serving', service, { type: 'served' }, 'completion')],
    served: ({ desk }) => [{}, tell(desk, { type: 'free' })],
  }),
})
