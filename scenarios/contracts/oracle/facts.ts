/** Tells the facts of a market of contracts apart, by the role of the actor and by their type. */
import type { BrokerFact } from '../../../actors/contracts/broker-state.ts'
import type { ClientFact } from '../../../actors/contracts/client-state.ts'
import type { SiteFact } from '../../../actors/contracts/site-state.ts'
import { type Address, type Message, roleOf } from '../../../lib/actor.ts'

/** The facts of a type, also where several types share a form. */
export type FactOf<F extends Message, T extends F['type']> = F extends { readonly type: infer U }
  ? T extends U
    ? F
    : never
  : never

export const isBroker = (_: Message, who: Address): _ is BrokerFact => roleOf(who) === 'broker'
export const isClient = (_: Message, who: Address): _ is ClientFact => roleOf(who) === 'client'
export const isSite = (_: Message, who: Address): _ is SiteFact => roleOf(who) === 'site'
