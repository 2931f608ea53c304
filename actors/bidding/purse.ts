/** A client's points, in markets where priority costs some: every period brings new ones, and none are lost. */
import type { Time } from '../../lib/actor.ts'
import type { Terms } from './terms.ts'

export type Purse = {
  /** Points of the owners of other tasks done on the own machine. */
  readonly earned: number
  /** Points spent on announced tasks. */
  readonly spent: number
}

export const EMPTY_PURSE: Purse = { earned: 0, spent: 0 }

/** What is left to spend; the first period has begun at 0. */
export const pointsLeft = ({ earned, spent }: Purse, { points, period }: Terms['income'], now: Time): number =>
  points * (1 + Math.floor(now / period)) + earned - spent
