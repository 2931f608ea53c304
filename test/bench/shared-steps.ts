/**
 * How many steps the schedules of a search have in common with earlier ones, from the first step on. A search that continued from a copy
 * of an earlier state would not take these steps again.
 *
 * ```
 * npx tsx test/bench/shared-steps.ts [SCHEDULES]     default 1000
 * ```
 */
import { nameOfPending, type PendingEventName, type Scheduler } from '../../lib/actor/schedule.ts'
import { requireCount } from '../../lib/core/check-options.ts'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import type { Strategy } from '../../lib/explore/strategies/strategy.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import { MARKET } from './exploring.ts'

/** What the runs so far did next after the same beginning. */
type Tree = Map<string, Tree>

/** Counts the steps of the runs of a strategy, and those whose run had begun as an earlier one until then. */
function counting(strategy: Strategy) {
  const root: Tree = new Map()
  const counts = { steps: 0, shared: 0 }
  const watched: Strategy = (input): Scheduler => {
    const scheduler = strategy(input)
    let tree = root
    let isShared = true
    return {
      outcomeOf: (transmission) => scheduler.outcomeOf(transmission),
      next(choice) {
        const place = scheduler.next(choice)
        const chosen = choice.pending[place]
        const name: PendingEventName | 'held' = chosen ? nameOfPending(chosen) : 'held'
        const decision = `${choice.slot} ${name}`
        const known = tree.get(decision)
        isShared &&= known !== undefined
        if (chosen) {
          counts.steps++
          if (isShared) counts.shared++
        }
        const next: Tree = known ?? new Map()
        if (!known) tree.set(decision, next)
        tree = next
        return place
      },
    }
  }
  return { watched, counts }
}

const [schedules = '1000'] = process.argv.slice(2)
requireCount('the number of schedules', Number(schedules), 1)
const { specification: stageOf, flags } = scenarioNamed('bidding/market')
const specification = stageOf(collect(flags, MARKET).given)
const baseline = await baselineOf(specification)
for (const name of ['portfolio', 'random', 'pos', 'pct:3', 'delay:2']) {
  const strategy = strategyOf(name, 'strategy')
  if (typeof strategy !== 'function') throw new TypeError(`${name} learns from its runs`)
  const { watched, counts } = counting(strategy)
  await explore({ specification, strategy: watched, seed: 1, allowed: [], from: 0, until: Number(schedules) }, baseline)
  const share = ((100 * counts.shared) / counts.steps).toFixed(1)
  console.log(`${name}: ${counts.steps} steps are decided, ${share} % of them as in an earlier run`)
}
