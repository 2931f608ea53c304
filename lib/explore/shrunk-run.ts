/** A shrunk failing run: what is told of it, and the nearest run that keeps all promises. */
import { DeviationScheduler, type Deviations } from '../actor/schedule.ts'
import { type Fault, printFault } from '../scenario/faults.ts'
import { brokenName } from '../scenario/oracle.ts'
import type { Specification } from '../scenario/specification.ts'
import { breakingIn, type Cause, causesOf } from './causal-slice.ts'
import { type Traced, traced } from './execution.ts'
import { sentencesOf, stepText } from './explain.ts'
import { type Inevitable, type InevitableOptions, inevitableOf, withoutTurningPoint } from './inevitable.ts'
import { fromList, listOf, NotReproduced, type Shrunk } from './shrink.ts'

/** What is told of a shrunk failing run. */
export interface Told {
  readonly property: string
  readonly text: string
  /** A sentence for each fault and each deviation that is left. Texts tell some of them: see `fewOf`. */
  readonly sentences: readonly string[]
  /** The step whose fact broke the promise, in a sentence; null if no single fact did. */
  readonly brokenBy: string | null
  /** The events that led to the violation: the causal slice of the run, in order. */
  readonly causes: readonly Cause[]
  /** From which step on it fails whatever comes next; absent or undefined if no continuations were asked for. */
  readonly inevitable?: Inevitable | undefined
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
  /** Finds the step after which every random continuation of the run fails, or says why it is not told. Undefined for 0 continuations. */
  inevitable(options: InevitableOptions): Promise<Inevitable | undefined>
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
      `${brokenName(violation)}: the shrunk run does not break it when it is made from its settings again`,
    )
  }
  const breaking = breakingIn(failing.run, broken)
  const told: Told = {
    property: broken.property,
    text: broken.text,
    runs,
    isCut,
    sentences: [...faults.map(printFault), ...sentencesOf(deviations, failing)],
    brokenBy: breaking ? stepText(breaking) : null,
    causes: causesOf(failing, deviations, broken),
    deviations: listOf(deviations).length,
    faults: faults.length,
    tasks: specification.tasks,
  }
  return {
    told,
    failing,
    nearest: () => nearestTo(specification, deviations, failing),
    inevitable: async (options) => {
      if (options.runs === 0) return undefined
      // no step breaks the promise, and each continuation would take as long, until the same limit ends it
      if (!breaking && !endsByItself(failing)) return withoutTurningPoint('the run does not end by itself')
      return await inevitableOf(specification, deviations, broken.property, options).catch((error: unknown) => {
        if (!(error instanceof NotReproduced)) throw error
        return withoutTurningPoint(error.message)
      })
    },
  }
}

const endsByItself = ({ result: { end } }: Traced): boolean => end.ended === 'idle' || end.ended === 'until'

/** What is told of a case that needs neither a fault nor another order. */
const PLAIN = 'it fails without any deviation or fault'

/** A failing run in lines: what it deviates in, and what led to it. */
export const toldLines = (told: Told): string[] => [
  ...fewOf(told.sentences.length > 0 ? told.sentences : [PLAIN]).map((sentence) => `  - ${sentence}`),
  ...causeOf(told).map((sentence) => `  ${sentence}`),
]

/** The most faults and deviations that are told. A run that was not shrunk to its end may have hundreds. */
const SENTENCES_MAX = 20

/** The first and the last sentences; those between them are counted. */
export function fewOf(sentences: readonly string[]): readonly string[] {
  const left = sentences.length - SENTENCES_MAX
  if (left <= 0) return sentences
  const half = SENTENCES_MAX / 2
  return [...sentences.slice(0, half), `... and ${left} more`, ...sentences.slice(-half)]
}

/** Where a run breaks its promise, when that became inevitable, and what led to it, in sentences. */
export const causeOf = ({
  brokenBy,
  causes,
  inevitable,
}: Pick<Told, 'brokenBy' | 'causes' | 'inevitable'>): string[] => [
  ...(brokenBy === null ? [] : [brokenBy]),
  ...(inevitable?.sentences ?? []),
  // the only event of a slice is the one that breaks the promise, which has been told
  ...(causes.length > 1 ? [CAUSES] : []),
  ...(causes.length > 1 ? causes : []).map(({ text, isDecision }) => `${isDecision ? '*' : ' '} ${text}`),
]

const CAUSES = 'what led to it; * marks what the schedule or a fault decided:'

/** The latest deviation or fault is left out first, since what comes before it stays the same. */
async function nearestTo(
  specification: Specification,
  deviations: Deviations,
  failing: Traced,
): Promise<Passing | null> {
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
