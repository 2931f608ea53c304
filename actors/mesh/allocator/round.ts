/**
 * What the allocator has ordered under one number, and who has answered. It goes on when all have; with patience who has not
 * is told again every so often, and in the end taken for dead.
 */
import { type Address, type Effect, type Mail, type Time, tell, timer } from '../../../lib/actor.ts'
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

/** In each life numbers are larger than in all before. */
export const firstChange = (life: number): number => life * 1_000_000_000

export const opened = (change: number, orders: Iterable<readonly [Address, Order]>): Round => ({
  ...{ change, orders: new Map(orders), answers: new Map(), told: 0 },
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
