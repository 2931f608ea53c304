/** How a user steers his classes towards the slowdowns that he wants (section 4). */
import type { PerClass } from './messages.ts'

/** A class keeps this much, or it could never recover. */
export const FLOOR = 1e-4

export const EQUAL: PerClass = [1 / 3, 1 / 3, 1 / 3]

const sum = (of: PerClass) => of[0] + of[1] + of[2]

const each = (one: (index: 0 | 1 | 2) => number): PerClass => [one(0), one(1), one(2)]

const scaled = (of: PerClass): PerClass => each((l) => of[l] / sum(of))

/** So that they add up to 1, and no class has less than FLOOR of that. Only ratios matter. */
export const normalised = (of: PerClass): PerClass => {
  const shares = scaled(of)
  return scaled(each((l) => Math.max(FLOOR, shares[l])))
}

/** A class that is slower than its target gets more. Not normalised. */
export const corrected = (coefficients: PerClass, slowdowns: PerClass, targets: PerClass): PerClass =>
  each((l) => (coefficients[l] * (slowdowns[l] / sum(slowdowns)) * sum(targets)) / targets[l])
