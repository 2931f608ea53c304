/**
 * The bank: users' savings, an expense account for each of their jobs, and the system account, to which a job that starts
 * pays all it has (sections 2.1, 2.2, 2.4). What the scheduler instructs it carries out once; it writes down what happens.
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
import { balanceOf, type Expense, type Holder, rateOf, totalsOf, until } from './accounts.ts'
import type { BankFact, Carried, Instruct, Quoted, Submit, ToBank, ToUser } from './messages.ts'
import type { Caution, Sharing } from './terms.ts'
import { type Entry, enter, knows, slowdownsOf, type Vault, vaultOf } from './vault.ts'

export type BankInput = Pick<Caution, 'durable'> & {
  /** By the names of their machines. */
  readonly users: Readonly<Record<string, Holder>>
  readonly sharing: Sharing
  readonly scheduler: Address
  /** When all users are told how the classes fare: every so often, until then and as long as open jobs start and end. */
  readonly statistics: { readonly every: Time; readonly until: Time } | null
  /** What earlier incarnations wrote down; absent in the first. */
  readonly records?: readonly Entry[]
}

interface Context extends Omit<BankInput, 'users' | 'records'> {
  readonly vault: Vault
  /** The last report that followed upon something: how many instructions had been carried out, and when it was. */
  readonly reported: { readonly done: number; readonly at: Time }
}

type Event = Mail<ToBank> | { type: 'report' }

const { createMachine, rule, onEntry } = actor<{ input: BankInput; context: Context; event: Event }>()

type Entered = ReturnType<typeof enter>

/** Writes it down, and tells whoever watches what it did to the users' money. */
function book(
  { durable }: Context,
  entry: Exclude<Entry, { type: 'missed' }>,
  [vault, effects]: Entered,
): Decision<Context> {
  const facts = effects.flatMap(({ user, job, amount, account }): Effect[] => {
    if (!account) return []
    const totals = totalsOf(account, vault.sharing)
    const what = amount === null ? 'declined' : entry.type === 'instructed' ? entry.instruct.act.type : entry.type
    const weights = entry.type === 'steered' ? { coefficients: entry.coefficients } : {}
    const fact: BankFact = { type: 'booked', user, what, job, amount: amount ?? 0, ...weights, ...totals }
    return [observe(fact)]
  })
  return [{ vault }, ...(durable ? [persist(entry)] : []), ...facts]
}

const toUser = (to: Address, message: ToUser) => tell(to, message)

const onSubmit = rule('submit', (context, { from, type: _, ...request }: Mail<Submit>) => {
  const user = machineOf(from)
  const { job } = request
  if (!context.vault.accounts.has(user)) return [{}]
  if (knows(context.vault, user, job)) return [{}, toUser(from, { type: 'opened', job, deposit: 0 })]
  const entry: Entry = { type: 'opened', at: now(), user, request }
  const entered = enter(context.vault, entry)
  const [changes, ...effects] = book(context, entry, entered)
  const deposit = entered[1][0]?.amount ?? 0
  return [
    changes,
    ...effects,
    toUser(from, { type: 'opened', job, deposit }),
    ...(context.vault.missed.includes(job) ? [tell(context.scheduler, { type: 'funded', job })] : []),
  ]
})

const onSteer = rule('steer', (context, { from, coefficients }) => {
  const entry: Entry = { type: 'steered', at: now(), user: machineOf(from), coefficients }
  return book(context, entry, enter(context.vault, entry))
})

/** Balances as they are at this instant. */
const onQuote = rule('quote', (context, { from, pass, jobs }) => {
  const { vault } = context
  const open = new Map<number, readonly [number, number]>()
  for (const [, account] of vault.accounts) {
    const current = until(now(), account, vault.sharing)
    const rate = rateOf(current, vault.sharing)
    for (const job of current.jobs) {
      if (job.standing === 'waiting') open.set(job.job, [balanceOf(current, job, vault.sharing), rate(job)])
    }
  }
  const found = jobs.map(({ job }) => open.get(job) ?? null)
  const unknown = jobs.filter(({ job, user }, i) => found[i] === null && !knows(vault, user, job))
  const strangers = unknown.filter(({ user }) => !vault.accounts.has(user)).map(({ job }) => job)
  const answer: Quoted = {
    type: 'quoted',
    pass,
    balances: found.map((one) => one?.[0] ?? null),
    rates: found.map((one) => one?.[1] ?? 0),
    ...(strangers.length > 0 && { strangers }),
  }
  const missed = unknown.map(({ job }) => job).filter((job) => !vault.missed.includes(job))
  if (missed.length === 0) return [{}, tell(from, answer)]
  const entry: Entry = { type: 'missed', at: now(), jobs: missed }
  return [{ vault: enter(vault, entry)[0] }, ...(context.durable ? [persist(entry)] : []), tell(from, answer)]
})

const carried = (to: Address, answer: Omit<Carried, 'type'>) => tell(to, { type: 'carried', ...answer })

/** What was carried out before is answered as it was then; what came before something that is missing has to come again. */
const onInstruct = rule('instruct', (context, { from, type: _, ...instruct }: Mail<Instruct>) => {
  const { vault } = context
  const { n } = instruct
  if (n <= vault.done) {
    const before = vault.answers.find((answer) => answer.n === n)
    return before ? [{}, carried(from, before)] : [{}]
  }
  if (n > vault.done + 1) return [{}]
  const entry: Entry = { type: 'instructed', at: now(), instruct }
  const entered = enter(vault, entry)
  const [changes, ...effects] = book(context, entry, entered)
  const answer = entered[0].answers.at(-1)
  return [changes, ...effects, ...(answer ? [carried(from, answer)] : [])]
})

/** A job that its user has not lived to tell the scheduler of is open for ever; one that runs is over in time. */
function isAtRest({ vault, reported }: Context): boolean {
  const open = [...vault.accounts.values()].flatMap(({ jobs }) => jobs)
  const mayEnd = ({ standing, work }: Expense) => standing === 'running' && reported.at + units(work) >= now()
  return open.length === 0 || (vault.done === reported.done && !open.some(mayEnd))
}

/** After what ends at the same instant: that counts, too. */
function untilReport(context: Context): Effect[] {
  const { statistics } = context
  if (!statistics || (now() >= statistics.until && isAtRest(context))) return []
  const { every } = statistics
  return [timer('report', every - (now() % every), { type: 'report' })]
}

const onReport = rule('report', (context) => {
  const { vault, reported } = context
  const slowdowns = slowdownsOf(vault)
  return [
    { reported: vault.done === reported.done ? reported : { done: vault.done, at: now() } },
    ...(slowdowns ? [tell('user@*', { type: 'statistics', slowdowns })] : []),
    ...untilReport(context),
  ]
})

export default createMachine({
  context: ({ input: { users, sharing, records = [], ...terms } }) => ({
    ...terms,
    sharing,
    vault: records.reduce<Vault>((vault, entry) => enter(vault, entry)[0], vaultOf(users, sharing)),
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
