/**
 * A round: the orders that the allocator gave under one number, and the answers to them. The allocator continues when
 * all jobs have answered. With patience it repeats unanswered orders, and takes a job that never answers for dead. Its
 * pauses do not double as those of `retry` do, since every change waits for the end of the round.
 */
import {
  type Address,
  answered,
  asked,
  type Decision,
  excused,
  type Gathering,
  isAwaited,
  isComplete,
  observe,
  type Reaction,
  sender,
  type Time,
  type Turn,
  tell,
  timer,
  turn,
} from '../../../lib/actor.ts'
import type { Report } from '../fold/recovery.ts'
import type { Answer, Attempt, Cells, Change, Order } from '../messages.ts'
import { textOf } from '../rectangle.ts'

export type Round = Gathering<Answer> & {
  readonly orders: ReadonlyMap<Address, Order>
  /** How often the orders have been sent. */
  readonly told: number
}

/**
 * A fact for listeners: the allocator gives orders under this number, to these leaders. It is told only with patience, so that
 * runs without faults have fewer facts.
 */
export type Ordered = Change & { readonly type: 'ordered'; readonly to: readonly Address[] }

/** The timer event of a round: some orders may still be unanswered. */
export type Impatient = { readonly type: 'impatient'; readonly change: number }

/** How often an unanswered order is sent before its job is taken for dead. */
const TIMES = 6

export const NO_ROUND: Round = { ...asked<Answer>(0, []), orders: new Map(), told: 0 }

/** What rounds need of an allocator's state. */
export type Ordering = {
  /** The time after which an unanswered order is repeated; null: never. */
  readonly patience: Time | null
  /** The largest number given to an order so far. */
  readonly change: number
  readonly round: Round
}

/** Gives orders to jobs under the next number, as a round. `orderOf` makes an order of what is listed for the job. */
export function giveOrders<T>(
  it: Turn<Ordering>,
  to: Iterable<readonly [job: Address, T]>,
  orderOf: (listed: T, change: number, job: Address) => Order,
): void {
  it.context.change += 1
  const { change } = it.context
  const orders = new Map([...to].map(([job, listed]) => [job, orderOf(listed, change, job)]))
  it.context.round = { ...asked<Answer>(change, orders.keys()), orders, told: 0 }
  if (it.context.patience !== null) it.do(observe<Ordered>({ type: 'ordered', change, to: [...orders.keys()] }))
  sendOrders(it)
}

/** Sends the orders that have not been answered. */
function sendOrders({ context, do: perform }: Turn<Ordering>): void {
  const { round, patience } = context
  for (const job of round.missing) {
    const order = round.orders.get(job)
    if (order) perform(tell(job, order))
  }
  if (patience !== null) perform(timer<Impatient>('patience', patience, { type: 'impatient', change: round.number }))
  context.round = { ...round, told: round.told + 1 }
}

/** Orders a job to vacate, outside of any round: it is not on the mesh or must not be. */
export function vacate(it: Turn<Pick<Ordering, 'change'>>, job: Address, isFailed: boolean): void {
  it.context.change += 1
  it.do(tell(job, { type: 'vacate', change: it.context.change, isFailed }))
}

/** Answers an attempt that arrives after it has departed: it is over. */
export function vacateDeparted(it: Turn<Pick<Ordering, 'change'>>, leader: Address, { job, attempt }: Attempt): void {
  it.context.change += 1
  it.do(tell(leader, { type: 'vacate', change: it.context.change, isFailed: false, departed: { job, attempt } }))
}

/** The round without a job that is gone and need not answer. */
export const without = (round: Round, gone: Address): Round => ({ ...round, ...excused(round, gone) })

// --- transitions of an allocator that waits for answers ---------------------------------------------------------------

const collect: Reaction<Ordering, Answer> = {
  guard: ({ context, event }) => isAwaited(context.round, sender(), event.change),
  handle: ({ round }, answer, { from }): Decision<Ordering> => [
    { round: { ...round, ...answered(round, from, answer) } },
  ],
}

/** Transitions that collect the answers of a round. */
export const COLLECT = { frozen: collect, done: collect, 'swapped-out': collect } as const

export const isAnswered = ({ context }: { readonly context: Ordering }): boolean => isComplete(context.round)

/** Transitions that repeat unanswered orders, and in the end go to `target` without those answers. */
export const untilPatienceEnds = (target: string): readonly Reaction<Ordering, Impatient>[] => [
  {
    guard: ({ context: { round }, event }) => event.change === round.number && round.told >= TIMES,
    target,
  },
  {
    guard: ({ context, event }) => event.change === context.round.number,
    handle: turn((it: Turn<Ordering>) => sendOrders(it)),
  },
]

// --- conclusions from the answers -------------------------------------------------------------------------------------

type Answers = ReadonlyMap<Address, Answer>

/** The members whose answer is for the job and attempt that was admitted. */
export const membersOf = (members: ReadonlyMap<Address, Attempt>, answers: Answers): ReadonlyMap<Address, Attempt> =>
  new Map(
    [...members].filter(([leader, { job, attempt }]) => {
      const of = answers.get(leader)?.of
      return of?.job === job && of.attempt === attempt
    }),
  )

/**
 * A fact for listeners: a leader has not answered for too long, and is taken for dead. `change` is the largest number of an order
 * so far: only an order with a larger number admits the leader again.
 */
export type GaveUp = Change & { readonly type: 'gave-up'; readonly leader: Address }

/** Gives leaders up. A leader that is alive after all is told that it has failed. */
export function giveUp(it: Turn<Pick<Ordering, 'change'>>, leaders: readonly Address[]): void {
  for (const leader of leaders) {
    const { change } = it.context
    const fact: GaveUp = { type: 'gave-up', leader, change }
    it.do(observe(fact), tell(leader, { type: 'vacate', change: change + 1, isFailed: true }))
  }
}

/** Whether all jobs that answered have their planned cells, and no cell is being passed on. */
export function isAsPlanned(
  answers: Answers,
  members: ReadonlyMap<Address, Attempt>,
  planned: readonly { readonly job: Address; readonly cells: Cells }[],
): boolean {
  const expected = new Map(planned.map(({ job, cells }) => [job, cells.map(textOf).join(' ')]))
  return [...answers].every(([leader, { of, holds }]) => {
    const [member, cells = ''] = [members.get(leader), expected.get(leader)]
    const isThere = cells === '' || (of !== null && member?.job === of.job && member.attempt === of.attempt)
    return isThere && !holds.offered && holds.cells.map(textOf).join(' ') === cells
  })
}

/**
 * The cells that each member reports. An offered cell belongs to the job that has taken it, else to the one that offers
 * it.
 */
export function reportsOf(members: ReadonlyMap<Address, Attempt>, answers: Answers): readonly Report[] {
  const owners = new Map<string, number>()
  for (const leader of members.keys()) {
    for (const cell of answers.get(leader)?.holds.cells ?? [])
      owners.set(textOf(cell), 1 + (owners.get(textOf(cell)) ?? 0))
  }
  return [...members.keys()].flatMap((job) => {
    const holds = answers.get(job)?.holds
    if (!holds) return []
    const { cells, offered, next } = holds
    const taken = offered !== null && (owners.get(textOf(offered)) ?? 0) > 1 ? textOf(offered) : null
    return [{ job, next, cells: cells.filter((cell) => textOf(cell) !== taken) }]
  })
}
