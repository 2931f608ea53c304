/** What must hold of a run of a cluster. */
import type { Time } from '../../../lib/actor.ts'
import type { Check } from '../../../lib/cli.ts'
import type { Fault } from '../../../lib/faults/faults.ts'
import type { Plain } from '../../../lib/plain.ts'
import type { ClusterRun } from '../run.ts'
import type { Description } from './description.ts'
import type { Options } from './flags.ts'
import { baseValues, byMachine, type Shares } from './shares.ts'

/** By the clock a quantum is as long as the machine lets it be: so far may shares be from what is due. */
const REAL_TOLERANCE = 0.02
/** Base values are sums of fractions. */
const ROUNDING = 1e-9

export interface Evidence {
  readonly options: Options
  readonly description: Description
  readonly faults: readonly Fault[]
  readonly run: ClusterRun
  /** Base tickets of each job, as its processor had them at its last tick. */
  readonly tickets: ReadonlyMap<string, number>
  readonly due: Shares
  readonly used: Shares
  /** How long it was measured. */
  readonly span: Time
}

/** What everybody is due is asked for only where nothing fails, and no message is lost. */
export function checksOf(evidence: Evidence): Check[] {
  const { crashes, end, broken } = evidence.run
  const { loss } = evidence.options
  return [
    none('promises of proportional share broken', broken),
    none('actors that died unasked', crashes),
    is('the run went on to its end', end.ended, 'until'),
    ...(evidence.faults.length === 0 && loss === 0 ? calmChecks(evidence) : []),
  ]
}

const is = (name: string, measured: Plain, expected: Plain): Check => ({
  ...{ name, measured, expected },
  ok: measured === expected,
  tolerance: null,
})

const none = (name: string, found: readonly string[]): Check => is(name, found.slice(0, 3).join('; ') || 'none', 'none')

const within = (name: string, measured: number, expected: number, tolerance: number): Check => ({
  ...{ name, measured, expected, tolerance },
  ok: Math.abs(measured - expected) <= tolerance,
})

function calmChecks({ options, description, run, tickets, due, used, span }: Evidence): Check[] {
  const { quantum, switch: switching, independent, time } = options
  const busy = byMachine(description, used)
  const lost = 1 - Math.min(...busy.values())
  const switches = switching / (quantum + switching)
  const worked = new Map(
    description.jobs.map(({ job, machine }) => [job, (used.get(job) ?? 0) / (busy.get(machine) ?? 1)]),
  )
  // half a quantum for each competitor at both ends of the span, and a whole one at least (spec, section 11: I5, I6)
  const competitors = Math.max(...byMachine(description, new Map(description.jobs.map(({ job }) => [job, 1]))).values())
  const tolerance = time === 'real' ? REAL_TOLERANCE : (Math.max(2, competitors) * quantum) / span
  return [
    none('refusals', run.refusals),
    within('the time that the least busy machine lost', lost, 0, tolerance + switches),
    within('the job farthest from its share of what its machine did', distance(worked, due), 0, tolerance),
    ...(independent
      ? []
      : [
          within(
            'the job farthest from its base value at the end',
            distance(tickets, baseValues(description)),
            0,
            ROUNDING,
          ),
        ]),
  ]
}

/** The largest difference of any job. */
const distance = (measured: Shares, expected: Shares): number =>
  [...expected].reduce((most, [job, value]) => Math.max(most, Math.abs((measured.get(job) ?? 0) - value)), 0)
