/** The flags of the cluster. */
import {
  duration,
  grouped,
  integer,
  type OptionsOf,
  optional,
  repeated,
  toggle,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import { type Time, units } from '../../lib/core/time.ts'
import { holding, jobs, user } from './description.ts'
import { sharedFlags, sleeper } from './shared-flags.ts'

/** Flags of the workload. */
const workloadFlags = {
  jobs: repeated({
    metavar: 'USER@M[:T],...',
    parse: jobs,
    help: "endless jobs: one with T tickets (default 1) of the user's currency on each named machine, such as `A@m1,m2:2`; default: one of A on every machine, and one of another user on each",
  }),
  user: repeated({
    metavar: 'NAME=T',
    parse: user,
    help: 'base tickets of a user (default 100 for every user with jobs)',
  }),
  currency: repeated({
    metavar: 'NAME=C:T,...',
    parse: holding,
    help: 'a currency that holds T tickets of the currency C, such as "proj=alice:300,bob:10"; its jobs begin when all servers know of it',
  }),
  sleeper: repeated({
    metavar: 'USER:RUN:SLEEP',
    parse: sleeper,
    help: 'jobs of this user or currency alternate between RUN ms of running and SLEEP ms of sleeping; several for one user follow each other',
  }),
}

/** Flags of the scheduler, the ticket servers and what they cost. */
const protocolFlags = {
  independent: toggle('run without ticket servers: every processor knows only its own jobs'),
  period: optional({
    metavar: 'P',
    parse: duration,
    help: 'how often a processor asks its ticket server, in milliseconds of the model (its unit; default 1000)',
  }),
  patience: optional({
    metavar: 'T',
    parse: duration,
    help: 'how long a processor waits for the answer before it counts only its own jobs (default 0; in real time a quarter of the period)',
  }),
  quantum: value({ metavar: 'Q', fallback: '20', parse: duration, help: 'how long a job runs at a time' }),
  switch: value({
    metavar: 'W',
    fallback: '0',
    parse: duration,
    help: 'cost of switching to another job, charged to that job',
  }),
}

/** Flags of the length of the run. */
const lengthFlags = {
  until: value({ metavar: 'T', fallback: '20000', parse: duration, help: 'end of the run' }),
}

export const flags = {
  ...sharedFlags,
  machines: value({
    metavar: 'N',
    fallback: '4',
    parse: integer({ min: 1, max: 300 }),
    help: 'number of machines m1, m2, ..., each with a processor and a ticket server',
  }),
  ...grouped('workload', workloadFlags),
  ...grouped('protocol', protocolFlags),
  ...grouped('run', lengthFlags),
}

export type GivenOptions = OptionsOf<typeof flags>

/** Options with a period: shares are shown by periods, also without ticket servers. */
export type Options = GivenOptions & { readonly period: Time }

const PERIOD = units(1000)

/** The time until a change is known everywhere: two ticks and a message. */
export const spreadOf = ({ period, latency, jitter }: Pick<Options, 'period' | 'latency' | 'jitter'>): Time =>
  2 * period + latency + jitter

/** The start of the measurement of shares, a whole number of periods. */
export function settledBy(options: Options): Time {
  const { period, independent } = options
  if (independent) return 0
  return period * Math.ceil(((options.currency.length > 0 ? 2 : 1) * spreadOf(options)) / period)
}

export const patienceOf = ({ patience, time, period }: Options): Time =>
  patience ?? (time === 'real' ? Math.round(period / 4) : 0)

/** The options of a run. @throws UsageError for senseless combinations of flags */
export function sensible(given: GivenOptions): Options {
  const options = { ...given, period: given.period ?? PERIOD }
  const { period, quantum, until, independent, time } = options
  if (independent) requireAlone(given)
  requireTime(given)
  if (period === 0) throw UsageError.invalid('--period', 'a time > 0', '"0"')
  if (quantum === 0) throw UsageError.invalid('--quantum', 'a time > 0', '"0"')
  const patience = patienceOf(options)
  if (patience >= period)
    throw UsageError.invalid('--patience', `less than --period (${printUnits(period)})`, printUnits(patience))
  if (time === 'real' && patience === 0)
    throw UsageError.invalid('--patience', 'a time > 0', '"0"', 'in real time an answer takes time')
  const least = settledBy(options) + period
  if (until < least) {
    throw UsageError.invalid(
      '--until',
      `at least ${printUnits(least)}`,
      printUnits(until),
      'a run ends one period or more after its shares have settled',
    )
  }
  const span = until - settledBy(options)
  if (quantum > span) {
    throw UsageError.invalid('--quantum', `at most the measured time (${printUnits(span)})`, printUnits(quantum))
  }
  return options
}

/** Refuses sleeps of no time, which give the processor up and are no sleeps. */
function requireTime({ sleeper }: GivenOptions): void {
  if (sleeper.some(({ sleep }) => sleep === 0)) throw UsageError.invalid('--sleeper', 'a SLEEP > 0', '"0"')
}

/** Refuses flags that make no sense without ticket servers. */
function requireAlone({ currency, period, patience }: GivenOptions): void {
  if (currency.length > 0) {
    throw UsageError.conflicts(
      '--independent',
      '--currency',
      'without ticket servers no processor learns of a currency',
    )
  }
  const given = period !== undefined ? '--period' : patience !== undefined ? '--patience' : undefined
  if (given) throw UsageError.conflicts('--independent', given, 'there is no ticket server to ask')
}
