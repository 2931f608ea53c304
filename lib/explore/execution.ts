/** One run of a stage under a schedule and a plan of faults. */

import type { Deviations, Scheduler } from '../actor/schedule.ts'
import { requireCount } from '../core/check-options.ts'
import type { Time } from '../core/time.ts'
import { type RunResult, runScenario } from '../scenario/run-scenario.ts'
import type { Observer, Specification, Violation } from '../scenario/specification.ts'
import type { System } from '../system/system.ts'
import { Temperature } from './liveness.ts'
import { ScheduleRecorder } from './recorder.ts'

export interface Execution {
  readonly outcome: string
  readonly ends: ReadonlyMap<string, Time>
  readonly violations: readonly Violation[]
  /** What happened of that which should happen sometimes, by name. */
  readonly seen: ReadonlySet<string>
  /** Where it deviated from fifo: with these it can be had again, on threads too. */
  readonly deviations: Deviations
  readonly decisions: number
  readonly played: RunResult
}

/** A run that takes more is taken for one that never ends. */
const ROUNDS_MAX = 1_000_000
const LIVELOCK = 100_000

/** Runs a stage inline, as `scheduler` decides. */
export async function execute(stage: Specification, scheduler: Scheduler, faults = stage.faults): Promise<Execution> {
  const { livelock = LIVELOCK } = stage
  requireCount('stage: livelock', livelock)
  const recorder = new ScheduleRecorder(scheduler)
  let sight: Observer | undefined
  let system: System | undefined
  const seen = new Set<string>()
  const temperature = new Temperature({
    scheduler: recorder,
    limit: livelock,
    faults,
    left: () => sight?.left?.() ?? 0,
    onTooHot: () => system && stopIfLeft(system),
  })
  let isTooLate = false
  /** In a turn after this very round, when all facts have been told: where time stands still no other would come. */
  const stopIfLeft = (running: System): void => {
    const forget = running.onDelivery(() => {})
    running.at(running.now, async () => {
      forget()
      isTooLate = temperature.isTooHot && (sight?.violations() ?? []).some(({ eventually }) => eventually)
      if (isTooLate) await running.stop()
      else temperature.cool()
    })
  }
  const actors = stage.addresses.length
  // Small, since thousands of runs follow each other; what outgrows it says so.
  const limits = { actors, rounds: ROUNDS_MAX, memoryMB: Math.max(1, actors / 8) }
  const played = await runScenario({
    faults,
    until: stage.until,
    options: { ...limits, ...stage.options, runtime: 'inline', scheduler: temperature },
    open: async (opened) => {
      system = opened
      look(opened, stage, seen)
      // lines are made for nobody else
      if (faults.length > 0) opened.onLine(({ t }) => t === 'fault' && temperature.cool())
      sight = await stage.open(opened)
    },
  })
  const broken = sight?.violations() ?? []
  const late = `, in ${livelock} steps without a fault or any progress (limit livelock)`
  const violations = broken.map((one) => (one.eventually && isTooLate ? { ...one, text: one.text + late } : one))
  return {
    outcome: sight?.outcome() ?? '',
    ends: sight?.ends?.() ?? new Map(),
    played,
    seen,
    violations: [...violations, ...failuresOf(played)],
    deviations: recorder.deviations,
    decisions: recorder.decisions,
  }
}

function look(system: System, { sometimes = [] }: Specification, seen: Set<string>): void {
  if (sometimes.length === 0) return
  system.onFact((fact, { who }) => {
    for (const one of sometimes) if (!seen.has(one.name) && one.isSeen(fact, who)) seen.add(one.name)
  })
}

/** What is wrong whatever the scenario. */
function failuresOf({ crashes, end }: RunResult): Violation[] {
  const found = crashes.map((text) => ({ property: `no actor crashes: ${text.replace(/\d+/g, '#')}`, text }))
  if (end.ended !== 'rounds') return found
  const text = `it did not end within the limit of rounds; ${end.waiting.slice(0, 3).join('; ')}`
  return [...found, { property: 'every run comes to rest', text }]
}
