/** The setup of a market from its flags, for one run and for the explorer. */
import type { PolicyName } from '../../actors/bidding/priority.ts'
import type { Terms } from '../../actors/bidding/terms.ts'
import { type OptionsOf, UsageError } from '../../lib/cli/index.ts'
import { printUnits, quoted } from '../../lib/core/format.ts'
import { jsonDigest } from '../../lib/core/json-digest.ts'
import type { Setup } from '../../lib/scenario/definition.ts'
import { isLog, readWorkload } from '../../lib/workload/file.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { dealtInTurn, type Workload, withClients } from '../../lib/workload/job.ts'
import type { flags } from './flags.ts'
import { type Market, machinesOf, termsOf } from './model.ts'
import { requirePatience } from './patience.ts'

export type Options = OptionsOf<typeof flags>

/** Refuses senseless combinations of flags. */
function requireSense(options: Options): void {
  const { load, tasks, workload, stretch, logUnit, latency, jitter } = options
  const { protocol, wait, retry, period, localDelay } = options
  if (load >= 1 && tasks === undefined && workload === undefined) {
    throw UsageError.invalid('--load', 'less than 1', String(load), 'give --tasks to run an overloaded market')
  }
  if (stretch !== undefined && workload === undefined) throw UsageError.requires('--stretch', '--workload')
  if (logUnit !== undefined && !(workload !== undefined && isLog(workload))) {
    throw UsageError.requires(
      '--log-unit',
      `a log (.swf, .swf.gz) as --workload${workload === undefined ? '' : `, not ${quoted(workload)}`}`,
    )
  }
  if (period === 0) throw UsageError.invalid('--period', 'a time > 0', '"0"')
  const delay = latency + jitter
  const answered = 2 * delay + localDelay
  if (retry !== undefined && retry <= answered) {
    throw UsageError.invalid(
      '--retry',
      `more than a request and its answer take (${printUnits(answered)})`,
      printUnits(retry),
    )
  }
  if (protocol === 'eager' && wait !== undefined && wait < 2 * delay) {
    throw UsageError.invalid(
      '--wait',
      `two delays (${printUnits(2 * delay)}) or more with --protocol eager`,
      printUnits(wait),
    )
  }
  requirePatience(options)
}

function jobsOf({ workload, stretch, logUnit, tasks, seed, load, speeds, errors }: Options): Workload {
  if (workload !== undefined) return readWorkload(workload, { first: tasks, stretch, logUnit })
  const jobs = generateJobs({ seed, tasks: tasks ?? 2000, load, speeds, errors })
  return { jobs, dropped: new Map(), odd: new Map() }
}

/** All that a reader of the trace needs to repeat the run, with a digest of the jobs. */
export const aboutOf = ({ protocol, speeds, clients, jobs, terms, only }: Market) => ({
  protocol: String(protocol),
  speeds,
  clients,
  terms: { ...terms },
  ...(only && { only }),
  jobs: jsonDigest(jobs),
})

const namesOf = ({ clients, speeds }: Options): string[] =>
  clients === 'machines' ? machinesOf({ speeds }) : Array.from({ length: clients }, (_, i) => `c${i + 1}`)

function givenTerms(options: Options): Terms {
  const { protocol, latency, jitter, wait, retry, lateBids, abort, income, period } = options
  const { clash, ties, tolerance, query, timeout, silence, cutoff, priority, localDelay, localInflation, loadTime } =
    options
  return termsOf(protocol, latency + jitter, {
    ...(wait !== undefined && { wait }),
    ...(retry !== undefined && { retry }),
    i0: lateBids,
    abort: abort === 'yes',
    income: { points: income, period },
    clash,
    ties,
    tolerance,
    query,
    timeout,
    silence,
    cutoff,
    priority,
    localDelay,
    localInflation,
    loadTime,
  })
}

/** The policies that rank tasks by their values. */
const NEEDS_VALUES: ReadonlySet<PolicyName> = new Set(['best-first', 'points', 'incentive'])

/** @throws UsageError for senseless combinations of flags, and for a workload that cannot be read */
export function setUp(options: Options): Setup<Market> {
  requireSense(options)
  const { seed, protocol, speeds } = options
  const { jobs, dropped, odd } = jobsOf(options)
  if (NEEDS_VALUES.has(options.priority) && jobs.every(({ value }) => value === undefined)) {
    throw UsageError.requires(`--priority ${options.priority}`, 'tasks with values (a CSV file with a column value)')
  }
  const named = [...new Set(jobs.flatMap(({ client }) => client ?? []))].sort()
  const clients = named.length > 0 ? named : namesOf(options)
  const terms = givenTerms(options)
  const dealt = options.deal === 'in-turn' ? dealtInTurn(jobs, clients) : withClients(jobs, clients, seed)
  return { model: { protocol, speeds, clients, jobs: dealt, terms }, dropped, odd }
}
