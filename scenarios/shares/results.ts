/** The results of one run of a cluster: the shares that users had, those that they should have, and the checks. */
import { toUnits } from '../../lib/actor.ts'
import { type Check, is, none, within } from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import { figure } from '../../lib/core/table.ts'
import { sum } from '../../lib/core/tally.ts'
import type { Time } from '../../lib/core/time.ts'
import type { CommandRun, Results } from '../../lib/scenario/definition.ts'
import { inWords } from '../../lib/scenario/oracle.ts'
import { type Description, descriptionOf } from './description.ts'
import { type GivenOptions, type Options, sensible, settledBy, spreadOf } from './flags.ts'
import { type Cluster, machinesOf } from './model.ts'
import type { ClusterOracle } from './oracle.ts'
import { lastPeriod, modeOf } from './setup.ts'
import { baseValues, byMachine, byUser, calmPeriods, dueShares, type Shares, usedShares } from './shares.ts'

export type ClusterRun = CommandRun<GivenOptions, Cluster, ClusterOracle>

export interface Measured {
  readonly options: Options
  readonly description: Description
  readonly run: ClusterRun
  /** The share of its machine that each job should have, and had. */
  readonly due: Shares
  readonly used: Shares
}

export function measuredIn(run: ClusterRun): Measured {
  const options = sensible(run.options)
  const description = descriptionOf(run.model)
  const due = dueShares(description, modeOf(options))
  const used = usedShares(description, run.oracle.usage, settledSpan(options))
  return { options, description, run, due, used }
}

/** The shares of the last period that has ended, as a line for people; undefined if there is no news. */
export function newsOf(oracle: ClusterOracle, cluster: Cluster, at: Time): string | undefined {
  const [from, until] = [cluster.cuts?.[oracle.shown - 1] ?? 0, cluster.cuts?.[oracle.shown]]
  // the facts of a period arrive a while after it
  if (until === undefined || at < until + (until - from) / 2) return
  oracle.shown++
  const description = descriptionOf(cluster)
  const shares = Object.entries(byUser(description, usedShares(description, oracle.usage, { from, until })))
  const shown = shares.slice(0, 10).map(([name, share]) => `${name} ${figure(share, 3)}`)
  return `${printUnits(until).padStart(7)}  ${shown.join('  ')}`
}

export function valuesOf({ options, description, run, due, used }: Measured): Results['values'] {
  const perMachine = machinesOf(description).map((machine) => {
    const here = description.jobs.filter((placed) => placed.machine === machine)
    return [machine, byUser({ ...description, jobs: here }, used)] as const
  })
  return {
    shares: byUser(description, used),
    due: byUser(description, due),
    perMachine: Object.fromEntries(perMachine),
    overTime: overTime(options, description, run),
    measuredFrom: toUnits(settledBy(options)),
    sharesSent: run.messagesByType.get('share') ?? 0,
    refusals: run.oracle.refusals,
  }
}

/** The shares in each whole period; times in units. */
function overTime({ period, until }: Options, description: Description, { oracle }: ClusterRun) {
  return Array.from({ length: Math.floor(until / period) }, (_, n) => {
    const span = { from: n * period, until: (n + 1) * period }
    return { from: toUnits(span.from), shares: byUser(description, usedShares(description, oracle.usage, span)) }
  })
}

/** The part of its time that the least busy machine did nothing. */
export const mostLost = (description: Description, used: Shares): number =>
  1 - Math.min(...byMachine(description, used).values())

const settledSpan = (options: Options) => ({ from: settledBy(options), until: lastPeriod(options) })

/** The tolerance of a job's share of what its machine did in real time, where the computer decides how long a quantum is. */
const REAL_TOLERANCE = 0.02
/** The rounding error allowed in base values, which are sums of fractions. */
const ROUNDING = 1e-9

export function checksOf(run: ClusterRun): Check[] {
  const measured = measuredIn(run)
  const { options } = measured
  const { faults, oracle, crashes } = run
  const broken = inWords(run.broken)
  const isPerfect = faults.length === 0 && options.loss === 0
  return [
    isPerfect
      ? none('broken promises, deaths without a fault, refusals', [...broken, ...crashes, ...oracle.refusals])
      : none('broken promises, deaths without a fault', [...broken, ...crashes]),
    is('the run went on to its end', run.end.ended, 'until'),
    // no formula has the share of a job that sleeps
    ...(options.sleeper.length > 0 ? [] : shareChecks(measured)),
    // in virtual time every tick is checked for it (I4)
    ...(isPerfect && !options.independent && options.time === 'real' ? [valueCheck(measured)] : []),
  ]
}

/** Checks the shares of the time without failures. */
function shareChecks({ options, description, run, due }: Measured): Check[] {
  const { quantum, switch: switching, time, loss, period } = options
  const { oracle, faults } = run
  const whole = settledSpan(options)
  // the periods without a failure that keeps jobs from their due shares
  const calm = loss > 0 ? [] : calmPeriods(faults, whole, period, spreadOf(options))
  if (calm.length === 0) return []
  const lost = mostLost(description, usedShares(description, oracle.usage, ...calm))
  const used = usedShares(description, oracle.charged, ...calm)
  const busy = byMachine(description, used)
  const worked = new Map(
    description.jobs.map(({ job, machine }) => [job, (used.get(job) ?? 0) / (busy.get(machine) || 1)]),
  )
  // half a quantum, with its switch, for each competitor at both ends of a span, and at least a whole one (spec,
  // section 11: I5, I6)
  const competitors = Math.max(...byMachine(description, new Map(description.jobs.map(({ job }) => [job, 1]))).values())
  const ends = calm.filter(({ from }) => !calm.some(({ until }) => until === from)).length
  const length = sum(calm, ({ from, until }) => until - from)
  const tolerance =
    time === 'real' ? REAL_TOLERANCE : (ends * Math.max(2, competitors) * (quantum + switching)) / length
  const when = faults.length > 0 ? ' while all ticket servers knew' : ''
  return [
    // in real time the computer loses it: it is told, and not checked
    ...(time === 'real'
      ? []
      : [within('the time that the least busy machine lost', lost, 0, tolerance + switching / (quantum + switching))]),
    within(`the job farthest from its share of what its machine did${when}`, distance(worked, due), 0, tolerance),
  ]
}

function valueCheck({ description, run }: Measured): Check {
  const tickets = new Map([...run.oracle.tickets.values()].flatMap((own) => Object.entries(own)))
  return within(
    'the job farthest from its base value at the end',
    distance(tickets, baseValues(description)),
    0,
    ROUNDING,
  )
}

/** The largest difference of any job. */
const distance = (measured: Shares, expected: Shares): number =>
  [...expected].reduce((most, [job, value]) => Math.max(most, Math.abs((measured.get(job) ?? 0) - value)), 0)
