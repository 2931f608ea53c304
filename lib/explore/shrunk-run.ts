/** A shrunk failing run: what is told of it, and the nearest run that keeps all promises. */
import { DeviationScheduler, type Deviations } from '../actor/schedule.ts'
import { type Fault, printFault } from '../scenario/faults.ts'
import type { Specification } from '../scenario/specification.ts'
import type { Run } from '../trace/run.ts'
import { type Traced, traced } from './execution.ts'
import { sentencesOf, stepText } from './explain.ts'
import { type Inevitable, type InevitableOptions, inevitableOf } from './inevitable.ts'
import { fromList, listOf, NotReproduced, type Shrunk } from './shrink.ts'

/** What is told of a shrunk failing run. */
export interface Told {
  readonly property: string
  readonly text: string
  /** A sentence for each fault and each deviation that is left. */
  readonly sentences: readonly string[]
  /** The step whose fact broke the promise, in a sentence; null if no single fact did. */
  readonly brokenBy: string | null
  /** From which step on it fails whatever comes next; absent unless it was asked for. */
  readonly inevitable?: Inevitable
  readonly deviations: number
  readonly faults: number
  readonly tasks: number
  /** The number of runs that shrinking took. */
  readonly runs: number
  /** Whether the time was up before the run was as small as it can be. */
  readonly isCut: boolean
}

/** A shrunk failing run, what is told of it, and its nearest passing run. */
export interface ShrunkRun {
  readonly told: Told
  readonly failing: Traced
  /** Searches the nearest passing run: the same run without one of its faults or deviations. Null if there is none. */
  nearest(): Promise<Passing | null>
  /** Finds the step after which every random continuation of the run fails. */
  inevitable(options: InevitableOptions): Promise<Inevitable>
}

/** A run that keeps all promises, and what it lacks compared with the failing one, in a sentence. */
export interface Passing {
  readonly without: string
  readonly run: Traced
}

/**
 * Runs what is left of a failing run once more, with its trace. `specification` has the tasks and the faults that are left.
 *
 * @throws NotReproduced if this run does not break the promise
 */
export async function shrunkRun(
  specification: Specification,
  { deviations, faults, violation, runs, isCut }: Shrunk,
): Promise<ShrunkRun> {
  const failing = await traced(specification, new DeviationScheduler(deviations))
  const broken = failing.violations.find(({ property }) => property === violation.property)
  if (!broken) {
    throw new NotReproduced(
      `${violation.property}: the shrunk run does not break it when it is made from its settings again`,
    )
  }
  const breaking = failing.run.steps.find((step) => step.broken.includes(broken.property))
  const told: Told = {
    property: broken.property,
    text: broken.text,
    runs,
    isCut,
    sentences: [...faults.map(printFault), ...sentencesOf(deviations, failing.run)],
    brokenBy: breaking ? stepText(breaking) : null,
    deviations: listOf(deviations).length,
    faults: faults.length,
    tasks: specification.tasks,
  }
  return {
    told,
    failing,
    nearest: () => nearestTo(specification, deviations, failing.run),
    inevitable: (options) =>
      inevitableOf(specification, deviations, broken.property, { ...options, brokenAt: breaking?.index }),
  }
}

/** Where a run breaks its promise, and when that became inevitable, in sentences. */
export const causeOf = ({ brokenBy, inevitable }: Pick<Told, 'brokenBy' | 'inevitable'>): string[] => [
  ...(brokenBy === null ? [] : [brokenBy]),
  ...(inevitable?.sentences ?? []),
  ...(inevitable && inevitable.causes.length > 0 ? [CAUSES] : []),
  ...(inevitable?.causes ?? []).map(({ text, isDecision }) => `${isDecision ? '*' : ' '} ${text}`),
]

const CAUSES = 'what led to it; * marks what the schedule or a fault decided:'

/** The latest deviation or fault is left out first, since what comes before it stays the same. */
async function nearestTo(specification: Specification, deviations: Deviations, failing: Run): Promise<Passing | null> {
  const { faults } = specification
  const passing = async (without: string, plan: readonly Fault[], schedule: Deviations): Promise<Passing | null> => {
    const run = await traced(specification, new DeviationScheduler(schedule), plan)
    return run.violations.length === 0 ? { without, run } : null
  }
  const list = listOf(deviations)
  for (const [i, one] of [...list.entries()].reverse()) {
    const [without = ''] = sentencesOf(fromList([one], deviations.bounds), failing)
    const found = await passing(without, faults, fromList(list.toSpliced(i, 1), deviations.bounds))
    if (found) return found
  }
  for (const [i, fault] of [...faults.entries()].reverse()) {
    const found = await passing(printFault(fault), faults.toSpliced(i, 1), deviations)
    if (found) return found
  }
  return null
}
