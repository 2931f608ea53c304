/** Flags and parsers that the programs of this folder share. */
import { runFlagsWith } from '../../lib/cli/index.ts'
import { decimal } from '../../lib/core/format.ts'

/** The flags of a run on a cluster. */
export const sharedFlags = runFlagsWith([
  'kill ticket-server@m2 at 500',
  'restart ticket-server@m2 at 700',
  'kill @m3 after 20 share',
  'kill random every 400',
  'pause processor@m1 for 50 at 100',
  'partition m1,m2 | m3,m4 at 100 until 300',
  'jump m2 by 30 at 100',
])

/**
 * Limits on tickets, so that sums of them stay exact to a billionth: a processor adds and subtracts them in doubles.
 */
const MIN = 0.001
const MAX = 1_000_000

/** The values that `ticketsIn` accepts, for errors. */
export const TICKETS = `tickets from ${MIN} to ${MAX}`

/** The number of tickets in a text; undefined unless it is a number within the limits. */
export function ticketsIn(text: string): number | undefined {
  const amount = decimal(text)
  return amount !== undefined && amount >= MIN && amount <= MAX ? amount : undefined
}
