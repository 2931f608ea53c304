/** The promise that a job has tickets as long as its currency is worth something, whatever becomes of ticket servers. */
import { closesCycle } from '../../../actors/processor/currencies.ts'
import type { Backing } from '../../../actors/processor/jobs.ts'
import { roleOf } from '../../../lib/actor.ts'
import { about, type Property } from '../../../lib/scenario/oracle.ts'
import { instant, invariant } from '../../../lib/scenario/promises/safety.ts'
import type { Cluster } from '../model.ts'
import { isLasting } from './base-values.ts'

/** Whether no currency would hold itself. Otherwise a ticket is void, and its holder may be worth nothing. */
export function areValid(tickets: readonly Backing[]): boolean {
  return tickets.every((ticket, i) => !closesCycle(tickets.slice(0, i), ticket))
}

/** It is made where users leave their jobs and tickets as they are. */
export function solvencyOf({ sharing, orders }: Pick<Cluster, 'sharing' | 'orders'>): readonly Property[] {
  const issued = orders.flatMap(({ message }) => (message.type === 'issue' ? [message] : []))
  if (!sharing.tick || !orders.every(isLasting) || !areValid(issued)) return []
  const keeps = invariant('a job has tickets as long as its currency is worth something', ({ fact, who, at }) =>
    roleOf(who) === 'processor' && fact.type === 'left' && fact['why'] === 'insolvent'
      ? `${fact['job']} has none on ${who} at ${instant(at)}`
      : undefined,
  )
  return [about(['left'], keeps)]
}
