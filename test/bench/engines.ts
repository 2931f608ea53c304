/** Whole inline runs, on the compiled engine and on XState, in turns: the gain of the engine within a whole run. */

import { parseFlags } from '../../lib/cli/index.ts'
import type { EngineName } from '../../lib/engine/engine.ts'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { flags as marketFlags } from '../../scenarios/bidding/flags.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { setUp as setUpMarket } from '../../scenarios/bidding/setup.ts'
import { flags as economyFlags } from '../../scenarios/economy/flags.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { setUp as setUpEconomy } from '../../scenarios/economy/setup.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import { type Cost, costOf, inTurns, type Measure, median, medianRatio, rate } from './measure.ts'

const EXPLORED = '--tasks 6 --speeds 1,1,2 --clients 2 --latency 1 --load 2'.split(' ')

interface Work {
  readonly what: string
  /** The number of tasks, jobs or schedules. */
  readonly count: number
  /** Takes one sample. */
  readonly side: (engine: EngineName) => Promise<() => Promise<unknown>>
}

const works = (quick: boolean): readonly Work[] => {
  const tasks = quick ? 200 : 2000
  const { model: market } = setUpMarket(parseFlags(marketFlags, ['--tasks', String(tasks)]).options)
  const jobs = quick ? 30 : 200
  const args = ['--processors', '128', '--load', '0.9', '--jobs', String(jobs)]
  const { model: economy } = setUpEconomy(parseFlags(economyFlags, args).options)
  const schedules = quick ? 40 : 300
  return [
    {
      what: 'DSP tasks inline, 5 contractors',
      count: tasks,
      side: async (engine) => () => biddingMarket.run(market, { runtime: 'inline', engine }),
    },
    {
      what: 'jobs of an economy inline, 128 processors',
      count: jobs,
      side: async (engine) => () => economyRun.run(economy, { runtime: 'inline', engine }),
    },
    {
      what: 'schedules of a market of 6 tasks explored',
      count: schedules,
      side: async (engine) => {
        const { specification: stageOf, flags } = scenarioNamed('bidding/market')
        const specification = stageOf(collect(flags, [...EXPLORED, '--engine', engine]).given)
        const baseline = await baselineOf(specification)
        const strategy = strategyOf('random', 'strategy')
        let from = 0
        return () => {
          const until = from + schedules
          const search = { specification, strategy, seed: 1, allowed: [], from, until }
          from = until
          return explore(search, baseline)
        }
      },
    },
  ]
}

export const engines: readonly Measure[] = [
  {
    name: 'engines',
    async run({ repeats, quick }) {
      const rows = []
      for (const { what, count, side } of works(quick)) {
        const sides = await Promise.all((['compiled', 'xstate'] as const).map(side))
        const costed = sides.map((run) => async (): Promise<Cost> => costOf(async () => void (await run())))
        const costs = await inTurns(repeats, ...costed)
        const [ours = [], other = []] = costs.map((samples) => samples.map(({ cpuMs }) => cpuMs))
        rows.push({
          name: `${what}, per second of CPU (other: on xstate)`,
          ours: rate(count, median(ours)),
          other: rate(count, median(other)),
          // the ratio of rates is the inverse of the ratio of times
          ratio: medianRatio(other, ours),
        })
      }
      return rows
    },
  },
]
