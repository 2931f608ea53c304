/** The outcome of a run so far. Where actors are dead or mail was lost, fewer invariants hold. */
import type { Address } from '../core/address.ts'
import { sum } from '../core/tally.ts'
import * as record from '../memory/envelope.ts'
import type { System } from '../system/system.ts'

export interface RunOutcome {
  /** Whether nothing was left to do (quiescence). */
  readonly isIdle: boolean
  /** Whether all that must come in the end has had its time: nothing is left to do, or the calm part is over. */
  readonly isSettled: boolean
  readonly dead: ReadonlySet<Address>
  /** How many messages to the living were lost for good; of reliable delivery those that were given up, to the dead too. */
  readonly lost: number
  /** Whether the clock of a machine has jumped, so that its actors may have read wrong times. */
  readonly clocksJumped: boolean
}

const LOSSES = [
  ...[record.LOST_NETWORK, record.LOST_PARTITION, record.LOST_UNACKNOWLEDGED, record.LOST_WINDOW],
  ...[record.LOST_BETWEEN_HOSTS, record.LOST_NO_HOST, record.LOST_TOO_LONG, record.LOST_UNHEARD],
].map((code) => record.LOST_REASONS[code] ?? '')

/** The outcome of a system as it is now. */
export const outcomeOf = (system: System): RunOutcome => ({
  isIdle: system.quiet,
  isSettled: system.quiet,
  dead: new Set(system.actors.flatMap(({ address, status }) => (status.type === 'dead' ? [address] : []))),
  lost: sum(LOSSES, (reason) => system.deadLetters.get(reason) ?? 0),
  clocksJumped: system.clocksJumped,
})
