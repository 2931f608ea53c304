/** A counterfactual run: the recorded run is repeated to its end with the two events of a race in the other order. */
import { DeviationScheduler, type Deviations, HOLD_BOUNDS } from '../actor/schedule.ts'
import { ABSENT, differenceOfLists } from '../core/difference.ts'
import { printUnits } from '../core/format.ts'
import type { Specification } from '../scenario/specification.ts'
import type { Trace } from '../trace/read.ts'
import { type Run, thingOf } from '../trace/run.ts'
import { type Execution, traced } from './execution.ts'
import type { Race } from './races.ts'

export interface Counterfactual {
  readonly race: Race
  /** The deviations that repeat this run, on threads too. */
  readonly deviations: Deviations
  /** Whether the other event really came first. */
  readonly isSwapped: boolean
  /** The visible effect; null if users of the system cannot tell this run from the recorded one. */
  readonly effect: CounterfactualEffect | null
  readonly run: Run
  readonly trace: Trace
}

/** The visible difference between two runs: in the invariants that they violate, in the outcome, or only in times. */
export interface CounterfactualEffect {
  readonly by: 'promise' | 'outcome' | 'time'
  /** Both values as `recorded | other order`. */
  readonly text: string
}

/** Runs the specification with a race in the other order; `deviations` are those of the recorded run. */
export async function tryOther(
  specification: Specification,
  recorded: Execution,
  deviations: Deviations,
  race: Race,
): Promise<Counterfactual> {
  const forced = withHold(deviations, race)
  const other = await traced(specification, new DeviationScheduler(forced))
  const { run, trace } = other
  return { race, deviations: forced, isSwapped: isSwappedIn(run, race), effect: effectOf(recorded, other), run, trace }
}

/**
 * The deviations with one more hold, which may last until the rival is due; it replaces an earlier hold of the same event.
 */
function withHold({ holds, bounds = HOLD_BOUNDS, ...fates }: Deviations, { hold, step, rival }: Race): Deviations {
  const longest = Math.max(bounds.longest, rival.at - step.at)
  const isDefault = longest === HOLD_BOUNDS.longest && bounds.calm === null
  return {
    ...fates,
    holds: [...holds.filter(({ thing }) => thing !== hold.thing), hold],
    ...(!isDefault && { bounds: { ...bounds, longest } }),
  }
}

function isSwappedIn(run: Run, { step: { who, incarnation, n }, rival }: Race): boolean {
  const lived = run.incarnations.find((one) => one.who === who && one.incarnation === incarnation)
  const first = lived?.steps[n]
  return first !== undefined && thingOf(first) === rival.thing
}

function effectOf(recorded: Execution, other: Execution): CounterfactualEffect | null {
  const runs = [recorded, other] as const
  const promises = differenceOfLists('promise', broken(recorded), broken(other))
  if (promises) return { by: 'promise', text: between(promises.values.map(brokenText), runs.map(noneBroken)) }
  const missing = [missingIn(recorded, other), missingIn(other, recorded)]
  const outcomes = differenceOfLists('outcome', recorded.outcome.split(', '), other.outcome.split(', '))
  if (outcomes) return { by: 'outcome', text: between(outcomes.values, missing) }
  const times = differenceOfLists('time', ends(recorded), ends(other))
  return times ? { by: 'time', text: between(times.values, missing) } : null
}

const broken = ({ violations }: Execution): string[] => violations.map(({ property }) => property)

const brokenText = (name: string): string => (name === ABSENT ? name : `the promise "${name}" is broken`)

const ends = (attempt: Execution): string[] =>
  [...attempt.ends].map(([name, at]) => `${name} at ${printUnits(at)}`).sort()

/** What a run is said to lack if it breaks no promise that the other run keeps. */
const noneBroken = ({ violations }: Execution): string =>
  violations.length === 0 ? 'no promise is broken' : 'no other promise is broken'

/** What a run is said to lack if the other run alone has an outcome: the tasks that do not end in it. */
function missingIn(run: Execution, other: Execution): string {
  const names = [...other.ends.keys()].filter((name) => !run.ends.has(name))
  if (names.length === 0) return 'no such outcome'
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more} ${names.length === 1 ? 'does' : 'do'} not end`
}

const NAMES_SHOWN = 3

/** Both values; where a run has none, its text in `missing`. */
const between = (values: readonly string[], missing: readonly string[]): string =>
  values.map((value, i) => (value === ABSENT ? (missing[i] ?? value) : value)).join(' | ')
