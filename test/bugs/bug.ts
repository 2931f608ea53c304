/** A mistake that could have been made in one of our protocols: one line of it, otherwise. */
import type { AllowedFault } from '../../lib/explore/fault-generator.ts'

export interface Bug {
  readonly name: string
  /** What then goes wrong. */
  readonly what: string
  /** Below `actors/`. */
  readonly file: string
  /** Occurs there exactly once. */
  readonly find: string
  readonly replace: string
  /** Where it shows: a scenario that can be explored, or one of `scenes.ts`. */
  readonly scenario: string
  readonly args: string
  /** Faults without which it cannot show. */
  readonly allowed: readonly AllowedFault[]
  /** The promise that it breaks. */
  readonly property: string
  /** The strategy that finds it first, and within how many schedules. */
  readonly strategy: string
  readonly within: number
}
