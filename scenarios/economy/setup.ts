/** Turns the flags of the economy into a model, for one run or for the explorer. */
import { futureOf, policyOf } from '../../actors/economy/terms.ts'
import { units } from '../../lib/actor.ts'
import { hasFaults, type OptionsOf, roomOn, UsageError } from '../../lib/cli/index.ts'
import { quoted } from '../../lib/core/format.ts'
import { jsonDigest } from '../../lib/core/json-digest.ts'
import type { Time } from '../../lib/core/time.ts'
import type { Setup } from '../../lib/scenario/definition.ts'
import { bothWays, patienceOf } from '../patience.ts'
import type { flags } from './flags.ts'
import type { Economy, UserTerms } from './model.ts'
import { generateEconomyJobs } from './workload/generate.ts'
import type { EconomyJob } from './workload/job.ts'
import { type EconomyWorkload, readWorkload } from './workload/read.ts'

export type Options = OptionsOf<typeof flags>

const USERS = 10

/** The time between statistics (section 5). */
const STATISTICS = units(2000)

/** The default length of a piece of extra time. */
const PIECE = units(10)

const usersUpTo = (count: number): string[] => Array.from({ length: count }, (_, i) => `u${i + 1}`)

/** The order of user names: u2 before u10. */
const byName = (one: string, other: string): number => one.length - other.length || (one < other ? -1 : 1)

interface Coming extends Pick<EconomyWorkload, 'dropped' | 'odd'> {
  readonly jobs: readonly EconomyJob[]
  readonly users: readonly string[]
}

function read(workload: string, { users, stretch, widest, jobs: first }: Options): Coming {
  if (widest !== undefined) throw UsageError.conflicts('--widest', '--workload', 'its jobs have their own widths')
  const found = readWorkload(workload, { first, stretch })
  if (users === undefined) return { ...found, users: found.users.toSorted(byName) }
  const known = usersUpTo(users)
  const stranger = found.users.find((user) => !known.includes(user))
  if (stranger !== undefined) {
    throw new UsageError(
      `--workload ${workload} has the user ${quoted(stranger)}, but --users ${users} allows only u1 to u${users}`,
    )
  }
  return { ...found, users: known }
}

function generated({ seed, processors, users = USERS, load, widest, span, jobs: first, stretch }: Options): Coming {
  if (stretch !== undefined) throw UsageError.requires('--stretch', '--workload')
  if (widest !== undefined && widest > processors)
    throw new UsageError(
      `--widest ${widest} makes jobs that are wider than the machine: give at most --processors ${processors}`,
    )
  const minutes = span / units(1)
  try {
    const jobs = generateEconomyJobs({ seed, processors, users, load, span: minutes, widest }).slice(0, first)
    return { jobs, users: usersUpTo(users), dropped: new Map(), odd: new Map() }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`--load ${load} and --span ${minutes} make more than about a million jobs: lower one of them`)
  }
}

/** Amounts by user: one amount for all users, or one for each. */
function share(given: readonly number[], users: number, flag: string): (i: number) => number {
  const [first = 0] = given
  if (given.length === 1) return () => first
  if (given.length === users) return (i) => given[i] ?? first
  throw UsageError.invalid(flag, `one amount or ${users}`, String(given.length), 'one for all users, or one for each')
}

function usersOf(options: Options, names: readonly string[]): Economy['users'] {
  const { cap, coefficients, targets = null } = options
  const incomeOf = share(options.incomes, names.length, '--incomes')
  const savingsOf = share(options.savings, names.length, '--savings')
  const rich = options.savings.find((amount) => amount > cap)
  if (rich !== undefined) throw UsageError.invalid('--savings', `at most the cap (${cap})`, String(rich))
  const termsOf = (i: number): UserTerms => ({
    income: incomeOf(i),
    savings: savingsOf(i),
    cap,
    coefficients,
    targets,
  })
  return Object.fromEntries(names.map((name, i) => [name, termsOf(i)]))
}

function overrunOf(options: Options, jobs: readonly EconomyJob[]): Economy['overrun'] {
  const { overrun, alpha } = options
  if (overrun === 0) throw UsageError.invalid('--overrun', 'a time > 0, or off', '"0"')
  const isLonger = ({ service, actual = service }: EconomyJob) => actual > service
  const lasts = overrun === undefined && jobs.some(isLonger) ? PIECE : (overrun ?? null)
  return lasts === null ? null : { lasts, alpha, grace: bothWays(options) }
}

/** All that a reader of the trace needs to repeat the run, with a digest of the jobs. */
export function aboutOf(economy: Economy) {
  const { processors, policy, market, users, patience, durable, overrun, only } = economy
  const terms = { processors, policy, market: market && { ...market }, patience, durable, overrun }
  const holders = Object.fromEntries(Object.entries(users).map(([name, user]) => [name, { ...user }]))
  return { ...terms, users: holders, ...(only && { only }), jobs: jsonDigest(economy.jobs) }
}

/** The terms of the bank; null except under ECON. */
function marketOf({ policy, rates, runIncome, targets }: Options, until: Time): Economy['market'] {
  if (policy !== 'ECON') return null
  return {
    sharing: { rates, running: runIncome },
    statistics: targets ? { every: STATISTICS, until } : null,
  }
}

/**
 * Builds the model.
 *
 * @throws UsageError for flags that contradict each other, and for a workload that cannot be read
 */
export function setUp(options: Options): Setup<Economy> {
  const { processors, policy, preset, future, span, workload } = options
  const { jobs, users: names, dropped, odd } = workload === undefined ? generated(options) : read(workload, options)
  // the bank and the scheduler are actors as well
  const { most, mend } = roomOn(options.runtime)
  const room = most - 2 - processors
  if (names.length > room) {
    throw new UsageError(`--users must be at most ${room} with ${processors} processors, not ${names.length}${mend}`)
  }
  const market = marketOf(options, workload === undefined ? span : (jobs.at(-1)?.arrival ?? 0))
  const users = usersOf(options, names)
  const patience = patienceOf(options, hasFaults(options), false)
  const model: Economy = {
    processors,
    market,
    users,
    jobs,
    patience,
    policy: policyOf(policy, preset, { future: future && market ? futureOf(market.sharing) : null }),
    durable: patience !== null,
    overrun: overrunOf(options, jobs),
  }
  return { model, dropped, odd }
}
