/** A failing fault plan on a page: its shrunk run beside the nearest run that keeps all promises. */

import { DeviationScheduler, NO_DEVIATIONS } from '../../../lib/actor/schedule.ts'
import { commandOf } from '../../../lib/core/command-name.ts'
import { type Traced, traced } from '../../../lib/explore/execution.ts'
import { type ShrinkOptions, type Shrunk, shrink } from '../../../lib/explore/shrink.ts'
import { type Passing, shrunkRun } from '../../../lib/explore/shrunk-run.ts'
import type { Recorded } from '../../../lib/report/model.ts'
import type { Check } from '../../../lib/scenario/checks.ts'
import { type PlannedRun, planSeed } from '../../../lib/scenario/fault-plans.ts'
import { printFault } from '../../../lib/scenario/faults.ts'
import { wordsOf } from '../../../lib/scenario/flags.ts'
import { inSentence } from '../../../lib/scenario/oracle.ts'
import type { Specification } from '../../../lib/scenario/specification.ts'
import { evidenceOf, type FailureExhibit, failureExhibit } from '../both-runs.ts'
import type { Subject } from '../subject.ts'
import { againOf, type FailingPlan, titleOf } from './block.ts'
import { withoutSeed } from './study.ts'

/** What a page shows of a failing plan: its runs, and what its failed check says. */
export interface PlanExhibit extends Required<Pick<Check, 'evidence' | 'repeat'>>, Partial<FailureExhibit> {
  readonly runs: readonly Recorded[]
}

type PlanSubject = Pick<Subject, 'name' | 'scenario' | 'given'>

/** Shrinks a failing plan. Where only the comparison of two runs failed, its one run is shown as it is. */
export async function planExhibit(
  { name, scenario, given }: PlanSubject,
  plan: FailingPlan,
  options: ShrinkOptions,
): Promise<PlanExhibit> {
  const { page } = scenario
  const planned = await scenario.faultPlans(withoutSeed(given)).draw(plan.kind, planSeed(plan))
  const repeat = againOf(scenario, name, plan, planned.given)
  const { faults } = planned.specification
  const whole = await plainly(planned.specification)
  const [broken] = whole.violations
  if (!broken) return { evidence: [], repeat, runs: [{ name: titleOf(plan), lines: whole.trace.lines, page }] }
  // where a command repeats the plan, tasks are left out only if it can leave them out, too
  const { onlyFlag } = scenario
  const isWhole = planned.given !== undefined && onlyFlag === undefined
  const shrinkable = isWhole ? { ...planned.specification, tasks: 0 } : planned.specification
  const failure = { run: plan.n, violations: [broken], deviations: NO_DEVIATIONS, faults }
  const small = await shrink(shrinkable, failure, options)
  const isOnly = !isWhole && small.tasks.length < planned.specification.tasks
  const only = (one: Specification): Specification => (isOnly ? one.only(small.tasks) : one)
  const run = await shrunkRun(only(planned.under(small.faults)), small)
  const calmer = async (): Promise<Passing | null> => (await run.nearest()) ?? calmly(only(planned.calm))
  const { told } = run
  return {
    evidence: [
      inSentence(told),
      `what is left of ${titleOf(plan)}: ${leftText(small, planned)}`,
      ...evidenceOf(run),
      ...(planned.given ? [] : ['the command repeats the whole plan:']),
    ],
    repeat: planned.given ? shrunkCommand({ name, scenario, given: planned.given }, small, isOnly) : repeat,
    ...(await failureExhibit({ ...run, nearest: calmer }, page)),
  }
}

const plainly = (specification: Specification): Promise<Traced> =>
  traced(specification, new DeviationScheduler(NO_DEVIATIONS))

async function calmly(specification: Specification): Promise<Passing | null> {
  const run = await plainly(specification)
  return run.violations.length === 0 ? { without: 'faults, losses, duplicates and jitter', run } : null
}

/** What shrinking has left of a plan: `1 of 4 faults and 2 of 20 tasks`. */
function leftText({ faults, tasks, isCut }: Shrunk, { specification: whole }: PlannedRun): string {
  const ofTasks = whole.tasks > 0 && tasks.length > 0 ? ` and ${tasks.length} of ${whole.tasks} tasks` : ''
  const cut = isCut ? ', until the time was up (--shrink-seconds)' : ''
  return `${faults.length} of ${whole.faults.length} timed faults${ofTasks}${cut}`
}

/** The command of the scenario with what shrinking has left of a plan. */
function shrunkCommand({ name, scenario, given }: PlanSubject, { faults, tasks }: Shrunk, isOnly: boolean): string {
  const { flags, onlyFlag } = scenario
  const kept = new Map([...given].filter(([key]) => key !== 'kill'))
  kept.set('fault', faults.map(printFault))
  if (isOnly && onlyFlag !== undefined) kept.set(onlyFlag, [tasks.join()])
  return [commandOf({ name, path: name }), ...wordsOf(flags, kept), '--runtime', 'inline'].join(' ')
}
