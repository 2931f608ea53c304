/** Mail to the living that never came: what a protocol may promise is less then. */
import * as record from '../memory/record.ts'
import type { System } from '../system.ts'

const LOSSES = [
  ...[record.LOST_NETWORK, record.LOST_CUT, record.LOST_UNACKNOWLEDGED, record.LOST_WINDOW],
  ...[record.LOST_BETWEEN_HOSTS, record.LOST_NO_HOST, record.LOST_TOO_LONG, record.LOST_UNHEARD],
].map((code) => record.LOST_REASONS[code] ?? '')

/** How many messages were lost for good; of reliable delivery those that were given up, to the dead too. */
export const lostForGood = ({ deadLetters }: Pick<System, 'deadLetters'>): number =>
  LOSSES.reduce((sum, reason) => sum + (deadLetters.get(reason) ?? 0), 0)
