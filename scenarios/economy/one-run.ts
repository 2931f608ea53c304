/** One run of the economy: spawns its actors, runs the system to its end and returns what the oracles saw. */

import type { BankInput } from '../../actors/economy/bank.ts'
import type { SchedulerTerms } from '../../actors/economy/scheduler-state.ts'
import type { UserInput, UserJob } from '../../actors/economy/user.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { type Hooks, runScenario } from '../../lib/scenario/run-scenario.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import type { Watched } from '../promises.ts'
import { BANK, comingJobs, type Economy, processorsOf, SCHEDULER } from './model.ts'
import type { Audit } from './oracle/audit.ts'
import type { Ledger } from './oracle/ledger.ts'
import { type Money, Watch } from './oracle.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

function jobsByUser(economy: Economy): ReadonlyMap<string, readonly UserJob[]> {
  const byUser = new Map<string, UserJob[]>(Object.keys(economy.users).map((user) => [user, []]))
  for (const { id, user, class: l, arrival, processors, service, actual = service, deposit } of comingJobs(economy)) {
    byUser.get(user)?.push({ job: id, class: l, arrival, processors, service, work: actual, deposit })
  }
  return byUser
}

/** Spawns all actors. */
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

export interface EconomyRun extends Watched {
  readonly ledger: Ledger
  readonly money: Money
  /** The audit of the money; null: nothing is paid. */
  readonly audit: Audit | null
}

/** Runs an economy until nothing is left to do, and stops it. A job counts as done when its user hears of the end. */
export async function runEconomy(
  economy: Economy,
  options: SystemInit,
  faults: readonly Fault[] = [],
  hooks: Hooks = {},
): Promise<EconomyRun> {
  const watch = new Watch(economy, options, faults)
  const played = await runScenario({
    ...hooks,
    options,
    faults,
    open: async (system) => {
      listen(system, watch)
      await open(system, economy)
    },
    isDone: ({ type }) => type === 'heard',
  })
  const { ledger, money, audit } = watch
  return { ledger, money, audit, broken: watch.broken(played), ...played }
}
