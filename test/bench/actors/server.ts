/** Serves one customer at a time, and reports when it is free again. */
import { type Address, actor, type Mail, type Time, tell, timer } from '../../../lib/actor.ts'

type Event = Mail<{ type: 'serve'; service: Time }> | { type: 'served' }

const { createMachine, rule } = actor<{ input: null; context: { desk: Address }; event: Event }>()

export default createMachine({
  id: 'server',
  context: { desk: '' },
  on: {
    serve: {
      actions: rule('serve', (_, { from, service }) => [
        { desk: from },
        timer('serving', service, { type: 'served' }, 'completion'),
      ]),
    },
    served: { actions: rule('served', ({ desk }) => [{}, tell(desk, { type: 'free' })]) },
  },
})
