/** The step that `--until` names. */
import { quoted } from '../../../lib/core/format.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import type { Run } from '../../../lib/trace/run.ts'

/**
 * The index in the run of the step that `--until` names. The text is such an index or, for one actor, `STEP` of its
 * first incarnation or `INCARNATION.STEP`.
 *
 * @throws UsageError if the run has no such step
 */
export function stepAt({ steps, incarnations }: Run, text: string, actor: string | undefined): number {
  const [, first, second] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (actor === undefined) {
    if (first === undefined || second !== undefined || Number(first) >= steps.length) {
      throw UsageError.invalid('--until', `a step of this run, 0 to ${steps.length - 1}`, quoted(text))
    }
    return Number(first)
  }
  const [incarnation, n] = second === undefined ? [0, Number(first)] : [Number(first), Number(second)]
  const own = incarnations.filter(({ who }) => who === actor)
  const step = own.find((one) => one.incarnation === incarnation)?.steps[n]
  if (step) return step.index
  const there = own.map(
    ({ incarnation, steps }) => `${incarnation === 0 ? '' : `${incarnation}.`}0 to ${steps.length - 1}`,
  )
  throw UsageError.invalid('--until', `a step of ${actor} (${there.join(', ')})`, quoted(text))
}
