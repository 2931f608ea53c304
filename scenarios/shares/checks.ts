/** What must hold of a run of a cluster. */
import { type Check, is, none, within } from '../../lib/cli/index.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { Span } from './calm.ts'
import type { Description } from './description.ts'
import type { Options } from './flags.ts'
import type { ClusterRun } from './one-run.ts'
import { baseValues, byMachine, type Shares, usedShares } from './shares.ts'
import type { Usage } from './usage.ts'

/** By the clock a quantum is as long as the machine lets it be: so far may shares be from what is due. */
const REAL_TOLERANCE = 0.02
/** Base values are sums of fractions. */
const ROUNDING = 1e-9

export interface Evidence {
  readonly options: Options
  readonly description: Description
  readonly faults: readonly Fault[]
  readonly run: ClusterRun
  /** Processor time with the switches before it, which whoever comes in is charged for. */
  readonly charged: Usage
  /** Base tickets of each job, as its processor had them at its last tick. */
  readonly tickets: ReadonlyMap<string, number>
  readonly due: Shares
  /** When nothing fails that would keep anybody from what is due. */
  readonly calm: readonly Span[]
}

export function checksOf(evidence: Evidence): Check[] {
  const { calm, faults, options, run } = evidence
  const isPerfect = faults.length === 0 && options.loss === 0
  return [
    isPerfect
      ? none('promises broken, deaths unasked, refusals', [...run.broken, ...run.crashes, ...run.refusals])
      : none('promises broken, deaths unasked', [...run.broken, ...run.crashes]),
    is('the run went on to its end', run.end.ended, 'until'),
    ...(calm.length > 0 ? shareChecks(evidence) : []),
    // in virtual time every tick is held to it (I4)
    ...(isPerfect && !options.independent && options.time === 'real' ? [valueCheck(evidence)] : []),
  ]
}

/** Of the time while nothing fails. */
function shareChecks({ options, description, faults, run, charged, due, calm }: Evidence): Check[] {
  const { quantum, switch: switching, time } = options
  const lost = 1 - Math.min(...byMachine(description, usedShares(description, run.usage, ...calm)).values())
  const used = usedShares(description, charged, ...calm)
  const busy = byMachine(description, used)
  const worked = new Map(
    description.jobs.map(({ job, machine }) => [job, (used.get(job) ?? 0) / (busy.get(machine) || 1)]),
  )
  // half a quantum, with its switch, for each competitor at both ends of a span, and a whole one at least (spec, section 11: I5, I6)
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
