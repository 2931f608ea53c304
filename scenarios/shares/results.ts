/** The results of one run of a cluster: the shares that users had, those that they should have, and the checks. */
import type { JobFact } from '../../actors/processor/jobs.ts'
import { type Message, toUnits } from '../../lib/actor.ts'
import {
  type Check,
  type Invocation,
  is,
  none,
  type Outcome,
  resultFile,
  systemOptions,
  within,
} from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import { type Fault, printFault } from '../../lib/scenario/faults.ts'
import type { FactAbout } from '../../lib/system.ts'
import type { Description } from './description.ts'
import { type Options, settledBy, spreadOf } from './flags.ts'
import { type ClusterRun, cpuCsv, machinesOf, runCluster } from './one-run.ts'
import { aboutOf, clusterOf, lastPeriod, modeOf } from './setup.ts'
import { baseValues, byMachine, byUser, calmPeriods, dueShares, type Shares, type Span, usedShares } from './shares.ts'
import { figure } from './tables.ts'
import { chargedStayOf, periods, Usage } from './usage.ts'

export interface Measured {
  readonly run: ClusterRun
  /** The share of its machine that each job should have. */
  readonly due: Shares
  readonly used: Shares
  readonly checks: Outcome['checks']
  readonly results: Outcome['results']
}

export type RunContext = Pick<Invocation<Options>, 'note' | 'onSystem' | 'byHand'>

const isTicked = (fact: Message): fact is Extract<JobFact, { type: 'ticked' }> => fact.type === 'ticked'

export async function measure(
  options: Options,
  description: Description,
  faults: readonly Fault[],
  context: RunContext,
): Promise<Measured> {
  const { machines, period, seed, time, loss, jobsOut } = options
  const mode = modeOf(options)
  const from = settledBy(options)
  const until = lastPeriod(options)
  const how = systemOptions(options, aboutOf(options, description, faults))
  const writeJobs = resultFile(jobsOut, '--jobs-out')
  context.note(`shares/cluster, ${mode}, seed ${seed}: ${description.jobs.length} jobs on ${machines} machines`)
  const show = time === 'real' ? live(options, description, context) : () => {}
  const tickets = new Map<string, number>()
  const cuts = periods(period, options.until)
  const charged = new Usage(cuts, chargedStayOf)
  const run = await runCluster(
    clusterOf(options, description),
    { ...how, count: ['share'] },
    {
      until: options.until,
      faults,
      cuts,
      onSystem: context.onSystem,
      onFact: (fact, about, usage) => {
        if (isTicked(fact)) for (const [job, amount] of Object.entries(fact.tickets)) tickets.set(job, amount)
        charged.fold(fact, about.who, about.at)
        show(about, usage)
      },
    },
  )
  writeJobs(cpuCsv(run))
  const due = dueShares(description, mode)
  const used = usedShares(description, run.usage, { from, until })
  const all = [...faults, ...context.byHand()]
  const calm = loss > 0 ? [] : calmPeriods(all, { from, until }, period, spreadOf(options))
  const checks = checksOf({ options, description, faults: all, run, charged, tickets, due, calm })
  return { run, due, used, checks, results: resultsOf(options, description, run, used, due) }
}

/** Prints the shares of each period after it has ended. */
function live({ period }: Options, description: Description, { note }: RunContext) {
  let said = 0
  return ({ at }: FactAbout, usage: ClusterRun['usage']) => {
    // the facts of a period arrive a while after it
    if (at < (said + 1.5) * period) return
    const shares = byUser(
      description,
      usedShares(description, usage, { from: said * period, until: (said + 1) * period }),
    )
    said++
    const shown = Object.entries(shares).slice(0, 10)
    note(
      `${printUnits(said * period).padStart(7)}  ${shown.map(([name, share]) => `${name} ${figure(share)}`).join('  ')}`,
    )
  }
}

function resultsOf(
  options: Options,
  description: Description,
  run: ClusterRun,
  used: Shares,
  due: Shares,
): Outcome['results'] {
  const { machines, jobs } = description
  const perMachine = machinesOf({ machines }).map((machine) => {
    const here = jobs.filter((placed) => placed.machine === machine)
    return [machine, byUser({ ...description, jobs: here }, used)] as const
  })
  return {
    shares: byUser(description, used),
    due: byUser(description, due),
    perMachine: Object.fromEntries(perMachine),
    overTime: overTime(options, description, run),
    measuredFrom: toUnits(settledBy(options)),
    sharesSent: run.messagesByType.get('share') ?? 0,
    deadLetters: Object.fromEntries(run.deadLetters),
    refusals: run.refusals,
    faultsThatNeverHappened: run.missed.map(printFault),
  }
}

/** The shares in each whole period; times in units. */
function overTime({ period, until }: Options, description: Description, { usage }: ClusterRun) {
  return Array.from({ length: Math.floor(until / period) }, (_, n) => {
    const span = { from: n * period, until: (n + 1) * period }
    return { from: toUnits(span.from), shares: byUser(description, usedShares(description, usage, span)) }
  })
}

/** The tolerance of shares in real time, where the computer decides how long a quantum is. */
const REAL_TOLERANCE = 0.02
/** The rounding error allowed in base values, which are sums of fractions. */
const ROUNDING = 1e-9

export interface Evidence {
  readonly options: Options
  readonly description: Description
  readonly faults: readonly Fault[]
  readonly run: ClusterRun
  /** Processor time including the switches before it, which the incoming process is charged for. */
  readonly charged: Usage
  /** The base tickets of each job at the last tick of its processor. */
  readonly tickets: ReadonlyMap<string, number>
  readonly due: Shares
  /** The periods without a failure that keeps jobs from their due shares. */
  readonly calm: readonly Span[]
}

export function checksOf(evidence: Evidence): Check[] {
  const { calm, faults, options, run } = evidence
  const isPerfect = faults.length === 0 && options.loss === 0
  return [
    isPerfect
      ? none('broken promises, deaths without a fault, refusals', [...run.broken, ...run.crashes, ...run.refusals])
      : none('broken promises, deaths without a fault', [...run.broken, ...run.crashes]),
    is('the run went on to its end', run.end.ended, 'until'),
    ...(calm.length > 0 ? shareChecks(evidence) : []),
    // in virtual time every tick is checked for it (I4)
    ...(isPerfect && !options.independent && options.time === 'real' ? [valueCheck(evidence)] : []),
  ]
}

/** Checks the shares of the time without failures. */
function shareChecks({ options, description, faults, run, charged, due, calm }: Evidence): Check[] {
  const { quantum, switch: switching, time } = options
  const lost = 1 - Math.min(...byMachine(description, usedShares(description, run.usage, ...calm)).values())
  const used = usedShares(description, charged, ...calm)
  const busy = byMachine(description, used)
  const worked = new Map(
    description.jobs.map(({ job, machine }) => [job, (used.get(job) ?? 0) / (busy.get(machine) || 1)]),
  )
  // half a quantum, with its switch, for each competitor at both ends of a span, and at least a whole one (spec,
  // section 11: I5, I6)
  const competitors = Math.max(...byMachine(description, new Map(description.jobs.map(({ job }) => [job, 1]))).values())
  const ends = calm.filter(({ from }) => !calm.some(({ until }) => until === from)).length
  const length = calm.reduce((sum, { from, until }) => sum + until - from, 0)
  const tolerance =
    time === 'real' ? REAL_TOLERANCE : (ends * Math.max(2, competitors) * (quantum + switching)) / length
  const when = faults.length > 0 ? ' while all ticket servers knew' : ''
  return [
    within('the time that the least busy machine lost', lost, 0, tolerance + switching / (quantum + switching)),
    within(`the job farthest from its share of what its machine did${when}`, distance(worked, due), 0, tolerance),
  ]
}

const valueCheck = ({ description, tickets }: Evidence): Check =>
  within('the job farthest from its base value at the end', distance(tickets, baseValues(description)), 0, ROUNDING)

/** The largest difference of any job. */
const distance = (measured: Shares, expected: Shares): number =>
  [...expected].reduce((most, [job, value]) => Math.max(most, Math.abs((measured.get(job) ?? 0) - value)), 0)
