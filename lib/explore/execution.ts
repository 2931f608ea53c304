/** One run of a specification under a schedule and a plan of faults, if wanted with its trace in memory. */
import type { Deviations, Scheduler } from '../actor/schedule.ts'
import { requireCount } from '../core/check-options.ts'
import type { Time } from '../core/time.ts'
import type { Fault } from '../scenario/faults.ts'
import { FactLog, listen, type Oracle, type Violation } from '../scenario/oracle.ts'
import { outcomeOf } from '../scenario/outcome.ts'
import { type RunResult, runScenario } from '../scenario/run-scenario.ts'
import type { Specification } from '../scenario/specification.ts'
import { headOf } from '../system/options.ts'
import type { System } from '../system/system.ts'
import type { Line } from '../trace/lines.ts'
import { type Trace, traceOf } from '../trace/read.ts'
import { type Run, runOf } from '../trace/steps.ts'
import { Temperature } from './liveness.ts'
import { ScheduleRecorder } from './schedulers.ts'

export interface Execution {
  readonly outcome: string
  readonly ends: ReadonlyMap<string, Time>
  readonly violations: readonly Violation[]
  /** The names of the reachability goals (`sometimes`) that the run met. */
  readonly seen: ReadonlySet<string>
  /** The deviations from fifo, which repeat this run, on threads too. */
  readonly deviations: Deviations
  readonly decisions: number
  readonly result: RunResult
}

/** The most rounds of a run; a longer one counts as a run that never comes to rest (no quiescence). */
const ROUNDS_MAX = 1_000_000
const LIVELOCK = 100_000
/** The memory of a run whose number of actors is not known. */
const MEMORY_MB = 16

/** Runs a specification inline, as `scheduler` decides. */
export async function execute(
  specification: Specification,
  scheduler: Scheduler,
  faults = specification.faults,
): Promise<Execution> {
  const { livelock = LIVELOCK } = specification
  requireCount('specification: livelock', livelock)
  const recorder = new ScheduleRecorder(scheduler)
  let oracle: Oracle | undefined
  let system: System | undefined
  const seen = new Set<string>()
  /** The number of instants with facts: the progress of a run whose oracle does not say what is left. */
  let told = 0
  let lastTold = -1
  const temperature = new Temperature({
    scheduler: recorder,
    limit: livelock,
    faults,
    remaining: () => oracle?.left?.() ?? (specification.until === undefined ? 1 + told : 0),
    onTooHot: () => system && stopIfLeft(system),
  })
  let isTooLate = false
  let isEndless = false
  /** Checks right after this round, when all facts have been read; while time stands still there is no other turn. */
  const stopIfLeft = (running: System): void => {
    const forget = running.onDelivery(() => {})
    running.at(running.now, async () => {
      forget()
      const broken = oracle?.violations(outcomeOf(running)) ?? []
      isTooLate = temperature.isTooHot && broken.some(({ eventually }) => eventually)
      isEndless = temperature.isTooHot && oracle !== undefined && !oracle.left
      if (isTooLate || isEndless) await running.stop()
      else temperature.cool()
    })
  }
  const actors = specification.addresses?.length
  // small, since thousands of runs follow each other; a run that needs more reports it
  const size = actors === undefined ? { memoryMB: MEMORY_MB } : { actors, memoryMB: Math.max(1, actors / 8) }
  const log = new FactLog()
  const played = await runScenario({
    faults,
    until: specification.until,
    isStopped: () => isTooLate || isEndless,
    options: { ...size, rounds: ROUNDS_MAX, ...specification.options, runtime: 'inline', scheduler: temperature },
    open: async (opened) => {
      system = opened
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
  })
  const broken = played.oracle.violations(played)
  const late = `, in ${livelock} steps without a fault or any progress (limit livelock)`
  const violations = broken.map((one) => (one.eventually && isTooLate ? { ...one, text: one.text + late } : one))
  return {
    outcome: played.oracle.outcome?.() ?? log.outcome(),
    ends: played.oracle.ends?.() ?? new Map(),
    result: played,
    seen,
    violations: [...violations, ...failuresOf(played), ...(isEndless ? [endless(played, livelock)] : [])],
    deviations: recorder.deviations,
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
  const found = crashes.map((text) => ({ property: `no actor crashes: ${text.replace(/\d+/g, '#')}`, text }))
  if (end.limit === null) return found
  const text = `it did not end within its limit of ${[end.limit, ...end.waiting.slice(0, 3)].join('; ')}`
  return [...found, { property: 'every run comes to rest', text }]
}

const endless = ({ end }: RunResult, livelock: number): Violation => {
  const waiting = 'waiting' in end ? end.waiting.slice(0, 3) : []
  const text = `it went on for ${livelock} steps without a fault, or a fact at a later instant (limit livelock)`
  return { property: 'every run comes to rest', text: [text, ...waiting].join('; ') }
}

export interface Traced extends Execution {
  readonly trace: Trace
  readonly run: Run
}

const TRACED_MB = 64

export async function traced(
  specification: Specification,
  scheduler: Scheduler,
  faults: readonly Fault[] = specification.faults,
): Promise<Traced> {
  const lines: Line[] = []
  const watched: Specification = {
    ...specification,
    // the reports of all steps wait in memory until the end of their round
    options: { memoryMB: TRACED_MB, ...specification.options, trace: true },
    open(system) {
      lines.push(headOf(system.options))
      system.onLine((line) => lines.push(line))
      return specification.open(system)
    },
  }
  const lived = await execute(watched, scheduler, faults)
  const trace = traceOf(lines)
  return { ...lived, trace, run: runOf(trace) }
}
