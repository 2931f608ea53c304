/** Explains one failing run, whose schedule was pasted: what it breaks, and when that became inevitable. */

import { DeviationScheduler, isDeviations } from '../../../lib/actor/schedule.ts'
import { type Invocation, noneViolated, type Outcome, UsageError } from '../../../lib/cli/index.ts'
import { quoted } from '../../../lib/core/format.ts'
import { commandFor, limited, specificationOf } from '../../../lib/explore/counterexample.ts'
import { execute } from '../../../lib/explore/execution.ts'
import { limitOf } from '../../../lib/explore/explore.ts'
import { fewOf, shrunkRun, toldLines } from '../../../lib/explore/shrunk-run.ts'
import { flagName, type Given } from '../../../lib/scenario/flags.ts'
import { brokenName, inSentence } from '../../../lib/scenario/oracle.ts'
import type { RunLimits } from '../../../lib/scenario/specification.ts'
import { evidenceOf, failureExhibit } from '../both-runs.ts'
import { continuingFor } from '../shrinking.ts'
import type { Subject } from '../subject.ts'
import type { ExploreOptions } from './flags.ts'

/** The flags of the explorer that say something of one run. */
const OF_ONE_RUN: ReadonlySet<string> = new Set([
  ...['scenario', 'inevitable', 'shrinkSeconds', 'livelock', 'hold', 'unfair', 'seed', 'report', 'json', 'quiet'],
])

/** @throws UsageError for a flag of a search, which makes no sense for one run */
export function requireOneRun(own: readonly string[], given: Given): void {
  const key = own.find((one) => given.has(one) && !OF_ONE_RUN.has(one))
  if (key !== undefined) throw UsageError.conflicts(flagName(key), '--schedule', 'it explains one run')
}

/** @throws UsageError for a schedule that the explorer did not print, or that was made for other flags */
export async function explained(
  { given, ...explored }: Subject,
  schedule: string,
  limits: Partial<RunLimits>,
  { options, progress, note }: Invocation<ExploreOptions>,
): Promise<Outcome> {
  const { name, scenario } = explored
  const { inevitable: runs, shrinkSeconds, report } = options
  const specification = specificationOf(scenario, { given: [...given], limits })
  const { schedule: deviations } = specification.options
  if (!isDeviations(deviations))
    throw UsageError.invalid('--schedule', 'a schedule that the explorer printed (b1:...)', quoted(schedule))
  note(`${name}: the run of a schedule`)
  const { violations } = await execute(specification, new DeviationScheduler(deviations))
  const [violation, ...others] = violations
  if (!violation) {
    const text = 'this schedule breaks no promise'
    return { results: { case: null }, checks: [noneViolated([], 'by this schedule')], messages: 0, text }
  }
  const tasks = Array.from({ length: specification.tasks }, (_, i) => i)
  const { faults } = specification
  const run = await shrunkRun(specification, { deviations, faults, tasks, violation, runs: 0, isCut: false })
  const inevitable = await run.inevitable(continuingFor(shrinkSeconds, 'the run', runs, { progress }))
  const told = { ...run.told, inevitable }
  const own: Given = new Map([...given].filter(([key]) => key !== 'schedule'))
  const flags = limited(own, limitOf(run.failing.result, specification.options))
  const command = commandFor(explored, flags, schedule)
  const alsoBroken = others.map((other) => `also broken: ${inSentence(other)}`)
  const broken = [...new Set(violations.map(brokenName))]
  return {
    results: { case: { ...told, flags: Object.fromEntries(flags), schedule, command } },
    checks: [{ ...noneViolated(broken, 'by this schedule'), evidence: evidenceOf({ ...run, told }) }],
    messages: 0,
    text: [inSentence(told), ...toldLines(told), ...fewOf(alsoBroken)].join('\n'),
    exhibits: report === undefined ? {} : await failureExhibit({ ...run, told }),
  }
}
