/** What is planned for jobs, as they are told it. */
import type { Address } from '../../../../lib/actor.ts'
import type { Order as Planned } from '../../fold/orders.ts'
import type { Attempt, Order } from '../../messages.ts'

/** `self`: who speaks for what is free. */
export function messageOf(
  planned: Planned,
  change: number,
  self: Address,
  members: ReadonlyMap<Address, Attempt>,
): Order {
  switch (planned.type) {
    case 'start':
    case 'link': {
      const { type, job: leader, cells, prev, next } = planned
      const linked = { change, cells, prev: prev ?? self, next: next ?? self }
      const { job, attempt } = members.get(leader) ?? { job: 0, attempt: 0 }
      return type === 'start' ? { type, ...linked, job, attempt } : { type, ...linked }
    }
    case 'split':
      return { type: 'split', change, newcomer: planned.newcomer }
    case 'vacate':
      return { type: 'vacate', change, isFailed: planned.isFailed }
    case 'tick':
    case 'shift':
      return { type: planned.type, change }
  }
}
