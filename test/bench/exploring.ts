/**
 * How many schedules a second one core explores of the market of two clients, three contractors and six tasks, and what
 * it costs to check its promises: the same runs with and without, in turns.
 */
import { collect } from '../../lib/cli/flags.ts'
import { parseFlags } from '../../lib/cli.ts'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import type { Stage } from '../../lib/explore/stage.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { flags } from '../../scenarios/bidding/flags.ts'
import { addressesOf, open, runMarket } from '../../scenarios/bidding/run.ts'
import { setUp } from '../../scenarios/bidding/setup.ts'
import { explorableOf } from '../../scenarios/lab/stages.ts'
import { mailboxes } from './floors.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio } from './measure.ts'

const ARGS = '--tasks 6 --speeds 1,1,2 --clients 2 --latency 1 --load 2'.split(' ')

/** A second, on one core. */
const ASKED = 5_000

/** The same runs, and nobody looks. */
function unwatched(stage: Stage): Stage {
  const { market } = setUp(parseFlags(flags, ARGS).options)
  return {
    ...{ ...stage, addresses: addressesOf(market) },
    open: async (system) => {
      await open(system, market)
      return { outcome: () => '', violations: () => [] }
    },
  }
}

async function rows(repeats: number, quick: boolean) {
  const { stage: stageOf, flags: known } = explorableOf('bidding/market')
  const stage = stageOf(collect(known, ARGS).given)
  const schedules = quick ? 40 : 300
  const sides = await Promise.all(
    [stage, unwatched(stage)].map(async (one) => {
      const baseline = await baselineOf(one)
      let from = 0
      return async (): Promise<Cost> => {
        const until = from + schedules
        const search = { stage: one, strategy: strategyOf('random', 'strategy'), seed: 1, allowed: [], from, until }
        from = until
        return costOf(async () => {
          await explore(search, baseline)
        })
      }
    }),
  )
  const { market } = setUp(parseFlags(flags, ARGS).options)
  const { messages } = await runMarket(market, { runtime: 'inline' })
  const passed = mailboxes()
  const costs = await inTurns(2 * repeats, ...sides, () => passed(messages * schedules))
  const [checked = [], bare = [], mailed = []] = costs.map((side) => side.map(({ cpuMs }) => cpuMs))
  const rate = (cpu: readonly number[]) => (schedules / median(cpu)) * 1000
  return [
    {
      name: 'schedules of a market of 6 tasks explored per second of CPU',
      ours: digits(rate(checked)),
      other: `${ASKED}, as asked for`,
      ratio: rate(checked) / ASKED,
      target: { least: 1 },
    },
    {
      name: `  its ${messages} messages through a mailbox, and nothing else`,
      ours: digits(rate(mailed)),
      other: String(ASKED),
      ratio: rate(mailed) / ASKED,
    },
    {
      name: 'schedule explored with promises checked (other: unchecked)',
      ours: `${digits((median(checked) / schedules) * 1000)} us CPU`,
      other: `${digits((median(bare) / schedules) * 1000)} us CPU`,
      ratio: medianRatio(checked, bare),
      target: { most: 1.05 },
    },
  ]
}

export const exploring: readonly Measure[] = [{ name: 'exploring', run: ({ repeats, quick }) => rows(repeats, quick) }]
