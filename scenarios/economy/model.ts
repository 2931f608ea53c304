/** The model of a run: a parallel machine with its processors, scheduler and users, a bank if jobs are paid, and their actors. */
import type { Holder } from '../../actors/economy/accounts.ts'
import type { BankInput } from '../../actors/economy/bank.ts'
import type { PerClass, ToBank, ToScheduler } from '../../actors/economy/messages.ts'
import type { SchedulerTerms } from '../../actors/economy/scheduler-state.ts'
import type { Policy, Sharing } from '../../actors/economy/terms.ts'
import type { UserInput, UserJob } from '../../actors/economy/user.ts'
import type { ToProcessor } from '../../actors/processor/messages.ts'
import { type Address, type Ref, ref, type Time } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import type { EconomyJob } from './workload/job.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

/** The bank and the scheduler share a machine, so no network lies between them. */
export const SCHEDULER: Ref<ToScheduler> = ref('scheduler@hub')
export const BANK: Ref<ToBank> = ref('bank@hub')

/** An economy: its processors, its policy, and its users with their jobs. */
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
}

interface BankTerms {
  readonly sharing: Sharing
  readonly statistics: BankInput['statistics']
}

export interface UserTerms extends Holder {
  /** The wanted ratios of the slowdowns of the classes; null: the coefficients stay as they are. */
  readonly targets: PerClass | null
}

export const processorsOf = ({ processors }: Pick<Economy, 'processors'>): Ref<ToProcessor>[] =>
  Array.from({ length: processors }, (_, i) => ref(`processor@p${i + 1}`))

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

function jobsByUser(economy: Economy): ReadonlyMap<string, readonly UserJob[]> {
  const byUser = new Map<string, UserJob[]>(Object.keys(economy.users).map((user) => [user, []]))
  for (const { id, user, class: l, arrival, processors, service, actual = service, deposit } of comingJobs(economy)) {
    byUser.get(user)?.push({ job: id, class: l, arrival, processors, service, work: actual, deposit })
  }
  return byUser
}

/** Spawns all actors. */
export async function open(system: System, economy: Economy, actors: URL = ACTORS): Promise<void> {
  const { policy, market, users, patience, durable, overrun } = economy
  const processors = processorsOf(economy)
  const caution = { patience, durable }
  const bank = market ? BANK : null
  const at = (module: string) => new URL(module, actors)
  const spawns = processors.map((address) => system.spawn(address, at('processor/processor.ts'), { speed: 1 }))
  if (market) {
    const input: BankInput = { users, durable, scheduler: SCHEDULER, ...market }
    spawns.push(system.spawn(BANK, at('economy/bank.ts'), input))
  }
  const terms: SchedulerTerms = { policy, processors, bank, overrun, ...caution }
  spawns.push(system.spawn(SCHEDULER, at('economy/scheduler.ts'), terms))
  const jobs = jobsByUser(economy)
  for (const [user, { coefficients, targets }] of Object.entries(users)) {
    const input: UserInput = {
      ...caution,
      bank,
      coefficients,
      targets,
      scheduler: SCHEDULER,
      jobs: jobs.get(user) ?? [],
    }
    spawns.push(system.spawn(`user@${user}`, at('economy/user.ts'), input))
  }
  await Promise.all(spawns)
}
