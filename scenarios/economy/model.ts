/** A parallel machine and its economy: processors, a scheduler, a bank if anything is paid, and users. */
import type { Holder } from '../../actors/economy/accounts.ts'
import type { BankInput } from '../../actors/economy/bank.ts'
import type { SchedulerTerms } from '../../actors/economy/desk.ts'
import type { PerClass } from '../../actors/economy/messages.ts'
import type { Policy, Sharing } from '../../actors/economy/terms.ts'
import type { Address, Time } from '../../lib/actor.ts'
import type { EconomyJob } from './workload/job.ts'

/** The bank and the scheduler share a machine: between them there is no network. */
export const SCHEDULER: Address = 'scheduler@hub'
export const BANK: Address = 'bank@hub'

export interface Economy {
  /** One machine each: p1, p2, ... */
  readonly processors: number
  readonly policy: Policy
  /** Null: nothing is paid, and jobs come in the order of their arrival. */
  readonly market: Market | null
  /** By name: u1, u2, ... */
  readonly users: Readonly<Record<string, UserTerms>>
  readonly jobs: readonly EconomyJob[]
  /** How long to wait for an answer before asking again; null: everybody lives and nothing is lost. */
  readonly patience: Time | null
  /** Do bank, scheduler and users write down what a later incarnation needs? */
  readonly durable: boolean
  readonly overrun: SchedulerTerms['overrun']
  /** The only jobs that come, by their ids; default all. */
  readonly only?: readonly number[]
  /** A copy of `actors/`, to be run in its place. */
  readonly actors?: URL | undefined
}

export interface Market {
  readonly sharing: Sharing
  readonly statistics: BankInput['statistics']
}

export interface UserTerms extends Holder {
  /** Ratios of the slowdowns that he wants of his classes; null: leaves his coefficients as they are. */
  readonly targets: PerClass | null
}

export const processorsOf = ({ processors }: Pick<Economy, 'processors'>): Address[] =>
  Array.from({ length: processors }, (_, i) => `processor@p${i + 1}` as const)

/** In spawn order: whoever is told something first is there first. */
export const addressesOf = (economy: Pick<Economy, 'processors' | 'market' | 'users'>): Address[] => [
  ...processorsOf(economy),
  ...(economy.market ? [BANK] : []),
  SCHEDULER,
  ...Object.keys(economy.users).map((user): Address => `user@${user}`),
]

/** The jobs that come. */
export const comingJobs = ({ jobs, only }: Pick<Economy, 'jobs' | 'only'>): readonly EconomyJob[] =>
  only ? jobs.filter(({ id }) => only.includes(id)) : jobs
