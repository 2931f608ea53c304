/**
 * The runs that no schedule disturbs. Promises about times are asked only where no schedule is chosen, so the runs of a search cannot tell
 * whether a scenario keeps them.
 */
import { NO_DEVIATIONS } from '../actor/schedule.ts'
import { type Fault, printFault } from '../scenario/faults.ts'
import { crashed, inWords, type Oracle, type Violation } from '../scenario/oracle.ts'
import { runScenario } from '../scenario/run-scenario.ts'
import type { Specification } from '../scenario/specification.ts'
import { runOf } from '../trace/steps.ts'
import { breakingIn, type Cause, causesOf } from './causal-slice.ts'
import { ddmin } from './ddmin.ts'
import { MEMORY_MB, recorded, STEPS_END } from './execution.ts'
import { stepText } from './explain.ts'
import { type Baseline, opportunitiesOf, UNDISTURBED_ROUNDS } from './explore.ts'
import { type AllowedFault, drawFaults } from './fault-generator.ts'

/** A run without a search. */
export interface Undisturbed {
  /** The promises that it breaks, each as a text. */
  readonly broken: readonly string[]
  /** The names of the promises that are asked of it. */
  readonly asked: readonly string[]
}

/** Runs a scenario without a search. */
export async function runUndisturbed(specification: Specification): Promise<Undisturbed> {
  const { violations, oracle } = await played(specification, UNDISTURBED_ROUNDS)
  return { broken: inWords(violations), asked: askedBy(oracle) }
}

/** The names of the promises that an oracle asks, each once. */
export const askedBy = (oracle: Oracle): readonly string[] => [...new Set(oracle.promises?.().map(({ name }) => name))]

/** How a scenario is run under drawn faults, without a schedule. */
export interface FaultsAloneOptions {
  /** The scenario with these faults, which its oracle knows as planned. */
  readonly specified: (faults: readonly Fault[]) => Specification
  /** The faults that each run has besides those that it draws. */
  readonly planned: readonly Fault[]
  readonly allowed: readonly AllowedFault[]
  readonly baseline: Baseline
  readonly seed: number
  /** The number of runs. */
  readonly runs: number
  /** Ends the runs early. */
  readonly signal?: AbortSignal
}

/** What runs under drawn faults alone found. */
export interface FaultsAlone {
  /** The number of runs; the last one breaks a promise if `failure` is given. */
  readonly runs: number
  readonly failure?: FaultsAloneFailure
}

/** A run without a schedule that breaks promises, with as few faults as break the first of them. */
export type FaultsAloneFailure = {
  readonly faults: readonly string[]
  readonly broken: readonly string[]
  /** The step that breaks the first promise, in words; null if it breaks by what does not come. */
  readonly brokenBy: string | null
  /** The events that led to the first violation: the causal slice of the run. */
  readonly causes: readonly Cause[]
}

/** A run is cut off after this many times the steps of the run without faults, and these many more. */
const ROUNDS = { times: 20, more: 1000 }

/**
 * Runs a scenario without a schedule, under faults that are drawn as for the runs of a search, up to the first run that breaks a promise.
 * No message is lost or doubled, since that is a part of a schedule. A run without a fault is left out.
 */
export async function runFaultsAlone(options: FaultsAloneOptions): Promise<FaultsAlone> {
  const { planned, allowed, baseline, seed, signal } = options
  const specified = (drawn: readonly Fault[]): Specification => options.specified([...planned, ...drawn])
  const most = ROUNDS.times * baseline.execution.result.steps + ROUNDS.more
  const opportunities = opportunitiesOf(specified([]), baseline)
  const brokenBy = async (faults: readonly Fault[]): Promise<readonly Violation[]> => {
    const { run, violations } = await played(specified(faults), most)
    const endless = run.end.ended === 'step' ? [{ property: STEPS_END, text: run.end.limit }] : []
    return [...violations, ...run.crashes.map(crashed), ...endless]
  }
  let runs = 0
  for (let run = 0; run < options.runs && !signal?.aborted; run++) {
    const drawn = drawFaults(allowed, opportunities, seed, run)
    if (drawn.length === 0) continue
    runs++
    const [first] = await brokenBy(drawn)
    if (!first) continue
    const isSame = ({ property }: Violation): boolean => property === first.property
    const fewest = await ddmin(drawn, async (part) => (await brokenBy(part)).some(isSame), signal)
    const faults = [...planned, ...fewest].map(printFault)
    const broken = await brokenBy(fewest)
    const why = await causesAlone(specified(fewest), most, broken.find(isSame) ?? first)
    return { runs, failure: { faults, broken: inWords(broken), ...why } }
  }
  return { runs }
}

/** What led to a violation of a run without a schedule, which is recorded for it. A run whose step never ends has no causes. */
async function causesAlone(
  specification: Specification,
  rounds: number,
  violation: Violation,
): Promise<Pick<FaultsAloneFailure, 'brokenBy' | 'causes'>> {
  const { recording, traceOfRun } = recorded(specification)
  const { end } = (await played(recording, rounds)).run
  if (end.ended === 'step') return { brokenBy: null, causes: [] }
  const run = runOf(traceOfRun())
  const breaking = breakingIn(run, violation)
  const causes = causesOf({ run, heldSince: new Map() }, NO_DEVIATIONS, violation)
  return { brokenBy: breaking ? stepText(breaking) : null, causes }
}

/** The number of runs under faults alone that a search makes beside a number of schedules. */
export const faultsAloneBeside = (schedules: number): number => Math.min(50, Math.ceil(schedules / 20))

/** Runs a specification inline without a schedule, for at most `rounds` rounds. */
async function played({ options, faults, until, calm, open, judge }: Specification, rounds: number) {
  const run = await runScenario({
    options: { memoryMB: MEMORY_MB, rounds, ...options, runtime: 'inline', watched: true },
    faults,
    until,
    calm,
    open,
    judge,
  })
  return { run, violations: run.oracle.violations(run), oracle: run.oracle }
}
