/** What a small run with a known outcome is told by: numbers in minutes and dollars, as one would write them down. */
import type { Class } from '../../../actors/economy/messages.ts'
import { units } from '../../../lib/core/time.ts'
import { type EconomyJob, inOrder } from '../../../scenarios/economy/workload/job.ts'

export type Policy = 'FCFS' | 'RES' | 'ECON/paper' | 'ECON/literal'

/** How a job came to start: it fitted when chosen, its reservation came due, or it overtook one. */
export type Kind = 'direct' | 'reserved' | 'backfill'

type JobRow = readonly [
  user: string,
  size: Class,
  arrival: number,
  processors: number,
  service: number,
  deposit?: number,
]

/** `job` counts the rows from 0; absent is what does not matter there. */
export interface Ran {
  readonly job: number
  readonly start: number
  readonly finish: number
  readonly kind: Kind
  /** When it was chosen. */
  readonly decided?: number
  /** W when it was chosen, in processor-minutes. */
  readonly wasted?: number
  /** Offered when it was chosen, dollars per processor-minute. */
  readonly price?: number
  /** Charged at the start, dollars. */
  readonly paid?: number
}

/** All users together when the last job is done, in dollars; expense accounts are empty. */
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
  /** Of u1, u2, ... in dollars per minute. */
  readonly incomes: readonly number[]
  /** Of each user, in dollars. */
  readonly savings: { readonly initial: number; readonly cap: number }
  /** Of classes 1 to 3, the same for all users. */
  readonly coefficients: readonly [number, number, number]
  readonly jobs: readonly JobRow[]
  /** Policies that do the same share one; a policy that is in none says nothing new there. */
  readonly expect: readonly Expected[]
}

export interface Expected {
  readonly policies: readonly Policy[]
  readonly ran: readonly Ran[]
  readonly ledger?: Ledger
}

/** A row has the id of its place. */
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
