/** One queue before several servers: first come, first served. It reports the total waiting time at the end. */
import { type Address, actor, now, observe, type Time, tell } from '../../../lib/actor.ts'
import type { Customer } from './source.ts'

export type DeskInput = { readonly servers: readonly Address[]; readonly customers: number }

type Context = { free: readonly Address[]; queue: readonly Customer[]; served: number; waited: Time; customers: number }
type Event = ({ type: 'come' } & Customer) | { type: 'free' }

const { createMachine, handlers } = actor<{ input: DeskInput; context: Context; event: Event }>()

/** The message of the desk when all customers have been served. */
export type Waited = { readonly type: 'waited'; readonly all: Time }

export default createMachine({
  id: 'desk',
  context: ({ input: { servers, customers } }) => ({ free: servers, queue: [], served: 0, waited: 0, customers }),
  on: handlers({
    come: ({ free: [server, ...free], queue }, { arrival, service }) =>
      server === undefined
        ? [{ queue: [...queue, { arrival, service }] }]
        : [{ free }, tell(server, { type: 'serve', service })],
    free: ({ free, queue: [first, ...queue], served, waited, customers }, _free, { from }) => {
      const all = first ? waited + now() - first.arrival : waited
      const told = served + 1 === customers ? [observe<Waited>({ type: 'waited', all })] : []
      const changes = { served: served + 1, waited: all }
      return first
        ? [{ ...changes, queue }, tell(from, { type: 'serve', service: first.service })]
        : [{ ...changes, free: [...free, from] }, ...told]
    },
  }),
})
