/**
 * Every order that matters: each run shows which neighbouring steps of an actor could have come the other way round,
 * and each of those is another run, until nothing new comes (stateless exploration by reversing races, as in Flanagan
 * and Godefroid 2005). What commutes is not reversed; the two schedules of a run that differ in the order of actors
 * alone are one schedule from the start.
 *
 * Times are not compared: two orders that commute at one instant count as one, though a run may go on a little later
 * under the other. That this loses no outcome is a matter of measurement: `reduce: false` reverses every pair.
 */

import { Replay, type Replayed } from '../replay/replay.ts'
import type { Hold, ThingName } from '../schedule.ts'
import { Holding } from '../schedule.ts'
import { lifeName, type Run, thingOf } from '../trace/run.ts'
import type { Failure } from './explore.ts'
import { differenceOf } from './races.ts'
import type { Stage } from './stage.ts'
import { asRival, Swaps } from './swaps.ts'
import { traced } from './traced.ts'

export interface Exhaustive {
  readonly stage: Stage
  /** Reverse only what does not commute. */
  readonly reduce: boolean
  /** Most reversals on the way to one schedule; Infinity for all. */
  readonly depth: number
  /** Most runs. */
  readonly schedules: number
  readonly onRun?: (runs: number) => void
}

export interface Exhausted {
  readonly schedules: number
  /** Distinct schedules: of two runs of one order the second counts for nothing. */
  readonly orders: number
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly Failure[]
  /** Which bound was reached before everything within the depth had been tried. */
  readonly bound: 'schedules' | undefined
}

interface Asked {
  readonly holds: ReadonlyMap<ThingName, number>
  readonly depth: number
}

export async function exhaust({ stage, reduce, depth, schedules, onRun }: Exhaustive): Promise<Exhausted> {
  const asked = new Set<string>()
  const orders = new Set<string>()
  const outcomes = new Map<string, number>()
  const failures: Failure[] = []
  const queue: Asked[] = [{ holds: new Map(), depth: 0 }]
  let runs = 0
  for (let next = queue.shift(); next && runs < schedules; next = queue.shift()) {
    const { attempt, replay } = await lived(stage, next.holds)
    runs++
    onRun?.(runs)
    const order = orderOf(replay.run)
    if (orders.has(order)) continue
    orders.add(order)
    const { outcome, violations, deviations } = attempt
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (violations.length > 0) failures.push({ run: runs - 1, violations, deviations, faults: stage.faults })
    if (next.depth >= depth) continue
    for (const reversal of reversalsIn(replay, reduce)) {
      const holds = withHolds(next.holds, reversal)
      const name = JSON.stringify([...holds].sort())
      if (asked.has(name)) continue
      asked.add(name)
      queue.push({ holds, depth: next.depth + 1 })
    }
  }
  const bound = queue.length > 0 ? 'schedules' : undefined
  return { schedules: runs, orders: orders.size, outcomes, failures, bound }
}

async function lived(stage: Stage, holds: ReadonlyMap<ThingName, number>) {
  const list = [...holds].map(([thing, until]) => ({ thing, until }))
  const attempt = await traced(stage, new Holding({ holds: list, lost: [], doubled: [] }))
  return { attempt, replay: await Replay.open(attempt.trace) }
}

/**
 * What gives each other order: a step comes before the nearest earlier one of its life that it does not commute with,
 * and so before all between the two.
 */
function* reversalsIn(replay: Replay, reduce: boolean): Generator<readonly Hold[]> {
  const swaps = new Swaps(replay.run)
  const lives = new Map<string, Replayed[]>()
  for (const later of replay) {
    const life = lifeName(later.step)
    const before = lives.get(life) ?? []
    lives.set(life, [...before, later])
    for (let i = before.length - 1; i >= 0; i--) {
      const earlier = before[i]
      if (!earlier || !swaps.areOpen(earlier, later)) break
      const rival = asRival(later)
      if (!rival || (reduce && !differenceOf(earlier, rival, replay))) continue
      const until = earlier.step.n + 1
      yield before.slice(i).map(({ step }) => ({ thing: thingOf(step), until }))
      break
    }
  }
}

const withHolds = (holds: ReadonlyMap<ThingName, number>, more: readonly Hold[]): ReadonlyMap<ThingName, number> => {
  const all = new Map(holds)
  for (const { thing, until } of more) all.set(thing, Math.max(until, all.get(thing) ?? 0))
  return all
}

/**
 * What is the same of all runs that differ by the order of what commutes: what was sent, by whom and to whom, in the
 * order of each pair, and where every actor ended.
 */
function orderOf({ lives }: Run): string {
  const pairs = lives.map((life) => {
    const sent = new Map<string, string[]>()
    for (const step of life.steps) {
      for (const { to, message } of step.sends) sent.set(to, [...(sent.get(to) ?? []), JSON.stringify(message)])
    }
    return [lifeName(life), life.steps.at(-1)?.state ?? null, [...sent].sort()]
  })
  return JSON.stringify(pairs)
}
