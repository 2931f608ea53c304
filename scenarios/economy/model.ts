/** The model of a run: a parallel machine with its processors, scheduler and users, and a bank if jobs are paid. */
import type { Holder } from '../../actors/economy/accounts.ts'
import type { BankInput } from '../../actors/economy/bank.ts'
import type { PerClass } from '../../actors/economy/messages.ts'
import type { SchedulerTerms } from '../../actors/economy/scheduler-state.ts'
import type { Policy, Sharing } from '../../actors/economy/terms.ts'
import type { Address, Time } from '../../lib/actor.ts'
import type { EconomyJob } from './workload/job.ts'

/** The bank and the scheduler share a machine, so no network lies between them. */
export const SCHEDULER: Address = 'scheduler@hub'
export const BANK: Address = 'bank@hub'

export interface Economy {
  /** The number of processors, on machines p1, p2, ... */
  readonly processors: number
  readonly policy: Policy
  /** The terms of the bank; null: there is none, nothing is paid. */
  readonly market: BankTerms | null
  /** The users by name: u1, u2, ... */
  readonly users: Readonly<Record<string, UserTerms>>
  readonly jobs: readonly EconomyJob[]
  /** How long to wait for an answer before asking again; null: for ever, since no actor dies and no mail is lost. */
  readonly patience: Time | null
  /** Whether bank, scheduler and users persist what a later incarnation needs. */
  readonly durable: boolean
  readonly overrun: SchedulerTerms['overrun']
  /** The ids of the only jobs that are submitted; default all. */
  readonly only?: readonly number[]
  /** A copy of `actors/` that is run instead. */
  readonly actors?: URL | undefined
}

export interface BankTerms {
  readonly sharing: Sharing
  readonly statistics: BankInput['statistics']
}

export interface UserTerms extends Holder {
  /** The wanted ratios of the slowdowns of the classes; null: the coefficients stay as they are. */
  readonly targets: PerClass | null
}

export const processorsOf = ({ processors }: Pick<Economy, 'processors'>): Address[] =>
  Array.from({ length: processors }, (_, i) => `processor@p${i + 1}` as const)

/** All addresses in spawn order: an actor is spawned before the actors that write to it. */
export const addressesOf = (economy: Pick<Economy, 'processors' | 'market' | 'users'>): Address[] => [
  ...processorsOf(economy),
  ...(economy.market ? [BANK] : []),
  SCHEDULER,
  ...Object.keys(economy.users).map((user): Address => `user@${user}`),
]

/** The jobs that are submitted. */
export const comingJobs = ({ jobs, only }: Pick<Economy, 'jobs' | 'only'>): readonly EconomyJob[] =>
  only ? jobs.filter(({ id }) => only.includes(id)) : jobs
