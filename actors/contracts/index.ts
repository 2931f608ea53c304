/** Contracts as a library: its machines, messages and terms. */
import { moduleUrl } from '../../lib/actor.ts'
import { processor } from '../processor/index.ts'

const here = (file: string): URL => new URL(file, import.meta.url)

/** The modules of the actors of a market of contracts. */
export const machines = {
  broker: moduleUrl<typeof import('./broker.ts')>(here('./broker.ts')),
  client: moduleUrl<typeof import('./client.ts')>(here('./client.ts')),
  processor,
  site: moduleUrl<typeof import('./site.ts')>(here('./site.ts')),
} as const

export type { BrokerFact, BrokerInput } from './broker-state.ts'
export type { ClientFact, ClientInput } from './client-state.ts'
export type * from './messages.ts'
export type { BrokerTerms, SiteTerms } from './terms.ts'
