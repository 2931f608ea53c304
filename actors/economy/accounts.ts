/**
 * Savings and expense accounts of one user, as pure functions of what happened and when. Income is not booked as it
 * arrives: a balance is computed when it is needed. Money is in dollars, as doubles.
 */
import { type Time, toUnits } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import { type Ids, including, NO_IDS } from '../ids.ts'
import { normalised } from './coefficients.ts'
import type { Class, PerClass, Totals } from './messages.ts'
import type { Sharing } from './terms.ts'

/** The terms of a user's account at the bank. */
export type Holder = {
  /** Dollars per minute, >= 0. Nothing is received while the savings are at the cap and no job is paid. */
  readonly income: number
  readonly savings: number
  readonly cap: number
  readonly coefficients: PerClass
}

/** The expense account of one job, from its submission to its end. */
export interface Expense {
  readonly job: number
  readonly class: Class
  /** Declared work, in processor-minutes. */
  readonly work: number
  readonly standing: 'waiting' | 'running'
  /** The balance when the user's `level` was `from`. */
  readonly balance: number
  readonly from: number
  /** Dollars paid to the system account, at the start and later. */
  readonly paid: number
}

/** All the money of one user. */
export interface Account extends Holder {
  /** The instant of all amounts. */
  readonly at: Time
  /** Dollars received so far per unit of weighted work: one number for all jobs of the user. */
  readonly level: number
  readonly jobs: readonly Expense[]
  /** All jobs that ever had an account, or can no longer get one. */
  readonly known: Ids
  readonly received: number
  readonly paid: number
  readonly forfeited: number
}

export const open = (holder: Holder): Account => ({
  ...holder,
  coefficients: normalised(holder.coefficients),
  savings: Math.min(holder.savings, holder.cap),
  at: 0,
  level: 0,
  jobs: [],
  known: NO_IDS,
  received: 0,
  paid: 0,
  forfeited: 0,
})

export const isPaid = ({ standing }: Expense, { running }: Sharing): boolean => standing === 'waiting' || running

/** The weighted work of a job. Its share of the income is proportional to it (equation 5). */
const weightOf = ({ coefficients }: Account, { class: l, work }: Expense): number => (coefficients[l - 1] ?? 0) * work

/** Dollars per minute and unit of weighted work; 0 if no job is paid. */
function slopeOf(account: Account, sharing: Sharing): number {
  let divisor = 0
  for (const job of account.jobs) {
    if (isPaid(job, sharing)) divisor += sharing.rates === 'weighted' ? weightOf(account, job) : job.work
  }
  return divisor > 0 ? account.income / divisor : 0
}

/** The rate of a job: dollars per minute that it receives now (equations 4 and 5). */
export const rateOf = (account: Account, sharing: Sharing): ((job: Expense) => number) => {
  const slope = slopeOf(account, sharing)
  return (job) => (isPaid(job, sharing) ? slope * weightOf(account, job) : 0)
}

/** The balance of a job at the instant of its account. */
export const balanceOf = (account: Account, job: Expense, sharing: Sharing): number =>
  isPaid(job, sharing) ? job.balance + weightOf(account, job) * (account.level - job.from) : job.balance

/** The account at a later instant, with the income until then. */
export function advance(at: Time, account: Account, sharing: Sharing): Account {
  const minutes = toUnits(at - account.at)
  if (minutes === 0) return account
  const slope = slopeOf(account, sharing)
  const spending = account.jobs.reduce(
    (sum, job) => (isPaid(job, sharing) ? sum + slope * weightOf(account, job) : sum),
    0,
  )
  const spent = spending * minutes
  const saved = Math.min(account.cap - account.savings, Math.max(0, account.income * minutes - spent))
  return {
    ...account,
    at,
    level: account.level + slope * minutes,
    savings: account.savings + saved,
    received: account.received + spent + saved,
  }
}

/** Replaces the expense account of one job, or closes it (`after` is null), at the instant of the account. */
function replaceJob(account: Account, job: number, after: Expense | null): Account {
  const jobs = account.jobs.flatMap((one) => (one.job === job ? (after ? [after] : []) : [one]))
  return { ...account, jobs, level: jobs.length === 0 ? 0 : account.level }
}

/**
 * An entry in one user's accounts. A job that has started or ended before the bank heard of it never gets an expense
 * account.
 */
export type Posting =
  | {
      readonly type: 'opened'
      readonly job: number
      readonly class: Class
      readonly work: number
      readonly deposit: number
    }
  | { readonly type: 'steered'; readonly coefficients: PerClass }
  | { readonly type: 'charge' | 'refund' | 'forfeit' | 'close'; readonly job: number }
  | { readonly type: 'extend'; readonly job: number; readonly cost: number }

/** Applies a posting. Returns the account after it and the dollars moved; null means declined. */
export function post(account: Account, posting: Posting, sharing: Sharing): readonly [Account, number | null] {
  if (posting.type === 'opened') return opened(account, posting)
  if (posting.type === 'steered') return [steered(account, posting.coefficients, sharing), 0]
  const job = account.jobs.find((one) => one.job === posting.job)
  if (!job) {
    if (posting.type === 'extend') return [account, null]
    return [{ ...account, known: including(account.known, posting.job) }, 0]
  }
  const balance = balanceOf(account, job, sharing)
  switch (posting.type) {
    case 'charge':
      if (job.standing === 'running') return [account, job.paid]
      return [spend(account, { ...job, standing: 'running' }, balance), balance]
    case 'refund': {
      const again: Expense = { ...job, standing: 'waiting', balance: balance + job.paid, from: account.level, paid: 0 }
      return [{ ...replaceJob(account, job.job, again), paid: account.paid - job.paid }, job.paid]
    }
    case 'forfeit':
      return [{ ...replaceJob(account, job.job, null), forfeited: account.forfeited + balance }, balance]
    case 'close':
      return [replaceJob(spend(account, job, balance), job.job, null), balance]
    case 'extend': {
      const { cost } = posting
      if (cost > account.savings) return [account, null]
      const saved = { ...account, savings: account.savings - cost, paid: account.paid + cost }
      return [replaceJob(saved, job.job, { ...job, paid: job.paid + cost }), cost]
    }
  }
}

/** Moves the whole balance of a job to the system account. */
function spend(account: Account, job: Expense, balance: number): Account {
  const spent: Expense = { ...job, balance: 0, from: account.level, paid: job.paid + balance }
  return { ...replaceJob(account, job.job, spent), paid: account.paid + balance }
}

function opened(account: Account, posting: Extract<Posting, { type: 'opened' }>): readonly [Account, number] {
  const { job, class: l, work } = posting
  const deposit = Math.min(posting.deposit, account.savings)
  const expense: Expense = { job, class: l, work, standing: 'waiting', balance: deposit, from: account.level, paid: 0 }
  const known = including(account.known, job)
  return [{ ...account, savings: account.savings - deposit, jobs: [...account.jobs, expense], known }, deposit]
}

/** Settles all balances under the old weights, then takes the new ones. */
const steered = (account: Account, coefficients: PerClass, sharing: Sharing): Account => ({
  ...account,
  coefficients: normalised(coefficients),
  jobs: account.jobs.map((job) => ({ ...job, balance: balanceOf(account, job, sharing), from: account.level })),
})

export const totalsOf = (account: Account, sharing: Sharing): Totals => ({
  received: account.received,
  savings: account.savings,
  expenses: sum(account.jobs, (job) => balanceOf(account, job, sharing)),
  paid: account.paid,
  forfeited: account.forfeited,
})
