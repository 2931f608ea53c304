/** Flags and parsers that the programs of this folder share. */
import { type Parser, runFlagsWith, UsageError } from '../../lib/cli/index.ts'
import { decimal, parseUnits, quoted } from '../../lib/core/format.ts'
import type { Time } from '../../lib/core/time.ts'

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

/** A client that runs and sleeps in turn. */
export interface Sleeper {
  readonly name: string
  readonly run: Time
  readonly sleep: Time
}

/** Whether a text is the name of a client or user. */
export const isName = (text: string): boolean => /^[A-Za-z][\w-]*$/.test(text)

/** `A:1:2` */
export const sleeper: Parser<Sleeper> = (given, flag) => {
  const [name = '', ran = '', slept = '', ...more] = given.split(':')
  const [run = 0, sleep] = [parseUnits(ran), parseUnits(slept)]
  if (!isName(name) || run === 0 || sleep === undefined || more.length > 0) {
    throw UsageError.invalid(flag, 'NAME:RUN:SLEEP in units, with RUN > 0', quoted(given))
  }
  return { name, run, sleep }
}

/** The bursts of a client by its `--sleeper` flags, in their order. */
export const burstsOf = (name: string, sleepers: readonly Sleeper[]) =>
  sleepers.filter((one) => one.name === name).map(({ run, sleep }) => ({ run, sleep }))
