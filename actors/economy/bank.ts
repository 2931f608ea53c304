/**
 * The bank keeps the users' savings, an expense account for each job, and the system account (sections 2.1, 2.2, 2.4). A job
 * that starts pays its whole balance to the system account. Each instruction of the scheduler is carried out once.
 */
import {
  type Address,
  actor,
  type Decision,
  type Effect,
  type Mail,
  machineOf,
  now,
  observe,
  persist,
  type Time,
  tell,
  timer,
  units,
} from '../../lib/actor.ts'
import { advance, balanceOf, type Expense, type Holder, rateOf, totalsOf } from './accounts.ts'
import { type BankBook, type Entry, emptyBankBook, enter, knows, slowdownsOf } from './bank-book.ts'
import type { BankFact, Carried, Instruct, Quoted, Submit, ToBank, ToUser } from './messages.ts'
import type { Caution, Sharing } from './terms.ts'

export type BankInput = Pick<Caution, 'durable'> & {
  /** Users by the names of their machines. */
  readonly users: Readonly<Record<string, Holder>>
  readonly sharing: Sharing
  readonly scheduler: Address
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

type Event = Mail<ToBank> | { type: 'report' }

const { createMachine, rule, onEntry } = actor<{ input: BankInput; context: Context; event: Event }>()

type Entered = ReturnType<typeof enter>

/** Persists an entry, and reports its effects on the users' money as facts. */
function commit(
  { durable }: Context,
  entry: Exclude<Entry, { type: 'missed' }>,
  [book, effects]: Entered,
): Decision<Context> {
  const facts = effects.flatMap(({ user, job, amount, account }): Effect[] => {
    if (!account) return []
    const totals = totalsOf(account, book.sharing)
    const what = amount === null ? 'declined' : entry.type === 'instructed' ? entry.instruct.act.type : entry.type
    const weights = entry.type === 'steered' ? { coefficients: entry.coefficients } : {}
    const fact: BankFact = { type: 'booked', user, what, job, amount: amount ?? 0, ...weights, ...totals }
    return [observe(fact)]
  })
  return [{ book }, ...(durable ? [persist(entry)] : []), ...facts]
}

const toUser = (to: Address, message: ToUser) => tell(to, message)

const onSubmit = rule('submit', (context, { from, type: _, ...request }: Mail<Submit>) => {
  const user = machineOf(from)
  const { job } = request
  if (!context.book.accounts.has(user)) return [{}]
  if (knows(context.book, user, job)) return [{}, toUser(from, { type: 'opened', job, deposit: 0 })]
  const entry: Entry = { type: 'opened', at: now(), user, request }
  const entered = enter(context.book, entry)
  const [changes, ...effects] = commit(context, entry, entered)
  const deposit = entered[1][0]?.amount ?? 0
  return [
    changes,
    ...effects,
    toUser(from, { type: 'opened', job, deposit }),
    ...(context.book.missed.includes(job) ? [tell(context.scheduler, { type: 'funded', job })] : []),
  ]
})

const onSteer = rule('steer', (context, { from, coefficients }) => {
  const entry: Entry = { type: 'steered', at: now(), user: machineOf(from), coefficients }
  return commit(context, entry, enter(context.book, entry))
})

/** Replies with the balances at this instant. */
const onQuote = rule('quote', (context, { from, pass, jobs }) => {
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
  const answer: Quoted = {
    type: 'quoted',
    pass,
    balances: found.map((one) => one?.[0] ?? null),
    rates: found.map((one) => one?.[1] ?? 0),
    ...(strangers.length > 0 && { strangers }),
  }
  const missed = unknown.map(({ job }) => job).filter((job) => !book.missed.includes(job))
  if (missed.length === 0) return [{}, tell(from, answer)]
  const entry: Entry = { type: 'missed', at: now(), jobs: missed }
  return [{ book: enter(book, entry)[0] }, ...(context.durable ? [persist(entry)] : []), tell(from, answer)]
})

const carried = (to: Address, answer: Omit<Carried, 'type'>) => tell(to, { type: 'carried', ...answer })

/** Repeats the old answer to an instruction that was carried out before. Ignores one that comes before its predecessor. */
const onInstruct = rule('instruct', (context, { from, type: _, ...instruct }: Mail<Instruct>) => {
  const { book } = context
  const { n } = instruct
  if (n <= book.done) {
    const before = book.answers.find((answer) => answer.n === n)
    return before ? [{}, carried(from, before)] : [{}]
  }
  if (n > book.done + 1) return [{}]
  const entry: Entry = { type: 'instructed', at: now(), instruct }
  const entered = enter(book, entry)
  const [changes, ...effects] = commit(context, entry, entered)
  const answer = entered[0].answers.at(-1)
  return [changes, ...effects, ...(answer ? [carried(from, answer)] : [])]
})

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

const onReport = rule('report', (context) => {
  const { book, reported } = context
  const slowdowns = slowdownsOf(book)
  return [
    { reported: book.done === reported.done ? reported : { done: book.done, at: now() } },
    ...(slowdowns ? [tell('user@*', { type: 'statistics', slowdowns })] : []),
    ...untilReport(context),
  ]
})

export default createMachine({
  context: ({ input: { users, sharing, records = [], ...terms } }) => ({
    ...terms,
    sharing,
    book: records.reduce<BankBook>((book, entry) => enter(book, entry)[0], emptyBankBook(users, sharing)),
    reported: { done: -1, at: 0 },
  }),
  entry: onEntry((context) => [{}, ...untilReport(context)]),
  on: {
    submit: { actions: onSubmit },
    steer: { actions: onSteer },
    quote: { actions: onQuote },
    instruct: { actions: onInstruct },
    report: { actions: onReport },
  },
})
