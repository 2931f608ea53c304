/**
 * The messages between a time-shared processor and the owners of jobs (Arpaci-Dusseau & Culler 1997). A job has at
 * most one process on a machine, so the job's name is the process's name there. Work is measured at speed 1; all
 * times are `Time`.
 */
import type { Ref, Time } from '../../lib/actor.ts'

/** The tickets that a job holds, and their currency. A ticket of `base` is worth one base ticket; see currencies.ts. */
export type Funding = {
  readonly currency: string
  /** The number of tickets, > 0. */
  readonly amount: number
}

export type ToScheduler = Submit | Withdraw | Suspend | Resume | Fund | Grant | Ask | Release | Recount | Table

/** Run this job here. It is answered by `refused`, or by `exited` when the job ends. */
export type Submit = Funding & {
  readonly type: 'submit'
  /** Unique in the run. */
  readonly job: string
  readonly program: Program
  /**
   * Under loan & borrow: whether the job borrows the tickets of sleepers (default true). If it does not, its rate
   * stays constant.
   */
  readonly borrows?: boolean
}

/** The behaviour of a process on the processor. */
export type Program =
  /** The process computes; for ever if `work` is null. */
  | { readonly kind: 'compute'; readonly work: Time | null }
  /** Runs and sleeps in turn, again and again. A sleep of 0 yields the processor, and the process stays ready. */
  | { readonly kind: 'bursts'; readonly bursts: readonly Burst[]; readonly cycles: number | null }
  /** Runs once in every period; at once if it is late. */
  | { readonly kind: 'periodic'; readonly period: Time; readonly run: Time; readonly cycles: number | null }
  | Parallel

export type Burst = { readonly run: Time; readonly sleep: Time }

/** One process of a parallel job: computes, meets the others at the barrier, and starts again. */
export type Parallel = {
  readonly kind: 'parallel'
  readonly barrier: Ref<Arrive>
  /** The rank, from 0 to size - 1. It decides which random numbers the process draws, on any machine. */
  readonly rank: number
  /** The mean computation time between barriers. */
  readonly granularity: Time
  /** The imbalance, from 0 to 2: a round computes granularity * U[1 - imbalance / 2, 1 + imbalance / 2]. */
  readonly imbalance: number
  /**
   * How long the process spins for the others, by the clock, before it sleeps; 0: it does not spin, null: it never
   * sleeps.
   */
  readonly spin: Time | null
}

/** Remove this job's process, because the job is over or has lost a member. It has no effect if there is none. */
export type Withdraw = Named & { readonly type: 'withdraw' }

/** Keep the process off the processor until `resume`; it keeps its place in the order of passes. */
export type Suspend = Named & { readonly type: 'suspend' }
export type Resume = Named & { readonly type: 'resume' }

/** Change how many tickets of its currency a job holds. */
export type Fund = Named & { readonly type: 'fund'; readonly amount: number }

/**
 * Grant exhaustible tickets: `extra` base tickets more (or fewer) for the time `lasts`. They vanish when the job
 * sleeps or ends.
 */
export type Grant = Named & { readonly type: 'grant'; readonly extra: number; readonly lasts: Time }

/** Ask for the load. It is answered by `load` with the same number, by which a late answer is recognised. */
export type Ask = Query & { readonly type: 'ask' }
type Query = { readonly query: number }

/** All processes have arrived at the barrier of this round, so they may go on. */
export type Release = Named & { readonly type: 'release'; readonly round: number }

/**
 * Ask where the process is. A barrier that has waited for long sends this, or a placer. `standing` answers it.
 */
export type Recount = Named & { readonly type: 'recount' }

/** The answer of the machine's ticket server to a report: the tickets of the rest of the cluster. */
export type Table = {
  readonly type: 'table'
  /** The amounts that jobs on other machines hold, by currency. */
  readonly issued: Readonly<Record<string, number>>
  /** The tickets of one currency that back another, cluster-wide; without cycles. */
  readonly backing: readonly Backing[]
}

/** `amount` tickets of `currency`, held by the currency `holder`. */
export type Backing = Funding & { readonly holder: string }

type Named = { readonly job: string }

export type FromScheduler = Refused | Exited | Load | Arrive | Standing | Report

/** The reply to an order that was not carried out, with the reason. */
export type Refused = Named & { readonly type: 'refused'; readonly reason: string }

/** The job's process has ended; sent to the actor that submitted it. */
export type Exited = Named & {
  readonly type: 'exited'
  readonly why: 'done' | 'withdrawn'
  /** The processor time that it used here. */
  readonly cpu: Time
}

export type Load = Query & {
  readonly type: 'load'
  /** The base tickets of all jobs here, asleep or not. */
  readonly tickets: number
  readonly jobs: number
}

/** Tells the barrier that the process has finished its computation of this round (1, 2, ...). */
export type Arrive = Named & { readonly type: 'arrive'; readonly rank: number; readonly round: number }

/** The answer to `recount`: the process computes round `round`, or waits at its end; or it is not here. */
export type Standing = Named &
  (
    | { readonly type: 'standing'; readonly here: true; readonly round: number; readonly waiting: boolean }
    | { readonly type: 'standing'; readonly here: false }
  )

/** A report to the machine's ticket server, at every tick: the amounts that jobs here hold, by currency. */
export type Report = { readonly type: 'report'; readonly issued: Readonly<Record<string, number>> }

/**
 * What a processor observes of jobs. `total` is the node's T: the net tickets of all processes that can run. `pass`
 * is the job's new pass; the job with the least pass is next.
 */
export type JobFact =
  /** The job may compete: it was created, woken, resumed, or has tickets again. */
  | (Named & Held & { readonly type: 'joined' })
  /** The job does not compete any more, or it did not and was withdrawn. */
  | (Named & { readonly type: 'left'; readonly why: Leaving; readonly total: number })
  /** The base or exhaustible tickets of a competing job have changed. */
  | (Named & Held & { readonly type: 'funded' })
  /** A sleeper woke with `extra` exhaustible tickets until `until`; they give it `share` of the processor meanwhile. */
  | (Named & { readonly type: 'credited'; readonly extra: number; readonly share: number; readonly until: Time })
  /** The job had the processor until now, for `used` after `switching` to it. */
  | (Named & { readonly type: 'ran'; readonly used: Time; readonly switching: Time; readonly pass: number })
  /** The job spun at a barrier for `lasted` until now, as a part of its stay on the processor. */
  | (Named & { readonly type: 'spun'; readonly lasted: Time })
  /** The process of this rank has finished its computation of this round, and waits at the barrier. */
  | (Named & { readonly type: 'arrived'; readonly rank: number; readonly round: number })
  /** At a tick: the base tickets of all jobs here, according to the view of that moment, which is told with them. */
  | {
      readonly type: 'ticked'
      readonly informed: boolean
      readonly tickets: Readonly<Record<string, number>>
      /** The amounts that jobs on other machines hold, by currency. */
      readonly issued: Table['issued']
      readonly backing: Table['backing']
    }

type Held = { readonly tickets: number; readonly extra: number; readonly total: number; readonly pass: number }

export type Leaving = 'asleep' | 'suspended' | 'insolvent' | 'done' | 'withdrawn'
