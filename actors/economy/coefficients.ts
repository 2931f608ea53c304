/** Steering: users adjust the weights of their classes towards their target slowdowns (section 4). */
import { sum } from '../../lib/core/tally.ts'
import type { PerClass } from './messages.ts'

/** The smallest weight of a class, as a share of the sum. A class without income could not recover. */
export const FLOOR = 1e-4

export const EQUAL: PerClass = [1 / 3, 1 / 3, 1 / 3]

const each = (one: (index: 0 | 1 | 2) => number): PerClass => [one(0), one(1), one(2)]

const scaled = (of: PerClass): PerClass => each((l) => of[l] / sum(of))

/** Scales weights to a sum of 1 with at least FLOOR for each class. Only their ratios matter. */
export const normalised = (of: PerClass): PerClass => {
  const shares = scaled(of)
  return scaled(each((l) => Math.max(FLOOR, shares[l])))
}

/** Increases the weights of classes that are slower than their targets. The result is not normalised. */
export const corrected = (coefficients: PerClass, slowdowns: PerClass, targets: PerClass): PerClass =>
  each((l) => (coefficients[l] * (slowdowns[l] / sum(slowdowns)) * sum(targets)) / targets[l])
