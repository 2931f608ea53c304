/**
 * The messages between users, bank and scheduler of a parallel machine (Stoica et al. 1995), and their facts. Money is in
 * dollars, as doubles; times are `Time`; work is processors times minutes.
 */
import type { Time } from '../../lib/actor.ts'
import type { Attempt, FromProcessor } from '../processor/messages.ts'

/** The classes of jobs. */
export const CLASSES = [1, 2, 3] as const
/** The class of a job. */
export type Class = (typeof CLASSES)[number]

/** One number for each class. */
export type PerClass = readonly [number, number, number]

/** What the scheduler takes. */
export type ToScheduler = Submit | Quoted | Carried | Funded | FromProcessor
/** What the bank takes. */
export type ToBank = Submit | Steer | Quote | Instruct
/** What a user takes. */
export type ToUser = Opened | Refused | Ended | Statistics

/** A parallel job, as its user describes it to the scheduler and to the bank. Submitting it again changes nothing. */
export type Request = {
  /** Unique in the run. */
  readonly job: number
  readonly class: Class
  /** The number of processors that it needs, all at once. */
  readonly processors: number
  /** The declared time on each of them. */
  readonly service: Time
  /** The actual time on each of them. Only the processors use it. */
  readonly work: Time
  /** Dollars for its expense account at once, cut to the savings. */
  readonly deposit: number
}

/** Copies the request, without other fields. */
export const requestOf = ({ job, class: l, processors, service, work, deposit }: Request): Request => ({
  job,
  class: l,
  processors,
  service,
  work,
  deposit,
})

/** User to scheduler and bank: run this job. */
export type Submit = Request & { readonly type: 'submit' }

/** Bank to user: the job has an expense account, and `deposit` dollars of the savings were moved there. */
export type Opened = { readonly type: 'opened'; readonly job: number; readonly deposit: number }

/** Scheduler to user: the job will not be run, and why. */
export type Refused = { readonly type: 'refused'; readonly job: number; readonly reason: string }

/** Scheduler to user: the job is over. `overrun`: it was stopped, because its extra time was not paid. */
export type Ended = {
  readonly type: 'ended'
  readonly job: number
  readonly why: 'finished' | 'overrun'
}

/** Bank to users: the mean response / service of all jobs of each class so far. */
export type Statistics = { readonly type: 'statistics'; readonly slowdowns: PerClass }

/** User to bank: the weights of its classes from now on. Only their ratios matter. */
export type Steer = { readonly type: 'steer'; readonly coefficients: PerClass }

/** Scheduler to bank: what can these jobs spend at this instant? `pass` is unique, also across incarnations. */
export type Quote = { readonly type: 'quote'; readonly pass: string; readonly jobs: readonly JobOf[] }

/** A job and its user, by the name of the user's machine. */
export type JobOf = { readonly job: number; readonly user: string }

/** Bank to scheduler: the answer to `quote`, in its order. */
export type Quoted = {
  readonly type: 'quoted'
  readonly pass: string
  /** Dollars of each job; null: the bank has not heard of the job yet, or the account is closed. */
  readonly balances: readonly (number | null)[]
  /** Dollars per minute that each job receives now. */
  readonly rates: readonly number[]
  /** Jobs of users that the bank does not know; absent if there are none. */
  readonly strangers?: readonly number[]
}

/** Bank to scheduler: a job that an earlier quote did not find now has an account. */
export type Funded = { readonly type: 'funded'; readonly job: number }

/**
 * Scheduler to bank: carry out this act once. Numbers grow by 1. The bank carries out each number once and in order, and
 * repeats its answer to earlier numbers. So an instruction that is repeated until it is answered is done exactly once.
 */
export type Instruct = Instruction & {
  readonly type: 'instruct'
  /** All instructions before this number are answered. */
  readonly since: number
}

/** A numbered act that the scheduler asks of the bank. */
export type Instruction = { readonly n: number; readonly act: Act }

/** What the scheduler tells the bank to do. */
export type Act =
  /** The jobs start: their whole balances go to the system account. */
  | { readonly type: 'charge'; readonly jobs: readonly JobOf[] }
  /** The attempt failed or never began: all that the job paid returns to its expense account. */
  | ({ readonly type: 'refund' } & JobOf)
  /** The job is refused: its balance is forfeited. */
  | ({ readonly type: 'forfeit' } & JobOf)
  /** The job is over. `slowdown` is response / service; null if it was stopped. */
  | ({ readonly type: 'close'; readonly slowdown: number | null } & JobOf)
  /** The job needs more time than declared: its user pays `cost` dollars from the savings, or it is declined. */
  | ({ readonly type: 'extend'; readonly cost: number } & JobOf)

/** Bank to scheduler: the answer to `instruct`. */
export type Carried = {
  readonly type: 'carried'
  readonly n: number
  /** Dollars moved, one amount for each job of a charge and one for the other acts; null: an extension was declined. */
  readonly amounts: readonly (number | null)[]
}

/** How a job started: chosen and fitting at once, from its reservation, or before the reservation of another job. */
export type Kind = 'direct' | 'reserved' | 'backfill'

/** The circumstances of a start. */
export type Start = {
  readonly kind: Kind
  /** When it was chosen; for a reserved job, when it got the reservation. */
  readonly decided: Time
  /** The processor time that it made others waste, and its offer per processor-minute, when it was chosen. */
  readonly wasted: Time
  readonly price: number
  readonly paid: number
  readonly processors: readonly number[]
}

/** The facts of the scheduler. */
export type SchedulerFact =
  | (Attempted & Start & { readonly type: 'started'; readonly user: string })
  | { readonly type: 'accepted'; readonly user: string; readonly arrival: Time; readonly request: Request }
  | { readonly type: 'refused'; readonly user: string; readonly job: number; readonly reason: string }
  /** A pass is over: the reservation and its start, the jobs that start, and the waiting jobs that were no candidates. */
  | {
      readonly type: 'passed'
      readonly reservation: { readonly job: number; readonly start: Time } | null
      readonly starts: readonly number[]
      readonly skipped: readonly number[]
      /** What the jobs could spend, as the bank quoted it for this pass. It is told only where records are kept. */
      readonly offers?: Offers
    }
  /** The scheduler asks the bank to sell a piece of extra time to the job, for `cost` dollars. */
  | { readonly type: 'priced'; readonly job: number; readonly cost: number }
  /** The job may run until `end`. */
  | { readonly type: 'extended'; readonly job: number; readonly end: Time }
  | (Attempted & { readonly type: 'ended'; readonly user: string; readonly why: Ended['why'] })
  /** The attempt lost a processor: the job waits again, and its payment is refunded. */
  | (Attempted & { readonly type: 'failed'; readonly user: string })
  | { readonly type: 'lost' | 'found'; readonly processor: number }

type Attempted = { readonly job: number; readonly attempt: number }

/** An attempt as the processors name it: they call a job a task. */
export const attemptOf = ({ job, attempt }: Attempted): Attempt => ({ task: job, attempt })

/** The balances of jobs in one pass, in dollars, in the order of the jobs. */
export type Offers = { readonly pass: string; readonly jobs: readonly number[]; readonly balances: readonly number[] }

/** The fact of a bank that keeps records: what it quotes for a pass. */
export type QuotedFact = Pick<Quoted, 'type' | 'pass' | 'balances'> & { readonly jobs: readonly number[] }

/** The fact of the bank: what was booked, and the user's accounts after it. */
export type BankFact = {
  readonly type: 'booked'
  readonly user: string
  readonly what: 'opened' | 'steered' | Act['type'] | 'declined'
  /** 0 if the booking concerns no job. */
  readonly job: number
  readonly amount: number
  /** The weights as the user sent them; only for `steered`. */
  readonly coefficients?: PerClass
} & Totals

/** All of one user's money, in dollars: received + initial savings = savings + expenses + paid + forfeited. */
export type Totals = {
  readonly received: number
  readonly savings: number
  readonly expenses: number
  /** Dollars paid to the system account, less refunds. */
  readonly paid: number
  readonly forfeited: number
}
