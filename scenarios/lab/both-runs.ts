/** Two runs side by side on a page, each at the place where they diverge. */
import type { Counterexample } from '../../lib/explore/counterexample.ts'
import { causeOf, type Passing, type ShrunkRun } from '../../lib/explore/shrunk-run.ts'
import type { Recorded } from '../../lib/report/model.ts'
import type { Check } from '../../lib/scenario/checks.ts'
import { divergenceOf } from '../../lib/trace/diff.ts'
import type { Run } from '../../lib/trace/run.ts'
import { curvePicture } from './curve.ts'
import { pageOf } from './reading.ts'

/**
 * The lines where two runs diverge, one of each. Where the actor takes no further step in a run, it is the line of its last
 * step there. Undefined if the runs do not diverge, or if the actor took no step.
 */
export function divergingLines(one: Run, other: Run): readonly (number | undefined)[] {
  const divergence = divergenceOf(one, other)
  if (!divergence) return []
  const { who, steps } = divergence
  return [one, other].map((run, i) => (steps[i] ?? run.steps.findLast((step) => step.who === who))?.line)
}

/**
 * A shrunk failing run and its nearest passing run, each at the fault that only the first one has, or else where they diverge.
 * Default of `page`: the reader of the scenario that the trace names.
 */
export async function failingAndPassing(
  { told, failing, nearest }: ShrunkRun,
  page = pageOf(failing.trace.head),
): Promise<Recorded[]> {
  const passing = await nearest()
  const [bad, good] = passing ? focusOf(failing.run, passing) : []
  return [
    { name: `Fails: ${told.property}`, lines: failing.trace.lines, focus: bad, page, pictures: curvePicture(told) },
    ...(passing
      ? [{ name: `Holds without: ${passing.without}`, lines: passing.run.trace.lines, focus: good, page }]
      : []),
  ]
}

/** The line of the fault that the passing run lacks, and the last line of that run before it. */
function focusOf(failing: Run, { without, run: { run: passing } }: Passing): readonly (number | undefined)[] {
  const fault = failing.system.find((event) => event.type === 'fault' && event.fault === without)
  if (!fault) return divergingLines(failing, passing)
  return [fault.line, passing.steps.findLast(({ at }) => at <= fault.at)?.line]
}

/** A failed check with a counterexample: what happens in it, and the command that repeats it. */
export const withEvidence = (check: Check, { told }: Counterexample): Check => ({
  ...check,
  evidence: [`${told.property}: ${told.text}`, ...told.sentences, ...causeOf(told)],
  repeat: `${told.command} --runtime inline`,
})
