/** One run of a specification under a schedule and a plan of faults, if wanted with its trace in memory. */
import type { Deviations, PendingEventName, Scheduler } from '../actor/schedule.ts'
import { requireCount } from '../core/check-options.ts'
import type { Time } from '../core/time.ts'
import type { Fault } from '../scenario/faults.ts'
import { crashed, FactLog, listen, type Oracle, type Violation } from '../scenario/oracle.ts'
import { outcomeOf } from '../scenario/outcome.ts'
import { type RunResult, runScenario } from '../scenario/run-scenario.ts'
import { RUN_LIMITS, type Specification } from '../scenario/specification.ts'
import type { System } from '../system/system.ts'
import { type Trace, traceOf } from '../trace/read.ts'
import { type Run, runOf } from '../trace/steps.ts'
import { Temperature } from './liveness.ts'
import { fairInTheEnd, type HeldSince, ScheduleRecorder } from './schedulers.ts'

export interface Execution {
  readonly outcome: string
  readonly ends: ReadonlyMap<string, Time>
  readonly violations: readonly Violation[]
  /** The names of the reachability goals (`sometimes`) that the run met. */
  readonly seen: ReadonlySet<string>
  /** The deviations from fifo, which repeat this run, on threads too. */
  readonly deviations: Deviations
  /** Where each event was passed over first. */
  readonly heldSince: ReadonlyMap<PendingEventName, HeldSince>
  readonly decisions: number
  readonly result: RunResult
  /** Whether the time was up before the run ended. Such a run breaks no promise, whatever it did until then. */
  readonly isCut: boolean
}

/** The most rounds of a run, unless its flags say otherwise (`--max-rounds`). */
const ROUNDS = 1_000_000
/** The memory of a run, unless its flags say otherwise (`--max-memory`). */
export const MEMORY_MB = 16

/** Runs a specification inline, as `scheduler` decides. When `late` is aborted, the run is cut off. */
export async function execute(
  specification: Specification,
  scheduler: Scheduler,
  faults = specification.faults,
  late?: AbortSignal,
): Promise<Execution> {
  const { livelock, longestHold, unfair, isWatched } = { ...RUN_LIMITS, ...specification.limits }
  requireCount('specification: limit livelock', livelock)
  const { calm, holdsUntil } = specification
  const bounds = scheduler.bounds ?? { longest: longestHold, calm: holdsUntil ?? calm ?? null }
  const recorder = new ScheduleRecorder(fairInTheEnd(scheduler, unfair, bounds.calm), bounds)
  let oracle: Oracle | undefined
  let system: System | undefined
  const seen = new Set<string>()
  /** The number of instants with facts: the progress of a run whose oracle does not say what is left. */
  let told = 0
  let lastTold = -1
  const hasEnd = specification.until !== undefined
  const temperature = new Temperature({
    scheduler: recorder,
    limit: livelock,
    faults,
    hasEnd,
    isWatched,
    remaining: () => oracle?.left?.() ?? (hasEnd ? 0 : 1 + told),
    onTooHot: () => system && stopIfLeft(system),
    patience: Math.min(livelock, Math.max(1, unfair)),
    onStalled: () => system && stopIfExcused(system),
  })
  let isTooLate = false
  /** Whether the run was stopped since nothing can end it, which breaks no promise. */
  let isExcused = false
  let endless: Endless | undefined
  /** Checks right after this round, when all facts have been read; while time stands still there is no other turn. */
  const stopIfLeft = (running: System): void => {
    const forget = running.onDelivery(() => {})
    running.at(running.now, async () => {
      forget()
      // what is missing may come from an event that is held back
      if (running.isHolding) return temperature.cool()
      const broken = oracle?.violations(outcomeOf(running)) ?? []
      isTooLate = temperature.isTooHot && broken.some(({ eventually }) => eventually)
      if (temperature.isTooHot && oracle && !isTooLate) isExcused = mayGoOn(oracle, running)
      if (temperature.isTooHot && oracle && !isTooLate && !isExcused) {
        endless = endlessness(oracle, hasEnd, livelock, temperature.stepsWithoutProgress)
      }
      if (isTooLate || endless || isExcused) await running.stop()
      else if (temperature.isTooHot) temperature.goOn()
      else temperature.cool()
    })
  }
  const mayGoOn = (judge: Oracle, running: System): boolean =>
    !hasEnd && judge.left !== undefined && (judge.needNotEnd?.(outcomeOf(running)) ?? false)
  /** Ends a run that may go on for ever as soon as it has made no progress for a while. */
  const stopIfExcused = (running: System): void => {
    if (!oracle || !mayGoOn(oracle, running)) return
    const forget = running.onDelivery(() => {})
    running.at(running.now, async () => {
      forget()
      isExcused = !running.isHolding && temperature.isStalled && oracle !== undefined && mayGoOn(oracle, running)
      if (isExcused) await running.stop()
    })
  }
  let isCut = false
  const cut = (): void => {
    isCut = true
    void system?.stop()
  }
  const actors = specification.addresses?.length
  const log = new FactLog()
  const played = await runScenario({
    faults,
    until: specification.until,
    calm,
    isStopped: () => isCut || isTooLate || isExcused || endless !== undefined,
    judge: specification.judge,
    options: {
      ...(actors !== undefined && { actors }),
      memoryMB: MEMORY_MB,
      rounds: ROUNDS,
      ...specification.options,
      runtime: 'inline',
      scheduler: temperature,
    },
    open: async (opened) => {
      system = opened
      late?.addEventListener('abort', cut)
      recordGoals(opened, specification, seen)
      // lines are made for this listener alone
      if (faults.length > 0) opened.onLine(({ t }) => t === 'fault' && temperature.cool())
      oracle = await specification.open(opened)
      if (!oracle.outcome) listen(opened, log)
      if (!oracle.left) {
        opened.onFact((_, { at }) => {
          if (at > lastTold) told++
          lastTold = at
        })
      }
      return oracle
    },
  }).finally(() => late?.removeEventListener('abort', cut))
  const wasCut = isCut && played.end.ended === 'stopped'
  const broken = played.oracle.violations(played)
  const tooLate = `, in ${livelock} steps without a fault or any progress (limit livelock)`
  const violations = broken.map((one) => (one.eventually && isTooLate ? { ...one, text: one.text + tooLate } : one))
  return {
    outcome: played.oracle.outcome?.() ?? log.outcome(),
    ends: played.oracle.ends?.() ?? new Map(),
    result: played,
    seen,
    violations: wasCut ? [] : [...violations, ...failuresOf(played), ...(endless ? [restless(played, endless)] : [])],
    isCut: wasCut,
    deviations: recorder.deviations,
    heldSince: recorder.heldSince,
    decisions: recorder.decisions,
  }
}

function recordGoals(system: System, { sometimes = [] }: Specification, seen: Set<string>): void {
  if (sometimes.length === 0) return
  system.onFact((fact, { who }) => {
    for (const one of sometimes) if (!seen.has(one.name) && one.isSeen(fact, who)) seen.add(one.name)
  })
}

/** The violations of every scenario's invariants: an actor crashes, or the run never comes to rest. */
function failuresOf({ crashes, end }: RunResult): Violation[] {
  const found = crashes.map(crashed)
  if (end.limit === null) return found
  if (end.ended === 'step') return [...found, { property: STEPS_END, text: end.limit }]
  const limit = end.ended === 'memory' ? end.limit : `it did not end within its limit of ${end.limit}`
  return [...found, { property: REST, text: [limit, ...end.waiting.slice(0, 3)].join('; ') }]
}

/** The name of the promise that no actor handles an event for ever. */
export const STEPS_END = 'every step ends'

/** The name of the promise that every run comes to rest. */
export const REST = 'every run comes to rest'

/** The steps without progress after which a run is endless that breaks no promise; what it waits for may be planned for later. */
const ENDLESS = RUN_LIMITS.livelock

/** That a run goes on for ever: in how many steps, and how. */
interface Endless {
  readonly steps: number
  readonly how:
    | 'without a fault, or a fact at a later instant'
    | 'although nothing was left to come'
    | 'without a fault or any progress'
}

function endlessness(oracle: Oracle, hasEnd: boolean, livelock: number, since: number): Endless | undefined {
  if (!oracle.left) return { steps: livelock, how: 'without a fault, or a fact at a later instant' }
  if (hasEnd) return undefined
  if (oracle.left() === 0) return { steps: livelock, how: 'although nothing was left to come' }
  const steps = Math.max(livelock, ENDLESS)
  return since > steps ? { steps, how: 'without a fault or any progress' } : undefined
}

const restless = ({ end }: RunResult, { steps, how }: Endless): Violation => {
  const waiting = 'waiting' in end ? end.waiting.slice(0, 3) : []
  return { property: REST, text: [`it went on for ${steps} steps ${how} (limit livelock)`, ...waiting].join('; ') }
}

export interface Traced extends Execution {
  readonly trace: Trace
  readonly run: Run
}

/** A run with its trace in memory. */
export async function traced(
  specification: Specification,
  scheduler: Scheduler,
  faults: readonly Fault[] = specification.faults,
  late?: AbortSignal,
): Promise<Traced> {
  const { recording, traceOfRun } = recorded(specification)
  const lived = await execute(recording, scheduler, faults, late)
  const trace = traceOfRun()
  return { ...lived, trace, run: runOf(trace) }
}

/** The specification with its runs recorded in memory, and the trace of the last one. */
export function recorded(specification: Specification): {
  readonly recording: Specification
  readonly traceOfRun: () => Trace
} {
  let system: System | undefined
  const recording: Specification = {
    ...specification,
    options: { ...specification.options, record: true },
    open(opened) {
      system = opened
      return specification.open(opened)
    },
  }
  return { recording, traceOfRun: () => traceOf([...(system?.recorded() ?? [])]) }
}
