/**
 * The bank's book: all that the bank knows, as a fold of entries. The bank persists the same entries. Balances are functions
 * of time, so a later incarnation computes every balance from them, including the income of the gap.
 */
import { type Time, toUnits } from '../../lib/actor.ts'
import { type Account, advance, type Holder, open, type Posting, post } from './accounts.ts'
import { has } from './ids.ts'
import type { Act, Carried, Class, Instruct, PerClass, Request } from './messages.ts'
import type { Sharing } from './terms.ts'

/** The sum of response / service over a number of jobs. */
interface Sample {
  readonly sum: number
  readonly count: number
}

export interface BankBook {
  readonly sharing: Sharing
  readonly accounts: ReadonlyMap<string, Account>
  /** The number of the last instruction that was carried out. */
  readonly done: number
  /** The answers to instructions that the scheduler may still repeat. */
  readonly answers: readonly Answer[]
  readonly samples: readonly [Sample, Sample, Sample]
  /** Jobs that the scheduler asked about before they had an account. */
  readonly missed: readonly number[]
}

type Answer = Pick<Carried, 'n' | 'amounts'>

/** An event at the bank, with its instant. */
export type Entry = { readonly at: Time } & (
  | { readonly type: 'opened'; readonly user: string; readonly request: Request }
  | { readonly type: 'missed'; readonly jobs: readonly number[] }
  | { readonly type: 'steered'; readonly user: string; readonly coefficients: PerClass }
  | { readonly type: 'instructed'; readonly instruct: Omit<Instruct, 'type'> }
)

/** The effect of an entry on one user's accounts. */
export interface Effect {
  readonly user: string
  readonly job: number
  /** The dollars that were moved; null if the bank declined. */
  readonly amount: number | null
  /** The account right after the entry; null: the bank knows no such user. */
  readonly account: Account | null
}

const NONE: Sample = { sum: 0, count: 0 }

export const emptyBankBook = (holders: Readonly<Record<string, Holder>>, sharing: Sharing): BankBook => ({
  sharing,
  accounts: new Map(Object.entries(holders).map(([user, holder]) => [user, open(holder)])),
  done: 0,
  answers: [],
  samples: [NONE, NONE, NONE],
  missed: [],
})

/** Adds an entry. Returns the book after it and the effects on accounts. */
export function enter(book: BankBook, entry: Entry): readonly [BankBook, readonly Effect[]] {
  const { at } = entry
  switch (entry.type) {
    case 'opened': {
      const { job, class: l, processors, service, deposit } = entry.request
      const work = toUnits(processors * service)
      const missed = book.missed.filter((other) => other !== job)
      return one({ ...book, missed }, at, entry.user, job, { type: 'opened', job, class: l, work, deposit })
    }
    case 'missed':
      return [{ ...book, missed: [...book.missed, ...entry.jobs] }, []]
    case 'steered':
      return one(book, at, entry.user, 0, { type: 'steered', coefficients: entry.coefficients })
    case 'instructed': {
      const { n, since, act } = entry.instruct
      const [after, effects] = carryOut(book, at, act)
      const amounts = effects.map(({ amount }) => amount)
      const answers = [...book.answers.filter((answer) => answer.n >= since), { n, amounts }]
      return [{ ...after, done: n, answers }, effects]
    }
  }
}

function one(
  book: BankBook,
  at: Time,
  user: string,
  job: number,
  posting: Posting,
): readonly [BankBook, readonly Effect[]] {
  const account = book.accounts.get(user)
  if (!account) return [book, [{ user, job, amount: posting.type === 'extend' ? null : 0, account: null }]]
  const [after, amount] = post(advance(at, account, book.sharing), posting, book.sharing)
  return [{ ...book, accounts: new Map(book.accounts).set(user, after) }, [{ user, job, amount, account: after }]]
}

function carryOut(book: BankBook, at: Time, act: Act): readonly [BankBook, readonly Effect[]] {
  if (act.type === 'charge') {
    let after = book
    const effects = act.jobs.flatMap(({ job, user }) => {
      const [next, moved] = one(after, at, user, job, { type: 'charge', job })
      after = next
      return moved
    })
    return [after, effects]
  }
  const { job, user } = act
  const sampled = act.type === 'close' && act.slowdown !== null ? sample(book, user, job, act.slowdown) : book
  const posting: Posting = act.type === 'extend' ? { type: 'extend', job, cost: act.cost } : { type: act.type, job }
  return one(sampled, at, user, job, posting)
}

function sample(book: BankBook, user: string, job: number, slowdown: number): BankBook {
  const of = book.accounts.get(user)?.jobs.find((expense) => expense.job === job)?.class
  const [first, second, third] = book.samples
  const add = (l: Class, { sum, count }: Sample) =>
    l === of ? { sum: sum + slowdown, count: count + 1 } : { sum, count }
  return { ...book, samples: [add(1, first), add(2, second), add(3, third)] }
}

/** The mean response / service of each class; null until every class has a sample. */
export function slowdownsOf({ samples: [first, second, third] }: BankBook): PerClass | null {
  if (first.count === 0 || second.count === 0 || third.count === 0) return null
  return [first.sum / first.count, second.sum / second.count, third.sum / third.count]
}

export const knows = ({ accounts }: BankBook, user: string, job: number): boolean => {
  const account = accounts.get(user)
  return account !== undefined && has(account.known, job)
}
