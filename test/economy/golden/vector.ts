/** The form of small runs with known outcomes: numbers in minutes and dollars, as in a table. */
import type { Class } from '../../../actors/economy/messages.ts'
import { units } from '../../../lib/core/time.ts'
import { type EconomyJob, inOrder } from '../../../scenarios/economy/workload/job.ts'

export type Policy = 'FCFS' | 'RES' | 'ECON/paper' | 'ECON/literal'

/** How a job started: it fitted when chosen, its reservation came due, or it was backfilled before one. */
export type Kind = 'direct' | 'reserved' | 'backfill'

type JobRow = readonly [
  user: string,
  size: Class,
  arrival: number,
  processors: number,
  service: number,
  deposit?: number,
]

/** The expected start of a job. `job` counts the rows from 0; absent fields are not compared. */
export interface Ran {
  readonly job: number
  readonly start: number
  readonly finish: number
  readonly kind: Kind
  /** When it was chosen. */
  readonly decided?: number
  /** W when it was chosen, in processor-minutes. */
  readonly wasted?: number
  /** The offer when it was chosen, in dollars per processor-minute. */
  readonly price?: number
  /** Charged at the start, dollars. */
  readonly paid?: number
}

/** The sums over all users when the last job is done, in dollars. Expense accounts are empty then. */
export interface Ledger {
  readonly end: number
  readonly income: number
  readonly savings: number
  readonly system: number
}

export interface Vector {
  readonly name: string
  readonly why: string
  readonly processors: number
  /** The incomes of u1, u2, ... in dollars per minute. */
  readonly incomes: readonly number[]
  /** The savings of each user, in dollars. */
  readonly savings: { readonly initial: number; readonly cap: number }
  /** The coefficients of classes 1 to 3, the same for all users. */
  readonly coefficients: readonly [number, number, number]
  readonly jobs: readonly JobRow[]
  /** The outcomes. Policies with the same outcome share one; a policy that is in none is not run. */
  readonly expect: readonly Expected[]
}

export interface Expected {
  readonly policies: readonly Policy[]
  readonly ran: readonly Ran[]
  readonly ledger?: Ledger
}

/** Jobs from rows. The place of a row is its id. */
export const jobsOf = ({ jobs }: Vector): EconomyJob[] =>
  inOrder(
    jobs.map(([user, size, arrival, processors, service, deposit = 0]) => ({
      user,
      class: size,
      arrival: units(arrival),
      processors,
      service: units(service),
      deposit,
    })),
  )

export const ran = (
  job: number,
  start: number,
  finish: number,
  kind: Kind,
  decided?: number,
  wasted?: number,
  price?: number,
  paid?: number,
): Ran => ({
  job,
  start,
  finish,
  kind,
  ...(decided !== undefined && { decided }),
  ...(wasted !== undefined && { wasted }),
  ...(price !== undefined && { price }),
  ...(paid !== undefined && { paid }),
})
