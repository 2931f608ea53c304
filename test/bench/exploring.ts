/**
 * The schedules per second that one core explores, in the market of two clients, three contractors and six tasks, and what it costs to
 * check its promises and to watch for steps that never end: the same runs with and without them, in turns. The blocks of a search are not
 * watched at first, and the function `explore` always is. Also the orders of two tasks per second that
 * `exhaustive` finds, which continues the machines from every state; it runs one in 27 of them.
 */

import { parseFlags } from '../../lib/cli/index.ts'
import { actorSetOf } from '../../lib/explore/exhaustive.ts'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { ordersOf } from '../../lib/explore/orders.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { Worlds } from '../../lib/explore/world.ts'
import { replacedOnce } from '../../lib/runtime/step-purity.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { bounded, type Specification } from '../../lib/scenario/specification.ts'
import { System } from '../../lib/system.ts'
import { flags } from '../../scenarios/bidding/flags.ts'
import { addressesOf, open } from '../../scenarios/bidding/model.ts'
import { setUp } from '../../scenarios/bidding/setup.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import { mailboxes, stepsOf } from './floors.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio } from './measure.ts'

/** The flags of the small market. */
export const MARKET = '--tasks 6 --speeds 1,1,2 --clients 2 --latency 1 --load 2'.split(' ')

const SMALL = '--tasks 2 --speeds 1,1,2 --clients 2 --latency 1'.split(' ')

/** The targets per second on one core: predicted orders, and runs. */
const ASKED = { orders: 5_000, runs: 2_500 }

/** The same runs without any checks. */
function unchecked(specification: Specification): Specification {
  const { model: market } = setUp(parseFlags(flags, MARKET).options)
  return {
    ...specification,
    addresses: addressesOf(market),
    open: async (system) => {
      await open(system, market)
      return { outcome: () => '', violations: () => [] }
    },
  }
}

async function orderRow(repeats: number, quick: boolean) {
  const { specification, flags: known } = scenarioNamed('bidding/market')
  const cast = await actorSetOf(specification(collect(known, SMALL).given))
  const wanted = quick ? 2000 : 20_000
  const found = async (): Promise<Cost> =>
    costOf(() => {
      let orders = 0
      const bounds = { depth: Number.POSITIVE_INFINITY, steps: 100_000 }
      for (const _ of ordersOf(new Worlds(cast), bounds)) if (++orders >= wanted) break
    })
  const [costs = []] = await inTurns(repeats, found)
  const rate = (wanted / median(costs.map(({ cpuMs }) => cpuMs))) * 1000
  return {
    name: 'orders of a market of 2 tasks predicted per second of CPU',
    ours: digits(rate),
    other: `${ASKED.orders}, as asked for`,
    ratio: rate / ASKED.orders,
    target: { least: 1 },
  }
}

async function rows(repeats: number, quick: boolean) {
  const { specification: stageOf, flags: known } = scenarioNamed('bidding/market')
  const watched = stageOf(collect(known, MARKET).given)
  const specification = bounded(watched, { isWatched: false })
  const schedules = quick ? 40 : 300
  const sides = await Promise.all(
    [specification, unchecked(specification), watched].map(async (one) => {
      const baseline = await baselineOf(one)
      let from = 0
      return async (): Promise<Cost> => {
        const until = from + schedules
        const search = {
          specification: one,
          strategy: strategyOf('random', 'strategy'),
          seed: 1,
          allowed: [],
          from,
          until,
        }
        from = until
        return costOf(async () => {
          await explore(search, baseline)
        })
      }
    }),
  )
  const { model: market } = setUp(parseFlags(flags, MARKET).options)
  const system = new System({ runtime: 'inline', record: true })
  await open(system, market)
  await system.run()
  await system.stop()
  const { messages } = system
  const passed = mailboxes()
  const steps = await stepsOf(system.recorded())
  const setUpAll = (): Promise<Cost> =>
    costOf(() =>
      replacedOnce(async () => {
        for (let i = 0; i < schedules; i++) {
          const idle = new System({ ...specification.options, actors: addressesOf(market).length, runtime: 'inline' })
          await specification.open(idle)
          await idle.stop()
        }
      }),
    )
  const floors = [() => passed(messages * schedules), () => steps.take(steps.count * schedules), setUpAll]
  const costs = await inTurns(2 * repeats, ...sides, ...floors)
  const [checked = [], bare = [], guarded = [], mailed = [], stepped = [], idle = []] = costs.map((side) =>
    side.map(({ cpuMs }) => cpuMs),
  )
  const rate = (cpu: readonly number[]) => (schedules / median(cpu)) * 1000
  return [
    await orderRow(repeats, quick),
    {
      name: 'schedules of a market of 6 tasks explored per second of CPU',
      ours: digits(rate(checked)),
      other: `${ASKED.runs}, as asked for`,
      ratio: rate(checked) / ASKED.runs,
      target: { least: 1 },
    },
    {
      name: `  its ${messages} messages through a mailbox, and nothing else`,
      ours: digits(rate(mailed)),
      other: String(ASKED.runs),
      ratio: rate(mailed) / ASKED.runs,
    },
    {
      name: `  its ${steps.count} steps by the machines alone`,
      ours: digits(rate(stepped)),
      other: String(ASKED.runs),
      ratio: rate(stepped) / ASKED.runs,
    },
    {
      name: '  its systems opened and stopped, and nothing run',
      ours: digits(rate(idle)),
      other: String(ASKED.runs),
      ratio: rate(idle) / ASKED.runs,
    },
    {
      name: 'schedule explored with promises checked (other: unchecked)',
      ours: `${digits((median(checked) / schedules) * 1000)} us CPU`,
      other: `${digits((median(bare) / schedules) * 1000)} us CPU`,
      ratio: medianRatio(checked, bare),
    },
    {
      name: 'schedule explored with its steps watched (other: not watched)',
      ours: `${digits((median(guarded) / schedules) * 1000)} us CPU`,
      other: `${digits((median(checked) / schedules) * 1000)} us CPU`,
      ratio: medianRatio(guarded, checked),
    },
  ]
}

export const exploring: readonly Measure[] = [{ name: 'exploring', run: ({ repeats, quick }) => rows(repeats, quick) }]
