/** Runs a specification many times, each time under another schedule and other faults, and counts the outcomes. */

import type { Deviations, TransmissionOutcome } from '../actor/schedule.ts'
import type { Address } from '../core/address.ts'
import { type NamesOf, requireCount, requireKnown } from '../core/check-options.ts'
import type { Time } from '../core/time.ts'
import { replacedOnce } from '../runtime/step-purity.ts'
import type { Fault } from '../scenario/faults.ts'
import type { Violation } from '../scenario/oracle.ts'
import type { RunResult } from '../scenario/run-scenario.ts'
import type { Specification } from '../scenario/specification.ts'
import type { System, SystemInit } from '../system/system.ts'
import { traceOf } from '../trace/read.ts'
import { BrokenUndisturbed } from './broken-undisturbed.ts'
import { type Execution, execute, MEMORY_MB, REST, STEPS_END } from './execution.ts'
import { type AllowedFault, drawFaults, type Opportunities, type Point, withLosses } from './fault-generator.ts'
import { longestHoldOf } from './longest-hold.ts'
import { Novelty } from './novelty.ts'
import { type OrderedPair, recordingPairs } from './schedulers.ts'
import { fifo } from './strategies/fifo.ts'
import { type LearningStrategy, type Strategy, unlearning } from './strategies/strategy.ts'

/** The run without deviations, which all others are compared with. */
export interface Baseline {
  readonly execution: Execution
  readonly points: readonly Point[]
  /** All actors that there were in the end, children among them. */
  readonly actors: readonly Address[]
  readonly transmissions: number
  /** How long schedules of a search hold an event back, unless the specification says it. */
  readonly longestHold: Time
}

export async function baselineOf(specification: Specification): Promise<Baseline> {
  const points: Point[] = []
  const entered = new Set<string>()
  const { calm = Number.POSITIVE_INFINITY } = specification
  let system: System | undefined
  const isDisturbed = (): boolean => system !== undefined && system.now < calm
  const note = (point: Point): void => {
    if (isDisturbed()) points.push(point)
  }
  const listening: Specification = {
    ...specification,
    options: { memoryMB: RECORDED_MB, rounds: UNDISTURBED_ROUNDS, ...specification.options, record: true },
    open: async (opened) => {
      system = opened
      opened.onHandling(({ who, at, type, isTimer }) => note({ who, at, what: isTimer ? 'timer' : 'message', type }))
      opened.onEntry(({ who, child, states }) => {
        for (const state of states) {
          const name = [who, child?.chart, child?.key, state].join(' ')
          if (!entered.has(name)) note({ who, at: opened.now, what: 'state', ...(child && { child }), state })
          entered.add(name)
        }
      })
      const oracle = await specification.open(opened)
      for (const { address: who } of opened.actors) points.push({ who, at: 0, what: 'start' })
      return oracle
    },
  }
  let passages = 0
  const plain = fifo({ seed: 0, run: 0, decisions: 0 })
  const outcomeOf = (): TransmissionOutcome => {
    if (isDisturbed()) passages++
    return 'once'
  }
  const run = await execute(listening, { ...plain, outcomeOf })
  return {
    execution: run,
    points: points.filter(({ who }) => who !== 'system'),
    actors: system?.actors.map(({ address }) => address) ?? [],
    transmissions: passages,
    longestHold: await longestHoldOf(traceOf([...(system?.recorded() ?? [])]), run.result.isIdle),
  }
}

/** Where and for how long faults can happen in the runs of a scenario whose run without a search is known. */
export const opportunitiesOf = (
  { calm = Number.POSITIVE_INFINITY, holdsUntil = calm }: Pick<Specification, 'calm' | 'holdsUntil'>,
  { points, actors, longestHold }: Pick<Baseline, 'points' | 'actors' | 'longestHold'>,
): Opportunities => ({ points, actors, longest: longestHold, until: holdsUntil })

/**
 * Checks that all steps of the undisturbed run end, and that a scenario without an end comes to rest if nothing disturbs it; otherwise
 * no schedule of it would end.
 *
 * @throws BrokenUndisturbed that says what to do
 */
export function requireRest({ until, faults }: Specification, { violations }: Pick<Execution, 'violations'>): void {
  const step = violations.find(({ property }) => property === STEPS_END)
  if (step) {
    throw new BrokenUndisturbed([
      `${STEPS_END}: in the undisturbed run ${step.text}. Mend the loop of its machine, or give a slow step more time`,
    ])
  }
  const endless = violations.find(({ property }) => property === REST)
  if (!endless || until !== undefined || faults.length > 0) return
  throw new BrokenUndisturbed([
    `${REST}: without a disturbance ${endless.text}. A search needs runs that end. Allow a long run more rounds ` +
      '(--max-rounds); if actors go on for ever, give the scenario an end (`until`) and a calm part (`calm`)',
  ])
}

/** The memory of a recorded run whose steps are listened to: all steps of a round wait in it. */
const RECORDED_MB = 64

/** The most rounds of the undisturbed run, unless flags say otherwise: a search of longer runs would take days. */
export const UNDISTURBED_ROUNDS = 200_000

export interface Search {
  readonly specification: Specification
  readonly strategy: Strategy | LearningStrategy
  readonly seed: number
  /** The faults that may happen in addition to the specification's own. */
  readonly allowed: readonly AllowedFault[]
  /** The first run; the last one is before `until`. */
  readonly from: number
  readonly until: number
  /** Whether the search ends with this failure. */
  readonly isEnough?: (failure: Failure) => boolean
  /** Called after each run with what has been found so far; the sets and maps of it grow with later runs. */
  readonly onRun?: (soFar: Found) => void
  /** Aborted when the time is up: the search ends, and a run that has not ended is cut off. */
  readonly late?: AbortSignal
}

export interface Failure {
  /** The number of the run. */
  readonly run: number
  readonly violations: readonly Violation[]
  readonly deviations: Deviations
  readonly faults: readonly Fault[]
  readonly limit?: Limit | undefined
}

/** A run that was cut off when the time was up: how far it was, and what repeats it. */
export interface CutRun extends Omit<Failure, 'violations'> {
  readonly steps: number
  readonly now: Time
}

/** The limit that ended a run which did not come to rest; the command that repeats it has the same. */
export type Limit = { readonly maxRounds: number } | { readonly maxMemory: number }

export function limitOf({ end, rounds }: RunResult, { memoryMB = MEMORY_MB }: SystemInit): Limit | undefined {
  if (end.ended === 'idle' || end.ended === 'until' || end.ended === 'step') return undefined
  return end.ended === 'memory' ? { maxMemory: memoryMB } : { maxRounds: rounds }
}

export interface Found {
  /** The number of runs. */
  readonly schedules: number
  /** The number of runs that a fault struck. */
  readonly struck: number
  readonly decisions: number
  readonly steps: number
  /** The number of runs with each outcome. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly Failure[]
  readonly pairs: ReadonlySet<OrderedPair>
  /** The names of the reachability goals (`sometimes`) that any run met. */
  readonly seen: ReadonlySet<string>
  /** How long an event could be held back, how many events were, and how many of these holds ended for that reason. */
  readonly longestHold: Time
  readonly holds: number
  readonly cutHolds: number
  /** The run that was cut off when the time was up, which counts nowhere else. */
  readonly cut?: CutRun
}

/** Schedules are unfair for at most this many times the steps of the undisturbed run, and at least for this many steps. */
const UNFAIR = { times: 10, least: 1000 }

/** The decisions after which a schedule is fair, for a run of this length. */
export const unfairOf = (decisions: number): number => Math.max(UNFAIR.least, UNFAIR.times * decisions)

const SEARCH: NamesOf<Search> = {
  specification: 1,
  strategy: 1,
  seed: 1,
  allowed: 1,
  from: 1,
  until: 1,
  isEnough: 1,
  onRun: 1,
  late: 1,
}

/**
 * Runs a specification under the schedules of a strategy, and collects the failures.
 *
 * @throws OutOfRange for an option that is unknown or out of its range
 */
export async function explore(search: Search, baseline: Baseline): Promise<Found> {
  requireKnown('explore', search, SEARCH)
  return replacedOnce(() => runAll(search, baseline))
}

async function runAll(search: Search, baseline: Baseline): Promise<Found> {
  const { strategy, seed, allowed, from, until, isEnough, onRun, late } = search
  requireCount('explore: option seed', seed)
  requireCount('explore: option from', from)
  requireCount('explore: option until', until, from)
  const { transmissions: passages, longestHold: longest } = baseline
  const opportunities = opportunitiesOf(search.specification, baseline)
  const { decisions: length } = baseline.execution
  const isFifo = search.specification.options.order !== 'causal'
  const losses = { allowed, passages, longest: isFifo ? longest : null, seed }
  const limits = {
    longestHold: baseline.longestHold,
    unfair: unfairOf(length),
    ...search.specification.limits,
  }
  const learner = typeof strategy === 'function' ? unlearning(strategy) : strategy.begin()
  const novelty = typeof strategy === 'function' ? undefined : new Novelty()
  const specification: Specification = {
    ...search.specification,
    limits,
    open: async (system) => {
      novelty?.listen(system)
      return search.specification.open(system)
    },
  }
  const faultsFor = (one: number): readonly Fault[] => [
    ...specification.faults,
    ...drawFaults(allowed, opportunities, seed, one),
  ]
  const outcomes = new Map<string, number>()
  const failures: Failure[] = []
  const pairs = new Set<OrderedPair>()
  const seen = new Set<string>()
  let struck = 0
  let decisions = 0
  let steps = 0
  let holds = 0
  let cutHolds = 0
  let run = from
  const { longestHold } = limits
  let cut: CutRun | undefined
  const soFar = (): Found => {
    const counts = { schedules: run - from, struck, decisions, steps, longestHold, holds, cutHolds }
    return { ...counts, outcomes, failures, pairs, seen, ...(cut && { cut }) }
  }
  while (run < until && !late?.aborted) {
    const own = faultsFor(run)
    const { scheduler: chosen, faultsOf } = learner.plan({ seed, run, decisions: length, hasFaults: own.length > 0 })
    const faults = faultsOf === run ? own : faultsFor(faultsOf)
    let isStruck = false
    const onStruck = (): void => {
      isStruck = true
    }
    const scheduler = withLosses(chosen, { ...losses, run: faultsOf }, onStruck)
    const { outcome, violations, deviations, isCut, ...rest } = await execute(
      specification,
      recordingPairs(scheduler, pairs),
      faults,
      late,
    )
    if (isCut) {
      cut = { run, deviations, faults, steps: rest.result.steps, now: rest.result.end.now }
      break
    }
    if (isStruck || rest.result.struck.length > 0) struck++
    decisions += rest.decisions
    steps += rest.result.steps
    holds += deviations.holds.length
    cutHolds += rest.result.cutHolds
    for (const name of rest.seen) {
      seen.add(name)
      novelty?.add(name)
    }
    learner.learn({ deviations, decisions: rest.decisions, faultsOf, isNew: novelty?.isNew ?? false })
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const limit = limitOf(rest.result, specification.options)
    const failure = violations.length > 0 ? { run, violations, deviations, faults, limit } : undefined
    run++
    if (failure) failures.push(failure)
    onRun?.(soFar())
    if (failure && isEnough?.(failure)) break
  }
  return soFar()
}
