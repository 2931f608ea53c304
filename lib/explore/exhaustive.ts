/**
 * Every order that matters: each run shows which neighbouring steps of an actor could have come the other way round,
 * and each of those is another run, until nothing new comes (stateless exploration by reversing races, as in Flanagan
 * and Godefroid 2005). What commutes is not reversed, if it does so with and without what came in between; the two
 * schedules of a run that differ in the order of actors alone are one schedule from the start.
 *
 * Times are not compared: two orders that commute at one instant count as one, though a run may go on a little later
 * under the other. That this loses no outcome is a matter of measurement: `reduce: false` reverses every pair.
 */

import { setImmediate } from 'node:timers/promises'
import { numberIn } from '../fields.ts'
import { Replay, type Replayed } from '../replay/replay.ts'
import type { State } from '../replay/replica.ts'
import type { Hold, ThingName } from '../schedule.ts'
import { Holding } from '../schedule.ts'
import { lifeName, type Run, thingOf } from '../trace/run.ts'
import { commute, handle, type Moment, type Occurrence } from './commute.ts'
import type { Failure } from './explore.ts'
import type { Stage } from './stage.ts'
import { occurrenceOf, Swaps } from './swaps.ts'
import { traced } from './traced.ts'

export interface Exhaustive {
  readonly stage: Stage
  /** Reverse only what does not commute. */
  readonly reduce: boolean
  /** Most reversals on the way to one schedule; Infinity for all. */
  readonly depth: number
  /** Most runs. */
  readonly schedules: number
  /** Aborted when the time is up: what was found until then is given. */
  readonly late?: AbortSignal | undefined
  readonly onRun?: (runs: number) => void
}

export interface Exhausted {
  readonly schedules: number
  /** Distinct schedules: of two runs of one order the second counts for nothing. */
  readonly orders: number
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly Failure[]
  readonly seen: ReadonlySet<string>
  /** Which bound was reached before everything within the depth had been tried. */
  readonly bound: 'schedules' | 'time' | undefined
}

interface Asked {
  readonly holds: ReadonlyMap<ThingName, number>
  readonly depth: number
}

export async function exhaust({ stage, reduce, depth, schedules, late, onRun }: Exhaustive): Promise<Exhausted> {
  const asked = new Set<string>()
  const orders = new Set<string>()
  const outcomes = new Map<string, number>()
  const failures: Failure[] = []
  const seen = new Set<string>()
  const queue: Asked[] = [{ holds: new Map(), depth: 0 }]
  let runs = 0
  while (runs < schedules && !late?.aborted) {
    const next = queue.shift()
    if (!next) break
    const { attempt, replay } = await lived(stage, next.holds)
    runs++
    onRun?.(runs)
    const order = orderOf(replay.run)
    if (orders.has(order)) continue
    orders.add(order)
    const { outcome, violations, deviations } = attempt
    for (const name of attempt.seen) seen.add(name)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (violations.length > 0) failures.push({ run: runs - 1, violations, deviations, faults: stage.faults })
    if (next.depth >= depth) continue
    for (const reversal of reversalsIn(replay, reduce)) {
      await setImmediate() // so that a signal, and the end of the time, are seen
      if (late?.aborted) break
      const holds = withHolds(next.holds, reversal)
      const name = JSON.stringify([...holds].sort())
      if (asked.has(name)) continue
      asked.add(name)
      queue.push({ holds, depth: next.depth + 1 })
    }
  }
  const bound = late?.aborted ? 'time' : queue.length > 0 ? 'schedules' : undefined
  return { schedules: runs, orders: orders.size, outcomes, failures, seen, bound }
}

async function lived(stage: Stage, holds: ReadonlyMap<ThingName, number>) {
  const list = [...holds].map(([thing, until]) => ({ thing, until }))
  const attempt = await traced(stage, new Holding({ holds: list, lost: [], doubled: [] }))
  return { attempt, replay: await Replay.open(attempt.trace) }
}

/**
 * What gives each other order: of two steps of a life that depend on each other directly the later comes first, with
 * all in between that does not depend on the earlier one; and a timer goes off before the step that called it off.
 */
function* reversalsIn(replay: Replay, reduce: boolean): Generator<readonly Hold[]> {
  const swaps = new Swaps(replay.run)
  const lives = new Map<string, Replayed[]>()
  for (const later of replay) {
    const life = lifeName(later.step)
    const steps = lives.get(life) ?? []
    lives.set(life, [...steps, later])
    if (swaps.rivalOf(later, undefined)) yield [holdOf(later, later.step.n + 1)]
  }
  const seed = numberIn(replay.trace.head, 'seed')
  for (const steps of lives.values()) {
    for (const [place, first] of steps.entries()) {
      const { before, step } = first
      if (!before) continue
      if (reduce) yield* reversalsOf(first, before, steps.slice(place + 1), swaps, seed)
      else {
        const next = steps[place + 1]
        if (next && swaps.areOpen(first, next)) yield [holdOf(first, step.n + 1)]
      }
    }
  }
}

/** All that `first` can be made to wait for: the steps after it that depend on it directly. */
function* reversalsOf(
  first: Replayed,
  state: State,
  after: readonly Replayed[],
  swaps: Swaps,
  seed: number,
): Generator<readonly Hold[]> {
  const { replica, timersBefore, step } = first
  const { address, life } = replica.who
  const { engine } = replica
  /** Where the life would be if `first`, and what depends on it, had waited. */
  const began: Moment<State> = { engine, state, address, life, seed, now: step.at, timers: [...timersBefore.values()] }
  let moment = began
  const waiting = [first]
  let free = 0
  for (const later of after) {
    moment = { ...moment, now: later.step.at }
    const earlier = { ...began, now: later.step.at }
    const needs = waiting.map((one, i) => {
      const before = waiting.slice(0, i)
      if (!swaps.areOpen(one, later) || parts(moment, before, one, later)) return true
      // what came in between and depends on neither may as well come after both
      return free > 0 && parts(earlier, before, one, later)
    })
    if (!needs.includes(true)) {
      moment = handled(moment, later)
      free++
      continue
    }
    // what waits for another that waits for the first is reversed with that one
    if (swaps.areOpen(first, later) && needs.indexOf(true) === needs.lastIndexOf(true) && needs[0]) {
      yield waiting.map((one) => holdOf(one, step.n + free + 1))
    }
    waiting.push(later)
  }
}

/** Does the order of `one` and `later` matter, when all of `before` has been handled? */
function parts(moment: Moment<State>, before: readonly Replayed[], one: Replayed, later: Replayed): boolean {
  const reached = before.reduce(handled, moment)
  const [first, second] = [thereIn(reached, one), thereIn(reached, later)]
  return !first || !second || !commute(reached, first, second).commute
}

/** Where the life is when it has handled one more; what is not there any more it does not. */
function handled(moment: Moment<State>, step: Replayed): Moment<State> {
  const what = thereIn(moment, step)
  return what ? handle(moment, [what]).moment : moment
}

function thereIn({ timers }: Moment<State>, { step, event }: Replayed): Occurrence | undefined {
  const what = occurrenceOf(step, event)
  return what && 'timer' in what && !timers.some(({ id }) => id === what.timer) ? undefined : what
}

const holdOf = ({ step }: Replayed, until: number): Hold => ({ thing: thingOf(step), until })

const withHolds = (holds: ReadonlyMap<ThingName, number>, more: readonly Hold[]): ReadonlyMap<ThingName, number> => {
  const all = new Map(holds)
  for (const { thing, until } of more) all.set(thing, Math.max(until, all.get(thing) ?? 0))
  return all
}

/** What each life handled, in its order. */
const orderOf = ({ lives }: Run): string => lives.map(({ steps }) => steps.map(thingOf).join()).join(';')
