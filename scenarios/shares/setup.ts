/** The setup of a cluster from its flags. */
import type { Program } from '../../actors/processor/jobs.ts'
import { STANDARD } from '../../actors/processor/sharing.ts'
import type { Time } from '../../lib/core/time.ts'
import type { Setup } from '../../lib/scenario/definition.ts'
import { describe, descriptionOf } from './description.ts'
import { type GivenOptions, type Options, patienceOf, sensible, settledBy, spreadOf } from './flags.ts'
import { type Cluster, runs, type Said } from './model.ts'
import { burstsOf, type Sleeper } from './shared-flags.ts'
import type { Mode } from './shares.ts'
import { periods } from './usage.ts'

export const modeOf = ({ independent }: Pick<Options, 'independent'>): Mode =>
  independent ? 'independent' : 'cooperating'

function programOf(currency: string, sleepers: readonly Sleeper[]): Program {
  const bursts = burstsOf(currency, sleepers)
  return bursts.length > 0 ? { kind: 'bursts', bursts, cycles: null } : { kind: 'compute', work: null }
}

/** @throws UsageError for senseless combinations of flags */
export function setUp(given: GivenOptions): Setup<Cluster> {
  const options = sensible(given)
  const { machines, funding, backing, jobs } = describe(options)
  const { quantum, switch: switching, period, independent, until, sleeper } = options
  const tick = independent ? null : { every: period, patience: patienceOf(options) }
  const sharing = { ...STANDARD, quantum, switching, funding, tick }
  const nested = new Set(backing.map(({ holder }) => holder))
  // a job whose currency is not known yet would be refused
  const known = spreadOf(options) + Math.round(period / 2)
  const issues = backing.map(({ currency, amount, holder }, n): Said => {
    const ticket = `${n + 1}: ${currency} to ${holder}`
    const message = { type: 'issue', ticket, currency, amount, holder } as const
    return { at: 0, user: 'user@m1', to: 'ticket-server@m1', message }
  })
  const orders = jobs.map(({ job, machine, currency, amount }) =>
    runs(job, machine, {
      currency,
      amount,
      at: nested.has(currency) ? known : 0,
      program: programOf(currency, sleeper),
    }),
  )
  const times = { until, cuts: periods(period, until), settled: settledBy(options) }
  return { model: { machines, sharing, orders: [...issues, ...orders], ...times } }
}

/** The end of the last whole period, which is the end of the measured time. */
export const lastPeriod = ({ period, until }: Options): Time => period * Math.floor(until / period)

/** What describes a cluster in the head of a trace. */
export const aboutOf = (cluster: Cluster, given: GivenOptions) => ({
  mode: modeOf(given),
  ...descriptionOf(cluster),
  until: lastPeriod(sensible(given)),
})
