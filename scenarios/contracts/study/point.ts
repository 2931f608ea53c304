/** One run of the paper's site, for `sweep`: plain data in, plain data out. */
import * as v from 'valibot'
import type { Heuristic } from '../../../actors/contracts/ranks.ts'
import type { Preemption } from '../../../actors/contracts/terms.ts'
import { toUnits } from '../../../lib/actor.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { sum } from '../../../lib/core/tally.ts'
import { requireKept } from '../../../lib/scenario/verdict.ts'
import type { SystemOptions } from '../../../lib/system.ts'
import type { ContractsMarket } from '../model.ts'
import { type ContractsRun, contractsRun } from '../run.ts'
import { generateTasks, type Mix } from '../workload/generate.ts'

/** All that the result of a run depends on. */
export type Point = {
  readonly seed: number
  readonly tasks: number
  /** The processors of the one site. */
  readonly processors: number
  readonly load: number
  readonly mix: Mix
  readonly heuristic: Heuristic
  readonly preempt: Preemption
  /** The least slack, in units, of a task that the site accepts; null: it accepts all. */
  readonly threshold: number | null
}

/** The site and its workload. Rounds take no time, so no offer is out of date when it is awarded. */
export function marketOf(point: Point): ContractsMarket {
  const { seed, tasks, processors, load, mix, heuristic, preempt, threshold } = point
  const terms = { heuristic, preempt, threshold }
  return {
    sites: [{ ...terms, processors, stale: 'honour', expiry: null, allowance: 0 }],
    broker: { preference: 'earliest', rounds: 'one by one', wait: null, rebids: 0 },
    tasks: generateTasks({ seed, tasks, processors, load, mix }),
    patience: null,
    claimCap: 0,
  }
}

/** The measures of a run. */
const RAN = v.object({
  /** The yields in dollars when the tasks were done. Section 5 has no contracts, so these are not the payments. */
  yield: v.number(),
  /** The value of all tasks without delay in dollars, whether accepted or not. */
  offered: v.number(),
  /** Yield for each unit from the first arrival to the last finish; 0 if nothing was done. */
  rate: v.number(),
  /** The share of the tasks that were accepted. */
  accepted: v.number(),
  messages: v.number(),
})
export type Ran = v.InferOutput<typeof RAN>

/**
 * Computes the measures of a run.
 *
 * @throws Error if an invariant was violated, an actor crashed or an accepted task was not done
 */
export function measuresOf({ tasks }: Pick<ContractsMarket, 'tasks'>, run: ContractsRun): Ran {
  const { oracle, messages } = run
  requireKept(run)
  let [total, last, accepted] = [0, 0, 0]
  for (const story of oracle.ledger.tasks.values()) {
    if (story.site === null) continue
    if (story.finish === null || story.yield === null) throw new Error(`task ${story.task} was not done`)
    total += story.yield
    last = Math.max(last, story.finish)
    accepted += 1
  }
  const first = tasks[0]?.arrival ?? 0
  return {
    yield: total,
    offered: sum(tasks, ({ worth }) => worth.value),
    rate: accepted > 0 ? total / toUnits(last - first) : 0,
    accepted: tasks.length > 0 ? accepted / tasks.length : 0,
    messages,
  }
}

/**
 * Runs a point.
 *
 * @throws Error as `measuresOf` does
 */
export async function runPoint(point: Point, runtime: SystemOptions['runtime'] = 'inline'): Promise<Ran> {
  const market = marketOf(point)
  return measuresOf(market, await contractsRun.run(market, { seed: point.seed, runtime }))
}

/** The improvement in percent of the other yield, without its sign. It is unbounded where that yield is near 0. */
export const improvement = (own: Ran, other: Ran): number => (100 * (own.yield - other.yield)) / Math.abs(other.yield)

/** The improvement in percent of the value of all tasks. */
export const gainOfOffered = (own: Ran, other: Ran): number => (100 * (own.yield - other.yield)) / own.offered

/** Decodes the measures from another process or a file. */
export const ranOf = decoderOf(RAN)

/** FirstPrice, which uses neither discount nor cost. */
export const FIRST_PRICE: Heuristic = { name: 'FirstPrice', alpha: 0, discount: 0 }

/** FirstReward as in figures 4 to 7. */
export const firstReward = (alpha: number): Heuristic => ({ name: 'FirstReward', alpha, discount: 0.01 })
