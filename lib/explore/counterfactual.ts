/** Does anybody notice a race? The run is had once more with the two in the other order, to its end. */
import { DeviationScheduler, type Deviations } from '../actor/schedule.ts'
import { differenceOfLists } from '../core/difference.ts'
import { printUnits } from '../core/format.ts'
import type { Specification } from '../scenario/specification.ts'
import type { Trace } from '../trace/read.ts'
import { type Run, thingOf } from '../trace/run.ts'
import type { Execution } from './execution.ts'
import type { Race } from './races.ts'
import { traced } from './traced.ts'

export interface Counterfactual {
  readonly race: Race
  /** With these it can be had again, on threads too. */
  readonly deviations: Deviations
  /** Did the rival really come first? */
  readonly isSwapped: boolean
  /** Null if nobody who uses the system can tell it from the recorded run. */
  readonly effect: Effect | null
  readonly run: Run
  readonly trace: Trace
}

/** What came out otherwise: a promise was broken, or kept; tasks ended elsewhere; or the same, at other times. */
export interface Effect {
  readonly by: 'promise' | 'outcome' | 'time'
  /** As it was recorded, and with the other order. */
  readonly text: string
}

/** `deviations` are those of the recorded run. */
export async function tryOther(
  stage: Specification,
  recorded: Execution,
  deviations: Deviations,
  race: Race,
): Promise<Counterfactual> {
  const forced = withHold(deviations, race)
  const other = await traced(stage, new DeviationScheduler(forced))
  const { run, trace } = other
  return { race, deviations: forced, isSwapped: isSwappedIn(run, race), effect: effectOf(recorded, other), run, trace }
}

/** A thing is held once: until the later of the two. */
function withHold({ holds, ...fates }: Deviations, { hold }: Race): Deviations {
  return { ...fates, holds: [...holds.filter(({ thing }) => thing !== hold.thing), hold] }
}

function isSwappedIn(run: Run, { step: { who, incarnation, n }, rival }: Race): boolean {
  const lived = run.incarnations.find((one) => one.who === who && one.incarnation === incarnation)
  const first = lived?.steps[n]
  return first !== undefined && thingOf(first) === rival.thing
}

function effectOf(recorded: Execution, other: Execution): Effect | null {
  const promises = differenceOfLists('promise', broken(recorded), broken(other))
  if (promises) return { by: 'promise', text: between(promises.values) }
  const outcomes = differenceOfLists('outcome', recorded.outcome.split(', '), other.outcome.split(', '))
  if (outcomes) return { by: 'outcome', text: between(outcomes.values) }
  const times = differenceOfLists('time', ends(recorded), ends(other))
  return times ? { by: 'time', text: between(times.values) } : null
}

const broken = ({ violations }: Execution): string[] => violations.map(({ property }) => property)

const ends = (attempt: Execution): string[] =>
  [...attempt.ends].map(([name, at]) => `${name} at ${printUnits(at)}`).sort()

const between = ([was, is]: readonly [string, string]): string => `${was} | ${is}`
