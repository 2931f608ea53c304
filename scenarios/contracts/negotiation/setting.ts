/**
 * The market of the negotiation study: two sites with a threshold, one that accepts every task, and one with a threshold that
 * dies for good when a third of the tasks have arrived. All clients ask through one broker, whose rounds overlap, so an offer
 * may no longer hold when its award comes.
 */
import type { Stale } from '../../../actors/contracts/terms.ts'
import { type Time, units } from '../../../lib/actor.ts'
import type { Fault } from '../../../lib/scenario/faults.ts'
import type { System, SystemInit } from '../../../lib/system.ts'
import { type ContractsMarket, siteOf } from '../model.ts'
import { sum } from '../results.ts'
import { type ContractsRun, contractsRun } from '../run.ts'
import { firstReward } from '../study/point.ts'
import { generateTasks } from '../workload/generate.ts'
import { FIGURES_6_AND_7 } from '../workload/mixes.ts'

/** The kind of each site. */
export const SITES = ['careful', 'careful', 'takes all', 'dies'] as const

const PROCESSORS = 2
const CLIENTS = 3
/** The threshold in units of slack: the best one for one processor at such loads (figure 7). */
const THRESHOLD = 180
const CLAIM_CAP = 1000

/** The parameters of one run. */
export interface Setting {
  readonly seed: number
  readonly tasks: number
  readonly load: number
  readonly stale: Stale
  /** The latency of every message. */
  readonly latency: Time
}

export function marketOf({ seed, tasks, load, stale, latency }: Setting): ContractsMarket {
  const way = 2 * latency
  const site = { heuristic: firstReward(0.3), preempt: 0, stale, expiry: null, allowance: way } as const
  return {
    sites: SITES.map((kind) => ({
      ...site,
      processors: PROCESSORS,
      threshold: kind === 'takes all' ? null : THRESHOLD,
    })),
    broker: { preference: 'earliest', rounds: 'all at once', wait: null, rebids: 10 },
    tasks: generateTasks({ seed, tasks, processors: SITES.length * PROCESSORS, load, mix: FIGURES_6_AND_7 }),
    clients: CLIENTS,
    patience: units(10) + 2 * way,
    claimCap: CLAIM_CAP,
  }
}

/** The death of the last site. */
function deathIn({ tasks }: ContractsMarket): Fault {
  const time = tasks[Math.floor(tasks.length / 3)]?.arrival ?? 0
  return { type: 'kill', who: siteOf(SITES.indexOf('dies')), when: { type: 'at', time } }
}

/** The account of a site, in dollars. */
export interface Account {
  readonly taken: number
  readonly late: number
  /** Prices and yields that clients paid. */
  readonly earned: number
  readonly penalties: number
  /** Dollars that the site owes for contracts after it was given up. */
  readonly claims: number
}

/** The outcome of one run. Money is in dollars. */
export interface SettingRun {
  readonly run: ContractsRun
  /** The accounts by site. */
  readonly accounts: readonly Account[]
  /** The value of all tasks without delay, and what clients paid in the end less penalties, in dollars. */
  readonly offered: number
  readonly paid: number
  readonly unplaced: number
  readonly reneged: number
  readonly late: number
}

/** Runs the market with one setting. */
export async function runSetting(
  setting: Setting,
  options: SystemInit,
  onSystem?: (system: System) => void,
): Promise<SettingRun> {
  const market = marketOf(setting)
  const { seed, latency } = setting
  const run = await contractsRun.run(market, { ...options, seed, network: { latency } }, [deathIn(market)], {
    ...(onSystem && { onSystem }),
  })
  const stories = [...run.oracle.ledger.tasks.values()]
  const accounts = SITES.map((_, i): Account => {
    const site = `s${i + 1}`
    const done = stories.filter((story) => story.site === site && story.paid !== null)
    const amounts = done.map(({ paid }) => paid ?? 0)
    const deals = stories.flatMap((story) => story.deals.filter((deal) => deal.site === site))
    return {
      taken: deals.length,
      late: done.filter(({ finish, promised }) => (finish ?? 0) > (promised ?? 0)).length,
      earned: sum(amounts.filter((amount) => amount > 0)),
      penalties: -sum(amounts.filter((amount) => amount < 0)) + 0,
      claims: sum(deals.map(({ claim }) => claim ?? 0)),
    }
  })
  return {
    run,
    accounts,
    offered: sum(market.tasks.map(({ worth }) => worth.value)),
    paid: sum(stories.map(({ paid }) => paid ?? 0)),
    unplaced: stories.filter(({ answer }) => answer === 'unplaced').length,
    reneged: run.oracle.ledger.reneged,
    late: sum(accounts.map((account) => account.late)),
  }
}
