/** How users fare beside each other. */
import { mean, median } from 'simple-statistics'
import { units } from '../../../lib/actor.ts'
import { type Finished, responseOf } from '../results.ts'

/** Ten seconds (Feitelson): shorter jobs count as this long, so that tiny ones do not rule the mean slowdown. */
const BOUND = units(1 / 6)

/** Response over service, both of at least the bound. */
export const boundedSlowdown = (story: Finished): number =>
  Math.max(1, responseOf(story) / Math.max(story.request.work, BOUND))

export interface Fairness {
  /** Jain's index of the users' mean bounded slowdowns: 1 if all are equal, 1 / users if one has it all. */
  readonly jain: number
  /** The largest of them over their median. */
  readonly worst: number
}

/** (sum x)^2 / (n * sum x^2) of positive numbers. */
export function jain(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0)
  const squares = values.reduce((total, value) => total + value * value, 0)
  return (sum * sum) / (values.length * squares)
}

/** Of at least one job. */
export function fairnessOf(stories: readonly Finished[]): Fairness {
  const users = [...new Set(stories.map(({ user }) => user))]
  const means = users.map((name) => mean(stories.filter(({ user }) => user === name).map(boundedSlowdown)))
  return { jain: jain(means), worst: Math.max(...means) / median(means) }
}
