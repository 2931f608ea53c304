/** Mail to the living that never came: what a protocol may promise is less then. */
import { LOST_CUT, LOST_NETWORK, LOST_REASONS, LOST_UNACKNOWLEDGED, LOST_WINDOW } from '../memory/record.ts'
import type { System } from '../system.ts'

const LOSSES = [LOST_NETWORK, LOST_CUT, LOST_UNACKNOWLEDGED, LOST_WINDOW].map((code) => LOST_REASONS[code] ?? '')

/** How many messages were lost for good; of reliable delivery those that were given up, to the dead too. */
export const lostForGood = ({ deadLetters }: Pick<System, 'deadLetters'>): number =>
  LOSSES.reduce((sum, reason) => sum + (deadLetters.get(reason) ?? 0), 0)
