/** Fair shares as a library: its machines and their messages. */
import { moduleUrl } from '../../lib/actor.ts'
import { processor } from '../processor/index.ts'

const here = (file: string): URL => new URL(file, import.meta.url)

/** The modules of a cluster's actors. */
export const machines = {
  barrier: moduleUrl<typeof import('./barrier.ts')>(here('./barrier.ts')),
  gang: moduleUrl<typeof import('./gang.ts')>(here('./gang.ts')),
  placer: moduleUrl<typeof import('./placer/placer.ts')>(here('./placer/placer.ts')),
  processor,
  ticketServer: moduleUrl<typeof import('./tickets/ticket-server.ts')>(here('./tickets/ticket-server.ts')),
  user: moduleUrl<typeof import('./user.ts')>(here('./user.ts')),
} as const

export type { BarrierFact, BarrierInput } from './barrier.ts'
export type { GangFact, GangInput, GangJob } from './gang.ts'
export type * from './placer/messages.ts'
export type { PlacerInput } from './placer/state.ts'
export type * from './tickets/messages.ts'
export type { TicketServerFact, TicketServerInput } from './tickets/ticket-server.ts'
export type { Order, UserFact, UserInput } from './user.ts'
