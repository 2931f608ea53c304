import type { Audit } from '../../actors/economy/audit.ts'
import type { BankInput } from '../../actors/economy/bank.ts'
import type { SchedulerTerms } from '../../actors/economy/desk.ts'
import type { Ledger } from '../../actors/economy/ledger.ts'
import type { UserInput, UserJob } from '../../actors/economy/user.ts'
import { lostForGood } from '../../lib/explore/losses.ts'
import type { Violation } from '../../lib/explore/stage.ts'
import type { Fault } from '../../lib/faults/faults.ts'
import { type Played, play } from '../../lib/play.ts'
import type { GivenOptions, System } from '../../lib/system.ts'
import { BANK, comingJobs, type Economy, processorsOf, SCHEDULER } from './economy.ts'
import type { Money } from './money.ts'
import { Watch } from './watch.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

function jobsByUser(economy: Economy): ReadonlyMap<string, readonly UserJob[]> {
  const byUser = new Map<string, UserJob[]>(Object.keys(economy.users).map((user) => [user, []]))
  for (const { id, user, class: l, arrival, processors, service, actual = service, deposit } of comingJobs(economy)) {
    byUser.get(user)?.push({ job: id, class: l, arrival, processors, service, work: actual, deposit })
  }
  return byUser
}

/** Spawns everybody. */
export async function open(system: System, economy: Economy): Promise<void> {
  const { policy, market, users, patience, durable, overrun, actors = ACTORS } = economy
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

export interface EconomyRun extends Played {
  readonly ledger: Ledger
  readonly money: Money
  /** Null: nothing is paid. */
  readonly audit: Audit | null
  /** Promises that were broken, to jobs or about money. */
  readonly broken: readonly Violation[]
}

export interface Hooks {
  /** Called with the system as soon as there is one, so that an interrupt can stop it. */
  readonly onSystem?: (system: System) => void
  /** Called when a job is over. */
  readonly onDone?: (done: number) => void
}

/** Runs an economy until nothing is left to do, and stops it. */
export async function runEconomy(
  economy: Economy,
  options: GivenOptions,
  faults: readonly Fault[] = [],
  { onSystem, onDone }: Hooks = {},
): Promise<EconomyRun> {
  const watch = new Watch(economy, options, faults)
  let done = 0
  const played = await play({
    ...{ options, faults, onSystem },
    open: async (system) => {
      system.onFact((fact, { who, at }) => {
        watch.fold(fact, who, at)
        if (fact.type === 'heard') onDone?.(++done)
      })
      system.onDeath(({ address }) => watch.died(address))
      await open(system, economy)
    },
  })
  const { end, dead } = played
  const broken = watch.broken({ isIdle: end.ended === 'idle', dead, lost: lostForGood(played) })
  const { ledger, money, audit } = watch
  return { ledger, money, audit, broken, ...played }
}
