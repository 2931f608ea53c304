/** Tickets as people type them. */
import { decimal } from '../../lib/core/format.ts'

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
