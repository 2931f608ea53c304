/** A mistake that could have been made in a protocol: a change of one line. */
import type { AllowedFault } from '../../lib/explore/fault-generator.ts'

export interface Bug {
  readonly name: string
  /** The resulting misbehaviour. */
  readonly what: string
  /** The changed file, below `actors/`. */
  readonly file: string
  /** The original text, which occurs in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** The scenario that shows the bug: one that can be explored, or one of `scenes.ts`. */
  readonly scenario: string
  readonly args: string
  /** The faults that the bug needs to show. */
  readonly allowed: readonly AllowedFault[]
  /** The promise that the bug breaks. */
  readonly property: string
  /** The number of schedules in which the default strategy finds the bug. */
  readonly within: number
}
