/** `--patience`: how long an actor waits for an answer before it asks again. Scenarios whose actors may die have it. */
import { UsageError } from '../lib/cli/index.ts'
import { printUnits } from '../lib/core/format.ts'
import { type Time, units } from '../lib/core/time.ts'

interface Waiting {
  /** The given patience: null is for ever, undefined if the flag is absent. */
  readonly patience?: Time | null | undefined
  readonly latency: Time
  readonly jitter: Time
}

/** The longest time of a message and its answer. */
export const bothWays = ({ latency, jitter }: Pick<Waiting, 'latency' | 'jitter'>): Time => 2 * (latency + jitter)

/** The default patience if actors may die: time for two messages and their answers, and a grace. */
export const enough = (options: Waiting, grace = units(10)): Time => grace + 2 * bothWays(options)

/** Returns the patience. @throws UsageError if an answer cannot come in time */
function requireEnough(patience: Time, options: Waiting): Time {
  const both = bothWays(options)
  if (patience > both) return patience
  throw UsageError.invalid('--patience', `more than two delays (${printUnits(both)})`, printUnits(patience))
}

/**
 * The patience of a run: the given one, or by default `enough` if the run is troubled. `isNeeded` says whether some answers
 * never come.
 *
 * @throws UsageError for no patience where it is needed, and for one that is too short
 */
export function patienceOf(options: Waiting, isTroubled: boolean, isNeeded: boolean, grace?: Time): Time | null {
  const { patience } = options
  if (patience === undefined) return isTroubled ? enough(options, grace) : null
  if (patience === null && isNeeded)
    throw UsageError.invalid('--patience', 'a time', '"off"', 'with faults some answers never come')
  return patience === null ? null : requireEnough(patience, options)
}
