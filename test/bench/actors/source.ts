/** Sends customers to a desk when they are due. */
import { type Address, actor, now, type Time, tell, timer } from '../../../lib/actor.ts'

export type Customer = { readonly arrival: Time; readonly service: Time }
export type SourceInput = { readonly desk: Address; readonly customers: readonly Customer[] }

type Context = SourceInput & { next: number }

const { createMachine, handlers, onEntry } = actor<{ input: SourceInput; context: Context; event: { type: 'due' } }>()

function upcoming({ customers, next }: Pick<Context, 'customers' | 'next'>) {
  const customer = customers[next]
  return customer ? [timer('next', customer.arrival - now(), { type: 'due' }, 'arrival')] : []
}

export default createMachine({
  id: 'source',
  context: ({ input }) => ({ ...input, next: 0 }),
  entry: onEntry((context) => [{}, ...upcoming(context)]),
  on: handlers({
    due: ({ customers, next, desk }) => {
      const { arrival = 0, service = 0 } = customers[next] ?? {}
      const come = tell(desk, { type: 'come', arrival, service })
      return [{ next: next + 1 }, come, ...upcoming({ customers, next: next + 1 })]
    },
  }),
})
