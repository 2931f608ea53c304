/** The flags of a placer, and the cluster that they describe. */
import { STANDARD } from '../../../actors/processor/sharing.ts'
import {
  choice,
  duration,
  grouped,
  integer,
  type OptionsOf,
  type Parser,
  repeated,
  runFlagsWith,
  UsageError,
  value,
} from '../../../lib/cli/index.ts'
import { parseUnits, printUnits, quoted } from '../../../lib/core/format.ts'
import { type Time, units } from '../../../lib/core/time.ts'
import type { Setup } from '../../../lib/scenario/definition.ts'
import type { Cluster } from '../model.ts'
import { clusterOf } from '../placement/one-run.ts'
import { isName, TICKETS, ticketsIn } from '../shared-flags.ts'

/** A job that a user asks the placer to run. */
interface Asked {
  readonly name: string
  readonly tickets: number
  /** The processor time that it takes. */
  readonly work: Time
  /** The machine that its user has chosen; null: the placer chooses. */
  readonly machine: number | null
}

const FORM = `NAME[@M]:T:WORK, such as a:2:50 or a@m1:2:50, with ${TICKETS} and WORK > 0`

const asked: Parser<Asked> = (given, flag) => {
  const [who = '', amount = '', long = '', ...more] = given.split(':')
  const [name = '', on, ...others] = who.split('@')
  const [tickets, work = 0] = [ticketsIn(amount), parseUnits(long)]
  const machine = on === undefined ? null : Number(/^m([1-9]\d{0,2})$/.exec(on)?.[1] ?? Number.NaN)
  const isRight = isName(name) && work > 0 && !Number.isNaN(machine) && more.length + others.length === 0
  if (!isRight || tickets === undefined) throw UsageError.invalid(flag, FORM, quoted(given))
  return { name, tickets, work, machine }
}

const sharedFlags = runFlagsWith([
  'kill processor@m2 at 20',
  'restart placer@p at 30',
  'restart user@u at 30',
  'pause processor@m1 for 50 at 10',
  'partition p | m1,m2 at 10 until 40',
])

const MACHINES_MAX = 300
const some = integer({ min: 1, max: MACHINES_MAX })

const someOrNone: Parser<number | null> = (given, flag) => {
  if (given === 'none') return null
  try {
    return some(given, flag)
  } catch (error) {
    throw error instanceof UsageError ? error.or('none') : error
  }
}

const workloadFlags = {
  jobs: repeated({
    metavar: 'NAME[@M]:T:WORK',
    parse: asked,
    help: 'a job with T base tickets that takes WORK ms; with @M its user has chosen the machine, such as `a@m1:2:50`; default: six jobs',
  }),
  apart: value({ metavar: 'MS', fallback: '5', parse: duration, help: 'time from one request to the next' }),
}

const protocolFlags = {
  ask: value({
    metavar: 'N|none',
    fallback: '2',
    parse: someOrNone,
    help: 'how many machines, drawn at random, the placer asks for their load; none: it goes by its own book',
  }),
  balance: choice({
    of: ['tickets', 'load'],
    fallback: 'tickets',
    help: 'what the best machine has the fewest of: base tickets, or jobs (load)',
  }),
  timeout: value({
    metavar: 'MS',
    fallback: '10',
    parse: duration,
    help: 'how long an answer of a processor may take; at least two latencies',
  }),
  quantum: value({ metavar: 'MS', fallback: '20', parse: duration, help: 'how long a job runs at a time' }),
}

export const flags = {
  ...sharedFlags,
  machines: value({
    metavar: 'N',
    fallback: '4',
    parse: integer({ min: 1, max: MACHINES_MAX }),
    help: 'number of machines m1, m2, ..., each with a processor',
  }),
  ...grouped('workload', workloadFlags),
  ...grouped('protocol', protocolFlags),
}

export type Options = OptionsOf<typeof flags>

const DEFAULT: readonly Asked[] = [60, 50, 40, 30, 20, 10].map((work, i) => ({
  name: `j${i + 1}`,
  tickets: 1 + (i % 3),
  work: units(work),
  machine: null,
}))

/** The jobs of a run in the order of their requests. */
export const jobsIn = ({ jobs }: Pick<Options, 'jobs'>): readonly Asked[] => (jobs.length > 0 ? jobs : DEFAULT)

function requireSense({ jobs, machines, ask, timeout, latency, jitter, quantum }: Options): void {
  const names = new Set<string>()
  for (const { name, machine } of jobs) {
    if (names.has(name)) throw UsageError.repeated('--jobs', quoted(name))
    names.add(name)
    if (machine !== null && machine > machines)
      throw UsageError.invalid('--jobs', `a machine up to m${machines}`, quoted(`${name}@m${machine}`))
  }
  if (ask !== null && ask > machines) throw UsageError.invalid('--ask', `at most --machines (${machines})`, String(ask))
  if (quantum === 0) throw UsageError.invalid('--quantum', 'a time > 0', '"0"')
  const least = Math.max(1, 2 * (latency + jitter))
  if (timeout < least)
    throw UsageError.invalid('--timeout', `at least two latencies (${printUnits(least)})`, printUnits(timeout))
}

/** @throws UsageError for senseless combinations of flags */
export function setUp(options: Options): Setup<Cluster> {
  requireSense(options)
  const { machines, apart, ask, balance, timeout, quantum } = options
  const jobs = jobsIn(options).map(({ name, tickets, work, machine }, i) => ({
    name,
    tickets,
    at: i * apart,
    ...(machine !== null && { on: [machine] }),
    program: { kind: 'compute', work } as const,
  }))
  const sharing = { ...STANDARD, quantum, tick: null }
  return { model: clusterOf({ machines, sharing, jobs, terms: { ask, balance, timeout } }) }
}
