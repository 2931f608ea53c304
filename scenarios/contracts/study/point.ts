/** One run of the paper's site, in a process of its own: plain data in, plain data out. A study of `sweep`. */
import type { Heuristic } from '../../../actors/contracts/ranks.ts'
import type { Preemption } from '../../../actors/contracts/terms.ts'
import { toUnits } from '../../../lib/actor.ts'
import { isObject, type Plain } from '../../../lib/core/data.ts'
import { numberIn } from '../../../lib/core/decode.ts'
import type { SystemOptions } from '../../../lib/system.ts'
import { requireKept } from '../../promises.ts'
import type { Market } from '../model.ts'
import { type MarketRun, runMarket } from '../one-run.ts'
import { generateTasks, type Mix } from '../workload/generate.ts'

/** What a run's result depends on. */
export type Point = {
  readonly seed: number
  readonly tasks: number
  /** Of the one site. */
  readonly processors: number
  readonly load: number
  readonly mix: Mix
  readonly heuristic: Heuristic
  readonly preempt: Preemption
  /** The least slack of a task that is taken on, in units; null: all are. */
  readonly threshold: number | null
}

/** The site and its workload. Rounds take no time, so no offer is out of date when it is awarded. */
export function marketOf(point: Point): Market {
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

export type Ran = {
  /** Dollars that the tasks were worth when they were done: section 5 has no contracts, so it is not what was paid. */
  readonly yield: number
  /** Dollars that all tasks would have been worth without delay, taken on or not. */
  readonly offered: number
  /** Yield for each unit from the first arrival to the last finish; 0 if nothing was done. */
  readonly rate: number
  /** Share of the tasks that were taken on. */
  readonly accepted: number
  readonly messages: number
}

/** @throws Error if a promise was broken, somebody died or a task that was taken on was not done */
export function measuresOf({ tasks }: Pick<Market, 'tasks'>, run: MarketRun): Ran {
  const { ledger, messages } = run
  requireKept(run)
  let [sum, last, accepted] = [0, 0, 0]
  for (const story of ledger.tasks.values()) {
    if (story.site === null) continue
    if (story.finish === null || story.yield === null) throw new Error(`task ${story.task} was not done`)
    sum += story.yield
    last = Math.max(last, story.finish)
    accepted += 1
  }
  const first = tasks[0]?.arrival ?? 0
  return {
    yield: sum,
    offered: tasks.reduce((total, { worth }) => total + worth.value, 0),
    rate: accepted > 0 ? sum / toUnits(last - first) : 0,
    accepted: tasks.length > 0 ? accepted / tasks.length : 0,
    messages,
  }
}

/** Throws as `measuresOf`. */
export async function runPoint(point: Point, runtime: SystemOptions['runtime'] = 'inline'): Promise<Ran> {
  const market = marketOf(point)
  return measuresOf(market, await runMarket(market, { seed: point.seed, runtime }))
}

/** In percent of what the other yields, without its sign: beyond any bound where that is near 0. */
export const improvement = (own: Ran, other: Ran): number => (100 * (own.yield - other.yield)) / Math.abs(other.yield)

/** In percent of the value of all tasks. */
export const gainOfOffered = (own: Ran, other: Ran): number => (100 * (own.yield - other.yield)) / own.offered

/** What a process sent back. */
export function ranOf(result: Plain | undefined): Ran {
  if (!isObject(result)) throw new TypeError('a run came to nothing')
  return {
    yield: numberIn(result, 'yield'),
    offered: numberIn(result, 'offered'),
    rate: numberIn(result, 'rate'),
    accepted: numberIn(result, 'accepted'),
    messages: numberIn(result, 'messages'),
  }
}
