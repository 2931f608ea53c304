/** What everybody should have of the machines, and had. */
import { worth } from '../../actors/processor/currencies.ts'
import type { Span } from './calm.ts'
import type { Description, Placed } from './description.ts'
import { fluidShares } from './fluid.ts'
import type { Usage } from './usage.ts'

/** Do processors know of jobs elsewhere? */
export type Mode = 'independent' | 'cooperating'

/** By job, something that every job has. */
export type Shares = ReadonlyMap<string, number>

const sums = (parts: readonly (readonly [name: string, amount: number])[]): Map<string, number> => {
  const all = new Map<string, number>()
  for (const [name, amount] of parts) all.set(name, (all.get(name) ?? 0) + amount)
  return all
}

/** Base tickets of each job, when everybody knows everything. */
export const baseValues = (description: Description): Shares =>
  new Map(description.jobs.map((placed) => [placed.job, worthOf(description, placed, description.jobs)]))

/** When only the jobs in `known` count. */
function worthOf({ funding, backing }: Description, placed: Placed, known: readonly Placed[]): number {
  const issued = sums(known.map(({ currency, amount }) => [currency, amount]))
  return worth({ funding, issued: {}, backing }, Object.fromEntries(issued), placed)
}

/** The share of its machine that each job is to have. */
export function dueShares(description: Description, mode: Mode): Shares {
  const { jobs } = description
  return fluidShares(
    jobs.map((placed) => {
      const known = mode === 'cooperating' ? jobs : jobs.filter(({ machine }) => machine === placed.machine)
      return { name: placed.job, nodes: [placed.machine], tickets: worthOf(description, placed, known) }
    }),
  )
}

/** The share of its machine that each job had in some spans of time together. */
export function usedShares({ jobs }: Description, usage: Usage, ...spans: readonly Span[]): Shares {
  const length = spans.reduce((sum, { from, until }) => sum + until - from, 0)
  const used = (job: string) =>
    spans.reduce((sum, { from, until }) => sum + usage.between(from, until, (one) => one === job), 0)
  return new Map(jobs.map(({ job }) => [job, used(job) / length]))
}

/** Of each user or currency over all machines; 1 is a machine. */
export const byUser = ({ jobs }: Description, shares: Shares): Record<string, number> =>
  Object.fromEntries(sums(jobs.map(({ job, currency }) => [currency, shares.get(job) ?? 0])))

/** Of all jobs together, of each machine that has any. */
export const byMachine = ({ jobs }: Description, shares: Shares): ReadonlyMap<string, number> =>
  sums(jobs.map(({ job, machine }) => [machine, shares.get(job) ?? 0]))
