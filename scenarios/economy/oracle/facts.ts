/** Tells the facts of an economy apart, by the role of the actor and by their type. */
import type { BankFact, QuotedFact, SchedulerFact } from '../../../actors/economy/messages.ts'
import type { ProcessorFact } from '../../../actors/processor/messages.ts'
import { type Address, type Message, roleOf } from '../../../lib/actor.ts'

export const isScheduler = (_: Message, who: Address): _ is SchedulerFact => roleOf(who) === 'scheduler'
export const isBooked = (fact: Message, who: Address): fact is BankFact =>
  roleOf(who) === 'bank' && fact.type === 'booked'
export const isQuoted = (fact: Message, who: Address): fact is QuotedFact =>
  roleOf(who) === 'bank' && fact.type === 'quoted'
export const isProcessor = (fact: Message, who: Address): fact is ProcessorFact =>
  roleOf(who) === 'processor' && typeof fact['task'] === 'number'

/** The facts of the scheduler of one type. */
export type Told<T extends SchedulerFact['type']> = SchedulerFact extends infer F
  ? F extends { readonly type: infer U }
    ? T extends U
      ? F
      : never
    : never
  : never
