/** The flags of one run, with examples of those who take part here. */
import { runFlags as shared } from '../../lib/cli/index.ts'
import { decimal } from '../../lib/core/format.ts'

export const sharedFlags = {
  ...shared,
  fault: {
    ...shared.fault,
    help: 'such as "kill ticket-server@m2 at 500", "restart ticket-server@m2 at 700", "kill @m3 after 20 share", "kill random every 400", "stall processor@m1 for 50 at 100", "cut m1,m2 | m3,m4 at 100 until 300"',
  },
}

/** So far apart that sums of tickets stay exact to a billionth: a processor adds and subtracts them in doubles. */
const MIN = 0.001
const MAX = 1_000_000

/** What `ticketsIn` takes, for errors. */
export const TICKETS = `tickets from ${MIN} to ${MAX}`

/** Undefined for anything but a number of tickets within the limits. */
export function ticketsIn(text: string): number | undefined {
  const amount = decimal(text)
  return amount !== undefined && amount >= MIN && amount <= MAX ? amount : undefined
}
