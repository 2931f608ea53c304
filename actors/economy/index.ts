/** The economy as a library: its machines, messages and terms. */
import { moduleUrl } from '../../lib/actor.ts'
import { processor } from '../processor/index.ts'

const here = (file: string): URL => new URL(file, import.meta.url)

/** The modules of an economy's actors. */
export const machines = {
  bank: moduleUrl<typeof import('./bank.ts')>(here('./bank.ts')),
  processor,
  scheduler: moduleUrl<typeof import('./scheduler.ts')>(here('./scheduler.ts')),
  user: moduleUrl<typeof import('./user.ts')>(here('./user.ts')),
} as const

export type { BankInput } from './bank.ts'
export type * from './messages.ts'
export type { SchedulerInput } from './scheduler-state.ts'
export { type Durability, type Policy, policyOf, type Sharing, STANDARD_SHARING } from './terms.ts'
export type { UserFact, UserInput, UserJob } from './user.ts'
