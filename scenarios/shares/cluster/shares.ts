/** What everybody should have of the machines, and had. */
import { worth } from '../../../actors/processor/currencies.ts'
import { fluidShares } from '../../../actors/shares/fluid.ts'
import type { Time } from '../../../lib/actor.ts'
import type { Usage } from '../usage.ts'
import type { Description, Placed } from './description.ts'

export type Mode = 'independent' | 'cooperating'

function issuedIn(jobs: readonly Placed[]): Record<string, number> {
  const issued = new Map<string, number>()
  for (const { currency, amount } of jobs) issued.set(currency, (issued.get(currency) ?? 0) + amount)
  return Object.fromEntries(issued)
}

/** The share of its machine that each job is to have, by job, when every machine knows of all jobs or of its own. */
export function dueShares({ funding, backing, jobs }: Description, mode: Mode): Map<string, number> {
  const view = { funding, issued: {}, backing }
  const demands = jobs.map((placed) => {
    const counted = mode === 'cooperating' ? jobs : jobs.filter(({ machine }) => machine === placed.machine)
    return { name: placed.job, nodes: [placed.machine], tickets: worth(view, issuedIn(counted), placed) }
  })
  return fluidShares(demands)
}

/** The share of its machine that each job had. */
export const usedShares = ({ jobs }: Description, usage: Usage, from: Time, until: Time): Map<string, number> =>
  new Map(jobs.map(({ job }) => [job, usage.between(from, until, (one) => one === job) / (until - from)]))

/** Of each user or currency over all machines; 1 is a machine. */
export function byUser({ jobs }: Description, shares: ReadonlyMap<string, number>): Record<string, number> {
  const sums = new Map<string, number>()
  for (const { job, currency } of jobs) sums.set(currency, (sums.get(currency) ?? 0) + (shares.get(job) ?? 0))
  return Object.fromEntries(sums)
}

/** The largest distance of a job from its share of its machine. */
export const distance = (used: ReadonlyMap<string, number>, due: ReadonlyMap<string, number>): number =>
  [...due].reduce((most, [job, share]) => Math.max(most, Math.abs((used.get(job) ?? 0) - share)), 0)
