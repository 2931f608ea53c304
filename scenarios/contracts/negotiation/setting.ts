/**
 * The market of the studies of negotiation and detectors: two sites with a threshold, one that accepts every task, and one with a threshold that
 * dies for good when a third of the tasks have arrived. All clients ask through one broker, whose rounds overlap, so an offer
 * may no longer hold when its award comes.
 */
import * as v from 'valibot'
import type { Detector, Stale } from '../../../actors/contracts/terms.ts'
import { type Time, toUnits, units } from '../../../lib/actor.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { sum } from '../../../lib/core/tally.ts'
import type { Fault } from '../../../lib/scenario/faults.ts'
import { checksOf, requireAll } from '../../../lib/scenario/verdict.ts'
import type { System, SystemInit } from '../../../lib/system.ts'
import type { Runner } from '../../study/points.ts'
import { type ContractsMarket, siteOf } from '../model.ts'
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
export type Setting = {
  readonly seed: number
  readonly tasks: number
  readonly load: number
  readonly stale: Stale
  /** The latency of every message. */
  readonly latency: Time
  readonly detector: Detector
}

function marketOf({ seed, tasks, load, stale, latency, detector }: Setting): ContractsMarket {
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
    detector,
  }
}

/** When the last site dies. */
const deathIn = ({ tasks }: ContractsMarket): Time => tasks[Math.floor(tasks.length / 3)]?.arrival ?? 0

/** The account of a site, in dollars. */
const ACCOUNT = v.object({
  taken: v.number(),
  late: v.number(),
  /** Prices and yields that clients paid. */
  earned: v.number(),
  penalties: v.number(),
  /** Dollars that the site owes for contracts after it was given up. */
  claims: v.number(),
})
export type Account = v.InferOutput<typeof ACCOUNT>

/** The outcome of one run. Money is in dollars. */
const SETTING_RUN = v.object({
  /** The accounts by site. */
  accounts: v.array(ACCOUNT),
  /** The value of all tasks without delay, and what clients paid in the end less penalties, in dollars. */
  offered: v.number(),
  paid: v.number(),
  unplaced: v.number(),
  reneged: v.number(),
  late: v.number(),
  messages: v.number(),
  /** How long after the death of a site a client gave up each of its contracts there, in units. */
  givenUpAfter: v.array(v.number()),
  /** Queries of clients and their answers. */
  queries: v.number(),
})
export type SettingRun = v.InferOutput<typeof SETTING_RUN>

/** Runs the market with one setting. */
export async function runSetting(
  setting: Setting,
  options: SystemInit,
): Promise<SettingRun & { readonly run: ContractsRun }> {
  const market = marketOf(setting)
  const { seed, latency } = setting
  const time = deathIn(market)
  const death: Fault = { type: 'kill', who: siteOf(SITES.indexOf('dies')), when: { type: 'at', time } }
  const givenUpAfter: number[] = []
  const onSystem = (system: System): void => {
    system.onFact((fact, { at }) => {
      if (fact.type === 'lost') givenUpAfter.push(toUnits(at - time))
    })
  }
  const count = ['query', 'standing']
  const run = await contractsRun.run(market, { ...options, seed, network: { latency }, count }, [death], { onSystem })
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
      claims: sum(deals, ({ claim }) => claim ?? 0),
    }
  })
  return {
    run,
    accounts,
    offered: sum(market.tasks, ({ worth }) => worth.value),
    paid: sum(stories, ({ paid }) => paid ?? 0),
    unplaced: stories.filter(({ answer }) => answer === 'unplaced').length,
    reneged: run.oracle.ledger.reneged,
    late: sum(accounts, (account) => account.late),
    messages: run.messages,
    givenUpAfter,
    queries: sum(run.messagesByType.values()),
  }
}

/** A setting before its seed, and where its actors run. */
export type Row = Omit<Setting, 'seed'> & { readonly runtime: 'threads' | 'inline' }

/**
 * Runs a point of the study, for `sweep`.
 *
 * @throws Error if a promise was broken
 */
export async function runPoint({ runtime, ...setting }: Row & { readonly seed: number }): Promise<SettingRun> {
  const { run, ...outcome } = await runSetting(setting, { runtime })
  requireAll(checksOf(run))
  return outcome
}

export const runner: Runner<Row, SettingRun> = {
  module: new URL('./setting.ts', import.meta.url),
  costOf: ({ tasks, load }) => tasks * load,
  ranOf: decoderOf(SETTING_RUN),
}
