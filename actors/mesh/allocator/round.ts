/**
 * A round: the orders that the allocator gave under one number, and the answers to them. The allocator continues when
 * all jobs have answered. With patience it repeats unanswered orders, and takes a job that never answers for dead.
 */
import {
  type Address,
  type Decision,
  type Effect,
  type Mail,
  observe,
  sender,
  type Time,
  tell,
  timer,
} from '../../../lib/actor.ts'
import type { Report } from '../fold/recovery.ts'
import type { Answer, Attempt, Cells, Order } from '../messages.ts'
import { textOf } from '../rectangle.ts'

export type Round = {
  readonly change: number
  readonly orders: ReadonlyMap<Address, Order>
  readonly answers: ReadonlyMap<Address, Answer>
  /** How often the orders have been sent. */
  readonly told: number
}

/** The timer event of a round: some orders may still be unanswered. */
export type Impatient = { readonly type: 'impatient'; readonly change: number }

/** How often an unanswered order is sent before its job is taken for dead. */
const TIMES = 6

export const NO_ROUND: Round = { change: 0, orders: new Map(), answers: new Map(), told: 0 }

/** The first number of an incarnation, larger than all numbers of earlier ones. */
export const firstChange = (incarnation: number): number => incarnation * 1_000_000_000

const opened = (change: number, orders: Iterable<readonly [Address, Order]>): Round => ({
  change,
  orders: new Map(orders),
  answers: new Map(),
  told: 0,
})

const isOfRound = ({ change, orders }: Round, answer: Answer): boolean =>
  answer.change === change && orders.has(sender())

function answered(round: Round, { from, ...answer }: Mail<Answer>): Round {
  return { ...round, answers: new Map(round.answers).set(from, answer) }
}

export const silentIn = ({ orders, answers }: Round): readonly Address[] =>
  [...orders.keys()].filter((job) => !answers.has(job))

const isAnswered = ({ orders, answers }: Round): boolean => answers.size === orders.size

const isOver = ({ told }: Round): boolean => told >= TIMES

/** Sends the orders that have not been answered. */
function said(round: Round, patience: Time | null): readonly [Round, ...Effect[]] {
  const { change } = round
  const tells = silentIn(round).flatMap((job) => {
    const order = round.orders.get(job)
    return order ? [tell(job, order)] : []
  })
  const wait = patience === null ? [] : [timer('patience', patience, { type: 'impatient', change } satisfies Impatient)]
  return [{ ...round, told: round.told + 1 }, ...tells, ...wait]
}

// --- the round as part of an allocator's state ----------------------------------------------------------------------------

export type Ordering = {
  /** The largest number given to an order so far. */
  readonly change: number
  readonly round: Round
}

type Patient = { readonly patience: Time | null }

/** Gives orders under the next number, as a round. */
export function ordered(
  { change: last, patience }: Pick<Ordering, 'change'> & Patient,
  orderOf: (change: number) => Iterable<readonly [Address, Order]>,
): readonly [Ordering, ...Effect[]] {
  const change = last + 1
  const [round, ...tells] = said(opened(change, orderOf(change)), patience)
  return [{ change, round }, ...tells]
}

/** An order to vacate outside of any round, for a job that is not on the mesh or must not be. */
export const vacating = (
  { change: last }: Pick<Ordering, 'change'>,
  job: Address,
  isFailed: boolean,
): readonly [Pick<Ordering, 'change'>, Effect] => {
  const change = last + 1
  return [{ change }, tell(job, { type: 'vacate', change, isFailed })]
}

/** The round without a job that is gone and need not answer. */
export const without = ({ orders, answers, ...round }: Round, gone: Address): Round => ({
  ...round,
  orders: new Map([...orders].filter(([job]) => job !== gone)),
  answers: new Map([...answers].filter(([job]) => job !== gone)),
})

export const onAnswer = ({ round }: Ordering, answer: Mail<Answer>): Decision<Ordering> => [
  { round: answered(round, answer) },
]

export function onImpatient({ round, patience }: Ordering & Patient): Decision<Ordering> {
  const [again, ...effects] = said(round, patience)
  return [{ round: again }, ...effects]
}

// --- transitions of an allocator that waits for answers ---------------------------------------------------------------

type Asked = { readonly context: Ordering }

export const isComplete = ({ context }: Asked): boolean => isAnswered(context.round)
const isCurrent = ({ context, event }: Asked & { readonly event: Answer }) => isOfRound(context.round, event)
const isItsTurn = ({ context, event }: Asked & { readonly event: Impatient }) => event.change === context.round.change
const isGivenUp = (asked: Asked & { readonly event: Impatient }) => isItsTurn(asked) && isOver(asked.context.round)

/** Transitions that collect answers and go to `target` when all are there; `collect` notes each kind of answer. */
export const untilAnswered = <Action>(collect: { readonly [A in Answer['type']]: Action }, target: string) => ({
  on: {
    frozen: { guard: isCurrent, actions: collect.frozen },
    done: { guard: isCurrent, actions: collect.done },
    'swapped-out': { guard: isCurrent, actions: collect['swapped-out'] },
  },
  always: { guard: isComplete, target },
})

/** Transitions that repeat unanswered orders, and in the end go to `target` without those answers. */
export const untilPatienceEnds = <Action>(repeat: Action, target: string) => [
  { guard: isGivenUp, target },
  { guard: isItsTurn, actions: repeat },
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

/** A fact for listeners: a leader has not answered for too long, and is taken for dead. */
export type GaveUp = { readonly type: 'gave-up'; readonly leader: Address }

/** Gives leaders up. A leader that is alive after all is told that it has failed. */
export const givenUp = (leaders: readonly Address[], change: number): readonly Effect[] =>
  leaders.flatMap((leader) => [
    observe({ type: 'gave-up', leader } satisfies GaveUp),
    tell(leader, { type: 'vacate', change, isFailed: true }),
  ])

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
