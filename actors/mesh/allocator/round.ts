/**
 * What the allocator has ordered under one number, and who has answered. It goes on when all have; with patience who has not
 * is told again every so often, and in the end taken for dead.
 */
import { type Address, type Decision, type Effect, type Mail, type Time, tell, timer } from '../../../lib/actor.ts'
import type { Answer, Order } from '../messages.ts'

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

export const opened = (change: number, orders: Iterable<readonly [Address, Order]>): Round => ({
  change,
  orders: new Map(orders),
  answers: new Map(),
  told: 0,
})

export const isOfRound = ({ change, orders }: Round, answer: Mail<Answer>): boolean =>
  answer.change === change && orders.has(answer.from)

export function answered(round: Round, { from, ...answer }: Mail<Answer>): Round {
  return { ...round, answers: new Map(round.answers).set(from, answer) }
}

export const silentIn = ({ orders, answers }: Round): readonly Address[] =>
  [...orders.keys()].filter((job) => !answers.has(job))

export const isAnswered = ({ orders, answers }: Round): boolean => answers.size === orders.size

export const isOver = ({ told }: Round): boolean => told >= TIMES

/** Tells all that have not answered. */
export function said(round: Round, patience: Time | null): readonly [Round, ...Effect[]] {
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
