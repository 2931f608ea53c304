/**
 * What the allocator has ordered under one number, and who has answered. It goes on when all have; with patience who has not
 * is told again every so often, and in the end taken for dead.
 */
import {
  type Address,
  type Decision,
  type Effect,
  type Mail,
  observe,
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
  /** How often who is silent has been told. */
  readonly told: number
}

/** Of the round of this number. */
export type Impatient = { readonly type: 'impatient'; readonly change: number }

/** So many times an order is given that nobody answers. */
const TIMES = 6

export const NO_ROUND: Round = { change: 0, orders: new Map(), answers: new Map(), told: 0 }

/** In each incarnation numbers are larger than in all before. */
export const firstChange = (incarnation: number): number => incarnation * 1_000_000_000

const opened = (change: number, orders: Iterable<readonly [Address, Order]>): Round => ({
  change,
  orders: new Map(orders),
  answers: new Map(),
  told: 0,
})

const isOfRound = ({ change, orders }: Round, answer: Mail<Answer>): boolean =>
  answer.change === change && orders.has(answer.from)

function answered(round: Round, { from, ...answer }: Mail<Answer>): Round {
  return { ...round, answers: new Map(round.answers).set(from, answer) }
}

export const silentIn = ({ orders, answers }: Round): readonly Address[] =>
  [...orders.keys()].filter((job) => !answers.has(job))

const isAnswered = ({ orders, answers }: Round): boolean => answers.size === orders.size

const isOver = ({ told }: Round): boolean => told >= TIMES

/** Tells all that have not answered. */
function said(round: Round, patience: Time | null): readonly [Round, ...Effect[]] {
  const { change } = round
  const tells = silentIn(round).flatMap((job) => {
    const order = round.orders.get(job)
    return order ? [tell(job, order)] : []
  })
  const wait = patience === null ? [] : [timer('patience', patience, { type: 'impatient', change } satisfies Impatient)]
  return [{ ...round, told: round.told + 1 }, ...tells, ...wait]
}

// --- as a part of what an allocator knows -------------------------------------------------------------------------------

export type Ordering = {
  /** Numbers up to this one have been given to orders. */
  readonly change: number
  readonly round: Round
}

type Patient = { readonly patience: Time | null }

/** All of them under the next number. */
export function ordered(
  { change: last, patience }: Pick<Ordering, 'change'> & Patient,
  orderOf: (change: number) => Iterable<readonly [Address, Order]>,
): readonly [Ordering, ...Effect[]] {
  const change = last + 1
  const [round, ...tells] = said(opened(change, orderOf(change)), patience)
  return [{ change, round }, ...tells]
}

/** An order without a round, to who waits for nothing, or is not to be let in. */
export const vacating = (
  { change: last }: Pick<Ordering, 'change'>,
  job: Address,
  isFailed: boolean,
): readonly [Pick<Ordering, 'change'>, Effect] => {
  const change = last + 1
  return [{ change }, tell(job, { type: 'vacate', change, isFailed })]
}

/** Who is gone need not answer. */
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

// --- until ---
/* States of an allocator's machine in which it waits until all have answered. */

type Asked = { readonly context: Ordering }

export const isComplete = ({ context }: Asked): boolean => isAnswered(context.round)
const isCurrent = ({ context, event }: Asked & { readonly event: Mail<Answer> }) => isOfRound(context.round, event)
const isItsTurn = ({ context, event }: Asked & { readonly event: Impatient }) => event.change === context.round.change
const isGivenUp = (asked: Asked & { readonly event: Impatient }) => isItsTurn(asked) && isOver(asked.context.round)

/** They go to `target`. `collect`: what notes each answer. */
export const untilAnswered = <Action>(collect: { readonly [A in Answer['type']]: Action }, target: string) => ({
  on: {
    frozen: { guard: isCurrent, actions: collect.frozen },
    done: { guard: isCurrent, actions: collect.done },
    'swapped-out': { guard: isCurrent, actions: collect['swapped-out'] },
  },
  always: { guard: isComplete, target },
})

/** Who is silent is told again and again, and in the end they go on without him, to `target`. */
export const untilPatienceEnds = <Action>(repeat: Action, target: string) => [
  { guard: isGivenUp, target },
  { guard: isItsTurn, actions: repeat },
]

// --- reports ---
/* What jobs have answered when they were asked what they have. */

type Answers = ReadonlyMap<Address, Answer>

/** Who answers as the one that was let in. */
export const membersOf = (members: ReadonlyMap<Address, Attempt>, answers: Answers): ReadonlyMap<Address, Attempt> =>
  new Map(
    [...members].filter(([leader, { job, attempt }]) => {
      const of = answers.get(leader)?.of
      return of?.job === job && of.attempt === attempt
    }),
  )

/** For whoever folds a run: it has not answered for too long, and is taken for dead. */
export type GaveUp = { readonly type: 'gave-up'; readonly leader: Address }

/** Should it live after all, it hears that it has failed. */
export const givenUp = (leaders: readonly Address[], change: number): readonly Effect[] =>
  leaders.flatMap((leader) => [
    observe({ type: 'gave-up', leader } satisfies GaveUp),
    tell(leader, { type: 'vacate', change, isFailed: true }),
  ])

/** Whether those who answered have what they were to get, and nothing of it is on its way. */
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

/** A cell that was offered is whose it has become: if nobody has taken it, it is still his who offered it. */
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
