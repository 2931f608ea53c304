/**
 * The bank's book: savings and expense accounts, as a pure function of what has happened when. Income is not booked as it
 * comes; what an account holds at an instant is computed when it is asked for. Money is in dollars, as doubles.
 */
import { type Time, toUnits } from '../../lib/actor.ts'
import { normalised } from './coefficients.ts'
import { has, type Ids, including, NO_IDS } from './ids.ts'
import type { Class, PerClass, Totals } from './messages.ts'
import type { Sharing } from './terms.ts'

/** A user, as the bank takes him on. */
export type Holder = {
  /** Dollars per minute, >= 0; none comes while the savings are at the cap and nothing is spent. */
  readonly income: number
  readonly savings: number
  readonly cap: number
  readonly coefficients: PerClass
}

/** The expense account of one job, from its submission until it is over. */
export interface Expense {
  readonly job: number
  readonly class: Class
  /** Processor-minutes, as declared. */
  readonly work: number
  readonly standing: 'waiting' | 'running'
  /** What it held when the user's `level` was `from`. */
  readonly balance: number
  readonly from: number
  /** To the system account, at its start and since. */
  readonly paid: number
}

/** Everything of one user. */
export interface Account extends Holder {
  /** When all this was right. */
  readonly at: Time
  /** Dollars that each unit of weighted work of his jobs has received so far: one number instead of one for each job. */
  readonly level: number
  readonly jobs: readonly Expense[]
  /** All jobs that ever had an account. */
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

/** What a job's share of the income is proportional to (equation 5). */
const weightOf = ({ coefficients }: Account, { class: l, work }: Expense): number => (coefficients[l - 1] ?? 0) * work

/** Dollars per minute and unit of weighted work; 0 if no job is paid. */
function slopeOf(account: Account, sharing: Sharing): number {
  let divisor = 0
  for (const job of account.jobs) {
    if (isPaid(job, sharing)) divisor += sharing.rates === 'weighted' ? weightOf(account, job) : job.work
  }
  return divisor > 0 ? account.income / divisor : 0
}

/** Dollars per minute that go to the job now (equations 4 and 5). */
export const rateOf = (account: Account, sharing: Sharing): ((job: Expense) => number) => {
  const slope = slopeOf(account, sharing)
  return (job) => (isPaid(job, sharing) ? slope * weightOf(account, job) : 0)
}

/** What a job holds at the account's instant. */
export const balanceOf = (account: Account, job: Expense, sharing: Sharing): number =>
  isPaid(job, sharing) ? job.balance + weightOf(account, job) * (account.level - job.from) : job.balance

/** The same account at a later instant. */
export function until(at: Time, account: Account, sharing: Sharing): Account {
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

/** With one job's account replaced; null: it is closed. Balances are right at the account's instant. */
function withJob(account: Account, job: number, after: Expense | null): Account {
  const jobs = account.jobs.flatMap((one) => (one.job === job ? (after ? [after] : []) : [one]))
  return { ...account, jobs, level: jobs.length === 0 ? 0 : account.level }
}

/** What is entered for one user. What is over, or has started, before the bank has heard of it never gets an account. */
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

/** The account after a posting, and what was moved; null: declined. */
export function post(account: Account, posting: Posting, sharing: Sharing): readonly [Account, number | null] {
  if (posting.type === 'opened') return opened(account, posting)
  if (posting.type === 'steered') return [steered(account, posting.coefficients, sharing), 0]
  const job = account.jobs.find((one) => one.job === posting.job)
  if (!job) {
    const isLate = posting.type === 'refund' || posting.type === 'extend' || has(account.known, posting.job)
    return [isLate ? account : { ...account, known: including(account.known, posting.job) }, 0]
  }
  const balance = balanceOf(account, job, sharing)
  switch (posting.type) {
    case 'charge':
      if (job.standing === 'running') return [account, job.paid]
      return [spend(account, { ...job, standing: 'running' }, balance), balance]
    case 'refund': {
      const again: Expense = { ...job, standing: 'waiting', balance: balance + job.paid, from: account.level, paid: 0 }
      return [{ ...withJob(account, job.job, again), paid: account.paid - job.paid }, job.paid]
    }
    case 'forfeit':
      return [{ ...withJob(account, job.job, null), forfeited: account.forfeited + balance }, balance]
    case 'close':
      return [withJob(spend(account, job, balance), job.job, null), balance]
    case 'extend': {
      const { cost } = posting
      if (cost > account.savings) return [account, null]
      const saved = { ...account, savings: account.savings - cost, paid: account.paid + cost }
      return [withJob(saved, job.job, { ...job, paid: job.paid + cost }), cost]
    }
  }
}

/** All that it holds goes to the system account. */
function spend(account: Account, job: Expense, balance: number): Account {
  const spent: Expense = { ...job, balance: 0, from: account.level, paid: job.paid + balance }
  return { ...withJob(account, job.job, spent), paid: account.paid + balance }
}

function opened(account: Account, posting: Extract<Posting, { type: 'opened' }>): readonly [Account, number] {
  const { job, class: l, work } = posting
  const deposit = Math.min(posting.deposit, account.savings)
  const expense: Expense = { job, class: l, work, standing: 'waiting', balance: deposit, from: account.level, paid: 0 }
  const known = including(account.known, job)
  return [{ ...account, savings: account.savings - deposit, jobs: [...account.jobs, expense], known }, deposit]
}

/** What jobs have received under the old weights is settled. */
const steered = (account: Account, coefficients: PerClass, sharing: Sharing): Account => ({
  ...account,
  coefficients: normalised(coefficients),
  jobs: account.jobs.map((job) => ({ ...job, balance: balanceOf(account, job, sharing), from: account.level })),
})

export const totalsOf = (account: Account, sharing: Sharing): Totals => ({
  received: account.received,
  savings: account.savings,
  expenses: account.jobs.reduce((sum, job) => sum + balanceOf(account, job, sharing), 0),
  paid: account.paid,
  forfeited: account.forfeited,
})
