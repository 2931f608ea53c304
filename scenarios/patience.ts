/** How long whoever waits for an answer waits until he asks again: `--patience` of scenarios in which anybody may die. */
import { UsageError } from '../lib/cli/index.ts'
import { printUnits } from '../lib/core/format.ts'
import { type Time, units } from '../lib/core/time.ts'

interface Waiting {
  /** Null: for ever; undefined: nothing is said of it. */
  readonly patience?: Time | null | undefined
  readonly latency: Time
  readonly jitter: Time
}

/** There, and back. */
export const bothWays = ({ latency, jitter }: Pick<Waiting, 'latency' | 'jitter'>): Time => 2 * (latency + jitter)

/** Where somebody may die, and nothing is said: before an answer is missed it has had time to come, twice. */
export const enough = (options: Waiting, grace = units(10)): Time => grace + 2 * bothWays(options)

/** @throws UsageError if an answer cannot come in time */
export function requireEnough(patience: Time, options: Waiting): Time {
  const both = bothWays(options)
  if (patience > both) return patience
  throw UsageError.invalid('--patience', `more than two delays (${printUnits(both)})`, printUnits(patience))
}
