/**
 * Shrinks a counterexample until it can be read: fewer and milder faults, then fewer deviations and shorter holds, then fewer
 * tasks, while the same invariant is violated.
 */

import {
  DeviationScheduler,
  type Deviations,
  HOLD_BOUNDS,
  type Hold,
  type HoldBounds,
  type TransmissionName,
} from '../actor/schedule.ts'
import { BourseError } from '../core/error.ts'
import type { Fault } from '../scenario/faults.ts'
import type { Violation } from '../scenario/oracle.ts'
import type { Specification } from '../scenario/specification.ts'
import { ddmin } from './ddmin.ts'
import { execute } from './execution.ts'
import type { Failure } from './explore.ts'

export interface Shrunk {
  readonly deviations: Deviations
  readonly faults: readonly Fault[]
  /** The numbers of the tasks that are left. */
  readonly tasks: readonly number[]
  readonly violation: Violation
  /** The number of runs that shrinking took. */
  readonly runs: number
}

/** Thrown if a failing run does not fail in the same way when it is repeated. */
export class NotReproduced extends BourseError {
  override readonly name = 'NotReproduced'

  constructor(message: string) {
    super('BOURSE_NOT_REPRODUCED', message)
  }
}

type Deviation =
  | { readonly type: 'hold'; readonly hold: Hold }
  | { readonly type: 'lost' | 'doubled'; readonly passage: TransmissionName }

/** The deviations one by one. */
export const listOf = ({ holds, lost, doubled }: Deviations): Deviation[] => [
  ...holds.map((hold) => ({ type: 'hold' as const, hold })),
  ...lost.map((passage) => ({ type: 'lost' as const, passage })),
  ...doubled.map((passage) => ({ type: 'doubled' as const, passage })),
]

export const fromList = (list: readonly Deviation[], bounds: HoldBounds | undefined): Deviations => ({
  holds: list.flatMap((one) => (one.type === 'hold' ? [one.hold] : [])),
  lost: list.flatMap((one) => (one.type === 'lost' ? [one.passage] : [])),
  doubled: list.flatMap((one) => (one.type === 'doubled' ? [one.passage] : [])),
  ...(bounds && { bounds }),
})

/**
 * Shrinks a failure: removes faults, deviations and tasks while the same invariant is violated.
 *
 * @throws NotReproduced if the run does not fail again
 */
export async function shrink(
  specification: Specification,
  { violations, deviations, faults }: Failure,
): Promise<Shrunk> {
  const [first] = violations
  if (!first) throw new NotReproduced('the run broke no promise')
  let { bounds } = deviations
  let runs = 0
  let last = first
  /** Whether the same invariant is violated. */
  const fails = async (part: Specification, list: readonly Deviation[], plan: readonly Fault[]): Promise<boolean> => {
    runs++
    const again = await execute(part, new DeviationScheduler(fromList(list, bounds)), plan)
    const same = again.violations.find(({ property }) => property === first.property)
    if (same) last = same
    return same !== undefined
  }
  const all = listOf(deviations)
  if (!(await fails(specification, all, faults))) {
    throw new NotReproduced(`${first.property}: the run does not break it when it is repeated`)
  }
  let plan = await ddmin(faults, (part) => fails(specification, all, part))
  plan = await milder(plan, (part) => fails(specification, all, part))
  let list = await ddmin(all, (part) => fails(specification, part, plan))
  list = await shortened(list, (part) => fails(specification, part, plan))
  const everyTask = Array.from({ length: specification.tasks }, (_, i) => i)
  // Without one task the numbers of others change, so the part often passes, and all tasks stay.
  const tasks = await ddmin(everyTask, async (part) => part.length > 0 && fails(specification.only(part), list, plan))
  const small = tasks.length < everyTask.length ? specification.only(tasks) : specification
  plan = await ddmin(plan, (part) => fails(small, list, part))
  list = await ddmin(list, (part) => fails(small, part, plan))
  bounds = usual(bounds)
  if (!(await fails(small, list, plan))) {
    bounds = deviations.bounds
    await fails(small, list, plan)
  }
  return { deviations: fromList(list, bounds), faults: plan, tasks, violation: last, runs }
}

/** Each fault with as small a loss of its actor's disk as it can have. */
async function milder(
  plan: readonly Fault[],
  fails: (part: readonly Fault[]) => Promise<boolean>,
): Promise<readonly Fault[]> {
  let kept = plan
  for (const [place, fault] of plan.entries()) {
    for (const one of milderThan(fault)) {
      const part = kept.with(place, one)
      if (!(await fails(part))) continue
      kept = part
      break
    }
  }
  return kept
}

/** The same fault with less loss, the mildest first. */
function* milderThan(fault: Fault): Iterable<Fault> {
  if (!('loss' in fault) || !fault.loss) return
  const { loss, ...without } = fault
  yield without
  for (let writes = 1; writes < loss.writes; writes++) yield { ...without, loss: { writes } }
  if (loss.isTorn) yield { ...without, loss: { writes: loss.writes } }
}

/** The bounds with the usual longest hold: most small runs need no other, and their schedules are shorter without it. */
const usual = (bounds: HoldBounds | undefined): HoldBounds | undefined =>
  bounds && (bounds.calm === null ? undefined : { ...HOLD_BOUNDS, calm: bounds.calm })

/** Each hold as short as it can be. */
async function shortened(
  list: readonly Deviation[],
  fails: (part: readonly Deviation[]) => Promise<boolean>,
): Promise<readonly Deviation[]> {
  let kept = list
  for (const [place, one] of list.entries()) {
    if (one.type !== 'hold') continue
    for (let until = 1; until < one.hold.until; until++) {
      const shorter = kept.with(place, { type: 'hold', hold: { ...one.hold, until } })
      if (!(await fails(shorter))) continue
      kept = shorter
      break
    }
  }
  return kept
}
