/**
 * The bank keeps the users' savings, an expense account for each job, and the system account (sections 2.1, 2.2, 2.4). A job
 * that starts pays its whole balance to the system account. Each instruction of the scheduler is carried out once.
 */
import {
  actor,
  type Decision,
  type Delivery,
  type Effect,
  machineOf,
  now,
  type Ref,
  ref,
  type Time,
  tell,
  units,
} from '../../lib/actor.ts'
import { advance, balanceOf, type Expense, type Holder, rateOf, totalsOf } from './accounts.ts'
import {
  amountsOf,
  type BankBook,
  type Booking,
  bankBookOf,
  bookingsOf,
  books,
  type Entry,
  knows,
  slowdownsOf,
} from './bank-book.ts'
import {
  type BankFact,
  type Carried,
  type Instruct,
  type Quote,
  type Quoted,
  type QuotedFact,
  requestOf,
  type Steer,
  type Submit,
  type ToBank,
  type ToScheduler,
  type ToUser,
} from './messages.ts'
import type { Durability, Sharing } from './terms.ts'

/** What the bank is spawned with. */
export type BankInput = Durability & {
  /** Users by the names of their machines. */
  readonly users: Readonly<Record<string, Holder>>
  readonly sharing: Sharing
  readonly scheduler: Ref<ToScheduler>
  /** How often all users get statistics: until the given time, and after that while open jobs start and end. */
  readonly statistics: { readonly every: Time; readonly until: Time } | null
  /** What earlier incarnations persisted; absent in the first. */
  readonly records?: readonly Entry[]
}

interface Context extends Omit<BankInput, 'users' | 'records'> {
  readonly book: BankBook
  /** The last report that came after new instructions: how many had been carried out by then, and when it was. */
  readonly reported: { readonly done: number; readonly at: Time }
}

type Event = ToBank | { type: 'report' }

const { createMachine, handlers, onEntry, observe, timer } = actor<{
  input: BankInput
  context: Context
  event: Event
  reply: ToUser | ToScheduler
  fact: BankFact | QuotedFact
}>()

type Sender = Delivery<Ref<ToUser | ToScheduler>>

/**
 * Adds an entry to the book, and reports its bookings as facts.
 *
 * @param answer the messages about it
 */
function commit(
  { book, durable }: Context,
  entry: Entry,
  answer: (bookings: readonly Booking[]) => readonly Effect[] = () => [],
): Decision<Context> {
  const bookings = bookingsOf(book, entry)
  const [after, ...persisted] = books.enter(book, entry, durable)
  return [
    { book: after },
    ...persisted,
    ...bookings.flatMap((booking) => factOf(booking, book.sharing)),
    ...answer(bookings),
  ]
}

function factOf({ user, posting, amount, account }: Booking, sharing: Sharing): Effect[] {
  if (!account) return []
  const { received, savings, expenses, paid, forfeited } = totalsOf(account, sharing)
  const moved = amount ?? 0
  if (posting.type === 'steered') {
    const { type: what, coefficients } = posting
    return [
      observe({
        type: 'booked',
        user,
        what,
        job: 0,
        amount: moved,
        coefficients,
        received,
        savings,
        expenses,
        paid,
        forfeited,
      }),
    ]
  }
  const what = amount === null ? 'declined' : posting.type
  const { job } = posting
  return [observe({ type: 'booked', user, what, job, amount: moved, received, savings, expenses, paid, forfeited })]
}

function onSubmit(context: Context, submit: Submit, { from }: Sender): Decision<Context> {
  const request = requestOf(submit)
  const user = machineOf(from)
  const { book, scheduler } = context
  const { job } = request
  if (!book.accounts.has(user)) return [{}]
  if (knows(book, user, job)) return [{}, tell(from, { type: 'opened', job, deposit: 0 })]
  return commit(context, { type: 'opened', at: now(), user, request }, ([booking]) => [
    tell(from, { type: 'opened', job, deposit: booking?.amount ?? 0 }),
    ...(book.missed.includes(job) ? [tell(scheduler, { type: 'funded', job })] : []),
  ])
}

const onSteer = (context: Context, { coefficients }: Steer, { from }: Delivery): Decision<Context> =>
  commit(context, { type: 'steered', at: now(), user: machineOf(from), coefficients })

/** Replies with the balances at this instant. */
function onQuote(context: Context, { pass, jobs }: Quote, { from }: Sender): Decision<Context> {
  const { book } = context
  const open = new Map<number, readonly [number, number]>()
  for (const [, account] of book.accounts) {
    const current = advance(now(), account, book.sharing)
    const rate = rateOf(current, book.sharing)
    for (const job of current.jobs) {
      if (job.standing === 'waiting') open.set(job.job, [balanceOf(current, job, book.sharing), rate(job)])
    }
  }
  const found = jobs.map(({ job }) => open.get(job) ?? null)
  const unknown = jobs.filter(({ job, user }, i) => found[i] === null && !knows(book, user, job))
  const strangers = unknown.filter(({ user }) => !book.accounts.has(user)).map(({ job }) => job)
  const quoted = {
    type: 'quoted',
    pass,
    balances: found.map((one) => one?.[0] ?? null),
    rates: found.map((one) => one?.[1] ?? 0),
  } as const
  const answer: Quoted = strangers.length === 0 ? quoted : { ...quoted, strangers }
  const { balances } = answer
  const told = context.durable ? [observe({ type: 'quoted', pass, jobs: jobs.map(({ job }) => job), balances })] : []
  const missed = unknown.map(({ job }) => job).filter((job) => !book.missed.includes(job))
  if (missed.length === 0) return [{}, ...told, tell(from, answer)]
  return commit(context, { type: 'missed', at: now(), jobs: missed }, () => [...told, tell(from, answer)])
}

const carried = (to: Ref<Carried>, { n, amounts }: Omit<Carried, 'type'>) => tell(to, { type: 'carried', n, amounts })

/** Repeats the old answer to an instruction that was carried out before. Ignores one that comes before its predecessor. */
function onInstruct(context: Context, { n, act, since }: Instruct, { from }: Sender): Decision<Context> {
  const { book } = context
  if (n <= book.done) {
    const before = book.answers.find((answer) => answer.n === n)
    return before ? [{}, carried(from, before)] : [{}]
  }
  if (n > book.done + 1) return [{}]
  return commit(context, { type: 'instructed', at: now(), instruct: { n, act, since } }, (bookings) => [
    carried(from, { n, amounts: amountsOf(bookings) }),
  ])
}

/**
 * Whether reports can stop. A running job ends in time; but a job stays open for ever if its user died before it could
 * submit it to the scheduler.
 */
function isAtRest({ book, reported }: Context): boolean {
  const open = [...book.accounts.values()].flatMap(({ jobs }) => jobs)
  const mayEnd = ({ standing, work }: Expense) => standing === 'running' && reported.at + units(work) >= now()
  return open.length === 0 || (book.done === reported.done && !open.some(mayEnd))
}

/** Sets the timer of the next report. A timer fires after the mail of its instant, so jobs that end then are counted. */
function untilReport(context: Context): Effect[] {
  const { statistics } = context
  if (!statistics || (now() >= statistics.until && isAtRest(context))) return []
  const { every } = statistics
  return [timer('report', every - (now() % every), { type: 'report' })]
}

function onReport(context: Context): Decision<Context> {
  const { book, reported } = context
  const slowdowns = slowdownsOf(book)
  return [
    { reported: book.done === reported.done ? reported : { done: book.done, at: now() } },
    ...(slowdowns ? [tell(ref<ToUser>('user@*'), { type: 'statistics', slowdowns })] : []),
    ...untilReport(context),
  ]
}

export default createMachine({
  context: ({ input: { users, sharing, records = [], ...terms } }) => ({
    ...terms,
    sharing,
    book: books.recover(records, bankBookOf(users, sharing)),
    reported: { done: -1, at: 0 },
  }),
  entry: onEntry((context) => [{}, ...untilReport(context)]),
  on: handlers({ submit: onSubmit, steer: onSteer, quote: onQuote, instruct: onInstruct, report: onReport }),
})
