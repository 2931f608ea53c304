/**
 * What users, the bank and the scheduler of a parallel machine say to each other (Stoica et al. 1995). Money is in dollars,
 * held as doubles; times are `Time`; work is processors times minutes.
 */
import type { Time } from '../../lib/actor.ts'
import type { Attempt, FromProcessor } from '../processor/messages.ts'

export const CLASSES = [1, 2, 3] as const
export type Class = (typeof CLASSES)[number]

/** One number for each class. */
export type PerClass = readonly [number, number, number]

export type ToScheduler = Submit | Quoted | Carried | Funded | FromProcessor
export type ToBank = Submit | Steer | Quote | Instruct
export type ToUser = Opened | Refused | Ended | Statistics

/** A parallel job, as its user describes it: to the scheduler and to the bank. Submitting it again changes nothing. */
export type Request = {
  /** Unique in the run. */
  readonly job: number
  readonly class: Class
  /** How many it needs, all at once. */
  readonly processors: number
  /** On each of them, as declared. */
  readonly service: Time
  /** On each of them, as it will turn out: the scheduler only hands it on to the processors. */
  readonly work: Time
  /** Dollars for its expense account at once; cut to what is in the savings account. */
  readonly deposit: number
}

export type Submit = Request & { readonly type: 'submit' }

/** Bank to user: it has an expense account, which got so much of the savings. */
export type Opened = { readonly type: 'opened'; readonly job: number; readonly deposit: number }

/** It will not be run, and why. */
export type Refused = { readonly type: 'refused'; readonly job: number; readonly reason: string }

/** Scheduler to user: the job is over; `overrun`: stopped, because nobody paid for more time than declared. */
export type Ended = {
  readonly type: 'ended'
  readonly job: number
  readonly why: 'finished' | 'overrun'
}

/** Bank to users: mean response / service of all jobs of each class so far. */
export type Statistics = { readonly type: 'statistics'; readonly slowdowns: PerClass }

/** User to bank: the weights of my classes from now on. Only their ratios matter. */
export type Steer = { readonly type: 'steer'; readonly coefficients: PerClass }

/** Scheduler to bank: what can these jobs spend at this instant? `pass` is new in every incarnation of the scheduler, too. */
export type Quote = { readonly type: 'quote'; readonly pass: string; readonly jobs: readonly JobOf[] }

/** A job and whose it is: the name of the user's machine. */
export type JobOf = { readonly job: number; readonly user: string }

/** Answers `quote`, in its order. */
export type Quoted = {
  readonly type: 'quoted'
  readonly pass: string
  /** Null: the bank has not heard of the job (yet), or the account is closed. */
  readonly balances: readonly (number | null)[]
  /** Dollars per minute that go there now. */
  readonly rates: readonly number[]
  /** Those of users whom the bank does not know, if any. */
  readonly strangers?: readonly number[]
}

/** Bank to scheduler: a job that was quoted as unknown has an account now. */
export type Funded = { readonly type: 'funded'; readonly job: number }

/**
 * Scheduler to bank: do this, once. Numbers grow by 1; the bank carries out each number once and in order, and answers
 * what it has done before as it did then. So what is repeated until it is answered is done exactly once.
 */
export type Instruct = Instruction & {
  readonly type: 'instruct'
  /** All before this one are answered. */
  readonly since: number
}

export type Instruction = { readonly n: number; readonly act: Act }

export type Act =
  /** They start: all they have goes to the system account. */
  | { readonly type: 'charge'; readonly jobs: readonly JobOf[] }
  /** Paid, and stopped without its fault or never begun: what it paid is in its expense account again. */
  | ({ readonly type: 'refund' } & JobOf)
  /** It is refused: nobody gets its balance. */
  | ({ readonly type: 'forfeit' } & JobOf)
  /** It is over. `slowdown`: response / service; null of one that was stopped. */
  | ({ readonly type: 'close'; readonly slowdown: number | null } & JobOf)
  /** It needs so much more time than declared: its user pays so much for it out of the savings, or it is declined. */
  | ({ readonly type: 'extend'; readonly cost: number } & JobOf)

/** Answers `instruct`. */
export type Carried = {
  readonly type: 'carried'
  readonly n: number
  /** Of a charge: what was moved for each job. Of an extension: what was paid; null: declined. Of others: nothing. */
  readonly amounts: readonly (number | null)[]
}

/** How a job came to start. */
export type Kind = 'direct' | 'reserved' | 'backfill'

/** What happened, as the scheduler has it. */
export type SchedulerFact =
  | (Attempted & {
      readonly type: 'started'
      readonly user: string
      readonly kind: Kind
      /** When it was chosen: at its reservation, if it had one. */
      readonly decided: Time
      /** Processor time that it made others waste, and what it offered per processor-minute, when it was chosen. */
      readonly wasted: Time
      readonly price: number
      readonly paid: number
      readonly processors: readonly number[]
    })
  | { readonly type: 'accepted'; readonly user: string; readonly arrival: Time; readonly request: Request }
  | { readonly type: 'refused'; readonly user: string; readonly job: number; readonly reason: string }
  /** The pass is over: who holds the reservation from when on, who is to start, and who waits that it did not look at. */
  | {
      readonly type: 'passed'
      readonly reservation: { readonly job: number; readonly start: Time } | null
      readonly starts: readonly number[]
      readonly skipped: readonly number[]
    }
  /** It may run until then. */
  | { readonly type: 'extended'; readonly job: number; readonly end: Time }
  | (Attempted & { readonly type: 'ended'; readonly user: string; readonly why: Ended['why'] })
  /** It lost a processor: it waits again, with what it paid. */
  | (Attempted & { readonly type: 'failed'; readonly user: string })
  | { readonly type: 'lost' | 'found'; readonly processor: number }

type Attempted = { readonly job: number; readonly attempt: number }

/** The attempt of a job, as processors know it. */
export const attemptOf = ({ job, attempt }: Attempted): Attempt => ({ task: job, attempt: attempt })

/** What happened to money: the user's accounts after it. */
export type BankFact = {
  readonly type: 'booked'
  readonly user: string
  readonly what: 'opened' | 'steered' | Act['type'] | 'declined'
  /** 0 of what concerns no job. */
  readonly job: number
  readonly amount: number
  /** Of `steered` alone: as they were told. */
  readonly coefficients?: PerClass
} & Totals

/** All of one user's money, in dollars: received + initial savings = savings + expenses + paid + forfeited. */
export type Totals = {
  readonly received: number
  readonly savings: number
  readonly expenses: number
  /** To the system account, less refunds. */
  readonly paid: number
  readonly forfeited: number
}
