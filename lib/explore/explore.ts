/** Has a stage again and again, each time under another schedule and other faults, and counts what comes of it. */

import type { Deviations, TransmissionOutcome } from '../actor/schedule.ts'
import { type NamesOf, requireCount, requireKnown } from '../core/check-options.ts'
import { ReusedMemory } from '../memory/memory.ts'
import type { Fault } from '../scenario/faults.ts'
import type { Specification, Violation } from '../scenario/specification.ts'
import { type Execution, execute } from './execution.ts'
import { type Allowed, drawFaults, type Point, withLosses } from './fault-generator.ts'
import { type OrderedPair, watched } from './race-coverage.ts'
import { fifo } from './strategies/fifo.ts'
import type { Strategy } from './strategies/strategy.ts'

/** The run that deviates nowhere: what others are measured by. */
export interface Baseline {
  readonly attempt: Execution
  readonly points: readonly Point[]
  readonly passages: number
}

export async function baselineOf(stage: Specification): Promise<Baseline> {
  const points: Point[] = []
  const entered = new Set<string>()
  const listening: Specification = {
    ...stage,
    open: (system) => {
      system.onDelivery((line) => points.push({ who: String(line['who']), type: String(line['type']) }))
      system.onEntry(({ who, states }) => {
        for (const state of states) {
          if (!entered.has(`${who} ${state}`)) points.push({ who, state })
          entered.add(`${who} ${state}`)
        }
      })
      return stage.open(system)
    },
  }
  let passages = 0
  const plain = fifo({ seed: 0, run: 0, decisions: 0 })
  const passes = (): TransmissionOutcome => {
    passages++
    return 'once'
  }
  const run = await execute(listening, { ...plain, outcomeOf: passes })
  return { attempt: run, points: points.filter(({ who }) => who !== 'system'), passages }
}

export interface Search {
  readonly stage: Specification
  readonly strategy: Strategy
  readonly seed: number
  /** Faults that may happen beside the stage's own. */
  readonly allowed: readonly Allowed[]
  /** Runs `from` to `until`, that one left out. */
  readonly from: number
  readonly until: number
  /** Is it to end with this failure? */
  readonly isEnough?: (failure: Failure) => boolean
}

export interface Failure {
  /** The number of the run. */
  readonly run: number
  readonly violations: readonly Violation[]
  readonly deviations: Deviations
  readonly faults: readonly Fault[]
}

export interface Found {
  /** Runs that were had. */
  readonly schedules: number
  readonly decisions: number
  readonly steps: number
  /** How many runs had each outcome. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly Failure[]
  readonly pairs: ReadonlySet<OrderedPair>
  /** What happened in any of them of that which should happen sometimes, by name. */
  readonly seen: ReadonlySet<string>
}

const SEARCH: NamesOf<Search> = { stage: 1, strategy: 1, seed: 1, allowed: 1, from: 1, until: 1, isEnough: 1 }

/** @throws RangeError for an option that is unknown or out of its range */
export async function explore(search: Search, baseline: Baseline): Promise<Found> {
  requireKnown('explore', search, SEARCH)
  const { strategy, seed, allowed, from, until, isEnough } = search
  requireCount('explore: option seed', seed)
  requireCount('explore: option from', from)
  requireCount('explore: option until', until, from)
  const stage: Specification = { ...search.stage, options: { ...search.stage.options, reuse: new ReusedMemory() } }
  const { passages, points } = baseline
  const { decisions: length } = baseline.attempt
  const outcomes = new Map<string, number>()
  const failures: Failure[] = []
  const pairs = new Set<OrderedPair>()
  const seen = new Set<string>()
  let decisions = 0
  let steps = 0
  let run = from
  while (run < until) {
    const faults = [...stage.faults, ...drawFaults(allowed, points, seed, run)]
    const scheduler = withLosses(strategy({ seed, run, decisions: length }), allowed, passages, seed, run)
    const { outcome, violations, deviations, ...rest } = await execute(stage, watched(scheduler, pairs), faults)
    decisions += rest.decisions
    steps += rest.played.steps
    for (const name of rest.seen) seen.add(name)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const failure = violations.length > 0 ? { run, violations, deviations, faults } : undefined
    run++
    if (!failure) continue
    failures.push(failure)
    if (isEnough?.(failure)) break
  }
  return { schedules: run - from, decisions, steps, outcomes, failures, pairs, seen }
}
