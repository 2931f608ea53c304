/**
 * The bank's book: all that the bank knows, as a fold of entries. The bank persists the same entries. Balances are functions
 * of time, so a later incarnation computes every balance from them, including the income of the gap.
 *
 * Expense accounts have no child charts. Each has two standings, which only decide who shares the income. The rules of money
 * concern all accounts of a user at once, and are pure functions without an actor.
 */
import { eventSourced, type Time, toUnits } from '../../lib/actor.ts'
import { has } from '../ids.ts'
import { type Account, advance, type Holder, open, type Posting, post } from './accounts.ts'
import type { Act, Carried, Class, Instruct, PerClass, Request } from './messages.ts'
import { type Sharing, STANDARD_SHARING } from './terms.ts'

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

/** What an entry did to one user's accounts. */
export interface Booking {
  readonly user: string
  readonly posting: Posting
  /** The dollars that were moved; null if the bank declined. */
  readonly amount: number | null
  /** The account right after the posting; null: the bank knows no such user. */
  readonly account: Account | null
}

const NONE: Sample = { sum: 0, count: 0 }

/** The book of a bank before all entries. */
export const bankBookOf = (holders: Readonly<Record<string, Holder>>, sharing: Sharing): BankBook => ({
  sharing,
  accounts: new Map(Object.entries(holders).map(([user, holder]) => [user, open(holder)])),
  done: 0,
  answers: [],
  samples: [NONE, NONE, NONE],
  missed: [],
})

/** The bookings of an entry that comes next in a book. */
export function bookingsOf({ accounts, sharing }: BankBook, entry: Entry): readonly Booking[] {
  const current = new Map(accounts)
  return postingsOf(entry).map(([user, posting]) => {
    const account = current.get(user)
    if (!account) return { user, posting, amount: posting.type === 'extend' ? null : 0, account: null }
    const [after, amount] = post(advance(entry.at, account, sharing), posting, sharing)
    current.set(user, after)
    return { user, posting, amount, account: after }
  })
}

/** The postings of an entry, with their users. */
function postingsOf(entry: Entry): readonly (readonly [user: string, Posting])[] {
  switch (entry.type) {
    case 'opened': {
      const { job, class: l, processors, service, deposit } = entry.request
      return [[entry.user, { type: 'opened', job, class: l, work: toUnits(processors * service), deposit }]]
    }
    case 'missed':
      return []
    case 'steered':
      return [[entry.user, { type: 'steered', coefficients: entry.coefficients }]]
    case 'instructed': {
      const { act } = entry.instruct
      return act.type === 'charge'
        ? act.jobs.map(({ job, user }) => [user, { type: 'charge', job }])
        : [[act.user, act]]
    }
  }
}

export const amountsOf = (bookings: readonly Booking[]): Carried['amounts'] => bookings.map(({ amount }) => amount)

function apply(before: BankBook, entry: Entry): BankBook {
  const bookings = bookingsOf(before, entry)
  const after = bookings.flatMap(({ user, account }) => (account ? [[user, account] as const] : []))
  const book = { ...before, accounts: new Map([...before.accounts, ...after]) }
  switch (entry.type) {
    case 'opened':
      return { ...book, missed: book.missed.filter((job) => job !== entry.request.job) }
    case 'missed':
      return { ...book, missed: [...book.missed, ...entry.jobs] }
    case 'steered':
      return book
    case 'instructed': {
      const { n, since, act } = entry.instruct
      const answers = [...book.answers.filter((answer) => answer.n >= since), { n, amounts: amountsOf(bookings) }]
      return { ...book, done: n, answers, samples: sampled(before, act) }
    }
  }
}

/** The samples after an act. The slowdown of a job that is closed counts for its class. */
function sampled({ samples, accounts }: BankBook, act: Act): BankBook['samples'] {
  if (act.type !== 'close' || act.slowdown === null) return samples
  const { job, user, slowdown } = act
  const of = accounts.get(user)?.jobs.find((expense) => expense.job === job)?.class
  const add = (l: Class, { sum, count }: Sample) =>
    l === of ? { sum: sum + slowdown, count: count + 1 } : { sum, count }
  return [add(1, samples[0]), add(2, samples[1]), add(3, samples[2])]
}

export const books = eventSourced<BankBook, Entry>({ empty: bankBookOf({}, STANDARD_SHARING), apply })

/** The mean response / service of each class; null until every class has a sample. */
export function slowdownsOf({ samples: [first, second, third] }: BankBook): PerClass | null {
  if (first.count === 0 || second.count === 0 || third.count === 0) return null
  return [first.sum / first.count, second.sum / second.count, third.sum / third.count]
}

export const knows = ({ accounts }: BankBook, user: string, job: number): boolean => {
  const account = accounts.get(user)
  return account !== undefined && has(account.known, job)
}
