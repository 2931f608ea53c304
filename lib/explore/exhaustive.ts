/**
 * Every order that matters. Orders are found by going on from each moment in every way (orders.ts), without a system;
 * then a run is had of each, whose schedule is that order. Runs in which every actor tells the same at the same times
 * are alike to whoever judges them by what is told: of those one is had, unless all are asked for.
 */
import { setImmediate } from 'node:timers/promises'
import { isCount, requireThat } from '../core/check-options.ts'
import type { Specification } from '../scenario/specification.ts'
import { actorSetOf } from './actor-set.ts'
import { execute } from './execution.ts'
import type { Failure } from './explore.ts'
import { ordersOf } from './orders.ts'
import { ReplayScheduler } from './replay-scheduler.ts'
import { Worlds } from './world.ts'

export interface Exhaustive {
  readonly stage: Specification
  /** Have one run of those that tell the same. */
  readonly reduce: boolean
  /** Most times that something else comes first on the way to one order; Infinity for all. */
  readonly depth: number
  /** Most runs; Infinity for all. */
  readonly schedules: number
  /** Aborted when the time is up: what was found until then is given. */
  readonly late?: AbortSignal | undefined
  readonly onRun?: (runs: number) => void
}

export interface Exhausted {
  /** Runs that were had. */
  readonly schedules: number
  /** Orders that were found. */
  readonly orders: number
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly Failure[]
  readonly seen: ReadonlySet<string>
  /** Which bound was reached before everything within the depth had been tried. */
  readonly bound: 'schedules' | 'time' | 'steps' | undefined
}

/** An order that takes more steps may never end. */
export const STEPS_MAX = 1000
const ORDERS_PER_TURN = 64

const requireBound = (name: string, bound: number): void =>
  requireThat(`exhaust: option ${name}`, bound, isCount(bound) || bound === Infinity, 'an integer >= 0 or Infinity')

/**
 * @throws UsageError for a stage whose actors are not all that acts in it, RangeError for an option out of its range
 */
export async function exhaust({ stage, reduce, depth, schedules, late, onRun }: Exhaustive): Promise<Exhausted> {
  requireBound('depth', depth)
  requireBound('schedules', schedules)
  const worlds = new Worlds(await actorSetOf(stage))
  const told = new Set<string>()
  const outcomes = new Map<string, number>()
  const failures: Failure[] = []
  const seen = new Set<string>()
  let orders = 0
  let runs = 0
  let bound: Exhausted['bound']
  for (const { things, end, isCut } of ordersOf(worlds, { depth, steps: STEPS_MAX })) {
    if (orders % ORDERS_PER_TURN === 0) await setImmediate() // so that a signal, and the end of the time, are seen
    if (late?.aborted || runs === schedules) {
      bound = late?.aborted ? 'time' : 'schedules'
      break
    }
    orders++
    if (isCut) bound = 'steps'
    const what = worlds.toldIn(end)
    if (reduce && told.has(what)) continue
    told.add(what)
    const following = new ReplayScheduler(things)
    const { outcome, violations, deviations, ...rest } = await execute(stage, following)
    // mail sent after the cut may be due so early that it cannot wait for what the order has first
    if (!isCut && rest.played.crashes.length === 0) following.requireFollowed()
    runs++
    onRun?.(runs)
    for (const name of rest.seen) seen.add(name)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (violations.length > 0) failures.push({ run: runs - 1, violations, deviations, faults: stage.faults })
  }
  return { schedules: runs, orders, outcomes, failures, seen, bound }
}
