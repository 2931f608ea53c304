/** The shares of the machines that jobs and users should have, and had. */
import { amountsOf, worth } from '../../actors/processor/currencies.ts'
import { roleOf, type Time } from '../../lib/actor.ts'
import { sum, totalsOf } from '../../lib/core/tally.ts'
import { type Fault, listedIn } from '../../lib/scenario/faults.ts'
import type { Description, Placed } from './description.ts'
import { fluidShares } from './fluid.ts'
import type { Usage } from './usage.ts'

/** Whether processors know of jobs on other machines. */
export type Mode = 'independent' | 'cooperating'

/** A number for each job, by its name. */
export type Shares = ReadonlyMap<string, number>

/** The base tickets of each job if every processor knows of all jobs. */
export const baseValues = (description: Description): Shares =>
  new Map(description.jobs.map((placed) => [placed.job, worthOf(description, placed, description.jobs)]))

/** The base value of a job if only the jobs in `known` count. */
function worthOf({ funding, backing }: Description, placed: Placed, known: readonly Placed[]): number {
  return worth({ funding, issued: {}, backing }, amountsOf(known), placed)
}

/** The share of its machine that each job should have. */
export function dueShares(description: Description, mode: Mode): Shares {
  const { jobs } = description
  return fluidShares(
    jobs.map((placed) => {
      const known = mode === 'cooperating' ? jobs : jobs.filter(({ machine }) => machine === placed.machine)
      return { name: placed.job, nodes: [placed.machine], tickets: worthOf(description, placed, known) }
    }),
  )
}

/** The share of its machine that each job had, over all the spans together. */
export function usedShares({ jobs }: Description, usage: Usage, ...spans: readonly Span[]): Shares {
  const length = sum(spans, ({ from, until }) => until - from)
  const used = (job: string) => sum(spans, ({ from, until }) => usage.between(from, until, (one) => one === job))
  return new Map(jobs.map(({ job }) => [job, used(job) / length]))
}

/** The sum for each user or currency over all machines, where 1 is a machine. */
export const byUser = ({ jobs }: Description, shares: Shares): Record<string, number> =>
  Object.fromEntries(totalsOf(jobs.map(({ job, currency }) => [currency, shares.get(job) ?? 0])))

/** The sum over all jobs of each machine that has any. */
export const byMachine = ({ jobs }: Description, shares: Shares): ReadonlyMap<string, number> =>
  totalsOf(jobs.map(({ job, machine }) => [machine, shares.get(job) ?? 0]))

export interface Span {
  readonly from: Time
  readonly until: Time
}

/**
 * The whole periods without an outage of a ticket server; an outage ends when the server is back and `spread` has
 * passed. There are none if anything else fails, or fails at an instant that is not known beforehand.
 */
export function calmPeriods(faults: readonly Fault[], { from, until }: Span, period: Time, spread: Time): Span[] {
  const outages = faults.flatMap((fault) => outageOf(fault, faults, spread) ?? [])
  if (outages.length < faults.length) return []
  const count = Math.floor((until - from) / period)
  return Array.from({ length: count }, (_, i) => ({ from: from + i * period, until: from + (i + 1) * period })).filter(
    (span) => outages.every((outage) => outage.until <= span.from || span.until <= outage.from),
  )
}

const isOfServer = (who: string): boolean =>
  listedIn(who).every((one) => one.includes('@') && roleOf(one) === 'ticket-server')

function outageOf(fault: Fault, all: readonly Fault[], spread: Time): Span | undefined {
  if ((fault.type !== 'kill' && fault.type !== 'restart') || fault.when.type !== 'at' || !isOfServer(fault.who)) return
  const from = fault.when.time
  if (fault.type === 'restart') return { from, until: from + spread }
  const back = all.flatMap((other) =>
    other.type === 'restart' && other.who === fault.who && other.when.type === 'at' && other.when.time >= from
      ? [other.when.time]
      : [],
  )
  return { from, until: Math.min(...back) + spread }
}
