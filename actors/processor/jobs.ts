/**
 * What a time-shared processor hears of jobs, and says of them (Arpaci-Dusseau & Culler 1997). A job has at most one
 * process on a machine, so its name is the process's name there. Work is measured at speed 1; all times are `Time`.
 */
import type { Address, Time } from '../../lib/actor.ts'

/** How many tickets of which currency a job holds. Tickets of `base` are worth what they say; see currencies.ts. */
export type Funding = {
  readonly currency: string
  /** > 0. */
  readonly amount: number
}

export type ToScheduler = Submit | Withdraw | Suspend | Resume | Fund | Grant | Ask | Release | Recount | Table

/** Run this job here; answered `refused`, or in the end `exited`. */
export type Submit = Funding & {
  readonly type: 'submit'
  /** Unique in the run. */
  readonly job: string
  readonly program: Program
  /** Under loan & borrow: does it take tickets of sleepers? Declining keeps its rate constant. Default true. */
  readonly borrows?: boolean
}

/** What a process does whenever it has the processor. */
export type Program =
  /** Computes; null: for ever. */
  | { readonly kind: 'compute'; readonly work: Time | null }
  /** Runs and sleeps in turn, round and round; a sleep of 0 gives the processor up and stays ready. */
  | { readonly kind: 'bursts'; readonly bursts: readonly Burst[]; readonly cycles: number | null }
  /** Runs once in every period, at once if it is late. */
  | { readonly kind: 'periodic'; readonly period: Time; readonly run: Time; readonly cycles: number | null }
  | Parallel

export type Burst = { readonly run: Time; readonly sleep: Time }

/** One process of a parallel job: computes, meets the others at the barrier, and again. */
export type Parallel = {
  readonly kind: 'parallel'
  readonly barrier: Address
  /** 0 to size - 1: whose random numbers it draws, wherever it runs. */
  readonly rank: number
  /** Mean computation between barriers. */
  readonly granularity: Time
  /** A round computes granularity * U[1 - imbalance / 2, 1 + imbalance / 2]. From 0 to 2. */
  readonly imbalance: number
  /** How long it spins for the others, by the clock, before it sleeps; 0: not at all, null: without end. */
  readonly spin: Time | null
}

/** Drop this job's process: it is over or it has lost a member. Without effect where there is none. */
export type Withdraw = Named & { readonly type: 'withdraw' }

/** Keep it off the processor until `resume`; it keeps its place in the order of passes. */
export type Suspend = Named & { readonly type: 'suspend' }
export type Resume = Named & { readonly type: 'resume' }

/** Change what a job holds of its currency. */
export type Fund = Named & { readonly type: 'fund'; readonly amount: number }

/** Exhaustible tickets: so many base tickets more (or fewer) for so long. They vanish when the job sleeps or ends. */
export type Grant = Named & { readonly type: 'grant'; readonly extra: number; readonly lasts: Time }

/** How much competes here? Answered `load` with the same number, so that a late answer is known as one. */
export type Ask = Query & { readonly type: 'ask' }
type Query = { readonly query: number }

/** Everybody has arrived at the barrier of this round: go on. */
export type Release = Named & { readonly type: 'release'; readonly round: number }

/** The barrier has waited long: where is your process? Answered `standing`. */
export type Recount = Named & { readonly type: 'recount' }

/** What the ticket server knows of the rest of the cluster. */
export type Table = {
  readonly type: 'table'
  /** Amounts that other machines' jobs hold, by currency. */
  readonly issued: Readonly<Record<string, number>>
  /** Tickets of one currency that back another, cluster-wide; without cycles. */
  readonly backing: readonly Backing[]
}

/** `amount` tickets of `currency`, held by the currency `holder`. */
export type Backing = Funding & { readonly holder: string }

type Named = { readonly job: string }

export type FromScheduler = Refused | Exited | Load | Arrive | Standing | Report

/** To whoever asked: nothing was done, and why. */
export type Refused = Named & { readonly type: 'refused'; readonly reason: string }

/** To whoever submitted it. */
export type Exited = Named & {
  readonly type: 'exited'
  readonly why: 'done' | 'withdrawn'
  /** Processor time that it had here. */
  readonly cpu: Time
}

export type Load = Query & {
  readonly type: 'load'
  /** Base tickets of all jobs here, asleep or not. */
  readonly tickets: number
  readonly jobs: number
}

/** To its barrier: the process has done its computation of this round (1, 2, ...). */
export type Arrive = Named & { readonly type: 'arrive'; readonly rank: number; readonly round: number }

/** To its barrier: computing round `round`, or waiting at its end; or the process is not here. */
export type Standing = Named &
  (
    | { readonly type: 'standing'; readonly here: true; readonly round: number; readonly waiting: boolean }
    | { readonly type: 'standing'; readonly here: false }
  )

/** To the machine's ticket server, at every tick: amounts that jobs hold here, by currency. */
export type Report = { readonly type: 'report'; readonly issued: Readonly<Record<string, number>> }

/**
 * What happened to jobs, for whoever folds a run. `total` is the node's T: net tickets of all that could run; `pass` is the
 * job's own from now on: the least is next.
 */
export type JobFact =
  /** It may compete: created, woken, resumed or solvent again. */
  | (Named & Held & { readonly type: 'joined' })
  /** It does not compete any more; or it did not, and is withdrawn. */
  | (Named & { readonly type: 'left'; readonly why: Leaving; readonly total: number })
  /** While it competes its base or its exhaustible tickets changed. */
  | (Named & Held & { readonly type: 'funded' })
  /** A sleeper woke with `extra` exhaustible tickets until `until`, for `share` of the processor meanwhile. */
  | (Named & { readonly type: 'credited'; readonly extra: number; readonly share: number; readonly until: Time })
  /** It had the processor until now: `used`, after `switching` to it. */
  | (Named & { readonly type: 'ran'; readonly used: Time; readonly switching: Time; readonly pass: number })
  /** Of the time that it then has or had the processor, it spun at a barrier until now. */
  | (Named & { readonly type: 'spun'; readonly lasted: Time })
  /** At a tick: the base tickets of all jobs here, as the view of that moment has them. */
  | { readonly type: 'ticked'; readonly informed: boolean; readonly tickets: Readonly<Record<string, number>> }

type Held = { readonly tickets: number; readonly extra: number; readonly total: number; readonly pass: number }

export type Leaving = 'asleep' | 'suspended' | 'insolvent' | 'done' | 'withdrawn'
