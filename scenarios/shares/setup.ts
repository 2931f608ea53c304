/** The setup of a cluster from its flags, for one run and for the explorer. */
import { type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import { faultsOf } from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import type { Time } from '../../lib/core/time.ts'
import { type Fault, printFault } from '../../lib/scenario/faults.ts'
import { type Description, describe } from './description.ts'
import { type GivenOptions, type Options, patienceOf, sensible, spreadOf } from './flags.ts'
import type { Cluster, Said } from './model.ts'
import { addressesOf, runs } from './one-run.ts'
import type { Mode } from './shares.ts'

export const modeOf = ({ independent }: Pick<Options, 'independent'>): Mode =>
  independent ? 'independent' : 'cooperating'

export function clusterOf(options: Options, { machines, funding, backing, jobs }: Description): Cluster {
  const { quantum, switch: switching, period, independent } = options
  const tick = independent ? null : { every: period, patience: patienceOf(options) }
  const sharing: Sharing = { ...STANDARD, quantum, switching, funding, tick }
  const nested = new Set(backing.map(({ holder }) => holder))
  // a job whose currency is not known yet would be refused
  const known = spreadOf(options) + Math.round(period / 2)
  const issues = backing.map(({ currency, amount, holder }, n): Said => {
    const ticket = `${n + 1}: ${currency} to ${holder}`
    const message = { type: 'issue', ticket, currency, amount, holder } as const
    return { at: 0, user: 'user@m1', to: 'ticket-server@m1', message }
  })
  const orders = jobs.map(({ job, machine, currency, amount }) =>
    runs(job, machine, { currency, amount, at: nested.has(currency) ? known : 0 }),
  )
  return { machines, sharing, orders: [...issues, ...orders] }
}

/** The end of the last whole period, which is the end of the measured time. */
export const lastPeriod = ({ period, until }: Options): Time => period * Math.floor(until / period)

export const aboutOf = (options: Options, description: Description, faults: readonly Fault[]): Plain => ({
  scenario: 'shares/cluster',
  mode: modeOf(options),
  ...description,
  until: lastPeriod(options),
  faults: faults.map(printFault),
})

export interface Setup {
  readonly options: Options
  readonly description: Description
  readonly cluster: Cluster
  readonly faults: readonly Fault[]
}

/** @throws UsageError for senseless combinations of flags */
export function setUp(given: GivenOptions): Setup {
  const options = sensible(given)
  const description = describe(options)
  const cluster = clusterOf(options, description)
  return { options, description, cluster, faults: faultsOf(options, addressesOf(cluster)) }
}
