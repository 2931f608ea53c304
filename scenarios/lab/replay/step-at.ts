/** Which step a number names. */
import { quoted } from '../../../lib/core/format.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import type { Run } from '../../../lib/trace/run.ts'

/**
 * The index in the run of what `--until` names: such an index itself or, of one actor, `STEP` of its first life or
 * `LIFE.STEP`.
 *
 * @throws UsageError if the run has no such step
 */
export function stepAt({ steps, lives }: Run, text: string, actor: string | undefined): number {
  const [, first, second] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (actor === undefined) {
    if (first === undefined || second !== undefined || Number(first) >= steps.length) {
      throw new UsageError('--until', `a step of this run, 0 to ${steps.length - 1}`, quoted(text))
    }
    return Number(first)
  }
  const [life, n] = second === undefined ? [0, Number(first)] : [Number(first), Number(second)]
  const own = lives.filter(({ who }) => who === actor)
  const step = own.find((one) => one.life === life)?.steps[n]
  if (step) return step.index
  const there = own.map(({ life, steps }) => `${life === 0 ? '' : `${life}.`}0 to ${steps.length - 1}`)
  throw new UsageError('--until', `a step of ${actor} (${there.join(', ')})`, quoted(text))
}
