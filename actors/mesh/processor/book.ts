/** What a processor knows: whose threads it has, what of them it sends, and what it computes. */
import type { Address, Mail, Time } from '../../../lib/actor.ts'
import type { Model } from '../model.ts'
import type { Move, Run, Side, ToProcessor } from '../threads/messages.ts'

export type ProcessorInput = {
  readonly model: Model
}

export interface ProcessorBook extends ProcessorInput {
  /** By job. */
  readonly threads: ReadonlyMap<number, readonly number[]>
  readonly port: Port
  /** To be sent, the first one next. */
  readonly orders: readonly Mail<Move>[]
  /** How many ends of the first one are reserved. */
  readonly reserved: number
  /** Of the job whose threads run here; null: none run. */
  readonly stepping: Stepping | null
  readonly heard: Heard
}

/** For whoever folds a run. */
export type ProcessorFact =
  | { readonly type: 'placed'; readonly job: number; readonly threads: readonly number[] }
  /** To whom, and how long that takes. */
  | { readonly type: 'sent'; readonly job: number; readonly thread: number; readonly to: Address; readonly takes: Time }
  | { readonly type: 'dropped'; readonly job: number }
  | { readonly type: 'runs'; readonly job: number }
  | { readonly type: 'rests'; readonly job: number }

export type ProcessorEvent = Mail<ToProcessor> | { type: 'transferred' } | { type: 'computed' } | { type: 'exchanged' }

export const newBook = (input: ProcessorInput): ProcessorBook => ({
  ...input,
  threads: new Map(),
  port: FREE,
  orders: [],
  reserved: 0,
  stepping: null,
  heard: NOTHING_HEARD,
})

const NONE: readonly number[] = []

export const threadsIn = ({ threads }: ProcessorBook, job: number): readonly number[] => threads.get(job) ?? NONE

export function withThreads({ threads }: ProcessorBook, job: number, own: readonly number[]): ProcessorBook['threads'] {
  const all = new Map(threads)
  if (own.length > 0) all.set(job, own)
  else all.delete(job)
  return all
}

// --- port ---
/*
 * A processor sends or takes one thread at a time, whosever it is (section 2). Both ends of a transfer are reserved before it
 * begins, in the order of their addresses: who has one and waits for another waits for a later one, so nobody waits for himself.
 */

export type Port = {
  /** The sender of the transfer that it is kept for; null: it is free. */
  readonly holder: Address | null
  /** Senders that wait, in the order of asking. */
  readonly waiting: readonly Address[]
}

const FREE: Port = { holder: null, waiting: [] }

/** It has it if it is the holder then. */
export const reserved = ({ holder, waiting }: Port, by: Address): Port =>
  holder === null ? { holder: by, waiting } : { holder, waiting: [...waiting, by] }

/** To who has waited longest. */
export const released = ({ waiting: [next, ...waiting] }: Port): Port => ({ holder: next ?? null, waiting })

/** The ends of a transfer in the order in which they are reserved. */
export const endsOf = (from: Address, to: Address): readonly [Address, Address] => (from < to ? [from, to] : [to, from])

// --- stepping ---
/*
 * How the threads of one job on one processor go on: compute, exchange with those above and below, then with those beside, and
 * begin the next step when all partners have spoken of this one. Nobody is told when to begin it.
 */

export type Stepping = {
  readonly job: number
  readonly leader: Address
  readonly vertical: Side
  readonly horizontal: Side
  /** Done. */
  readonly step: number
  /** Nothing is begun after this one; null: there is always a next one. */
  readonly until: number | null
  /** What it does for the step after `step`; null: it has not begun it. */
  readonly doing: 'computing' | 'vertical' | 'horizontal' | 'waiting' | null
  /** The leader is finding out where all are: nothing is told of this one before it has. */
  readonly isHeld: boolean
}

/** By step how many partners have spoken of it. Of one job: what another one left is done with. */
export type Heard = { readonly job: number; readonly edges: ReadonlyMap<number, number> }

const NOTHING_HEARD: Heard = { job: 0, edges: new Map() }

export const hearing = ({ job: of, edges: before }: Heard, job: number, step: number): Heard => {
  const edges = of === job ? before : new Map<number, number>()
  return { job, edges: new Map([...edges, [step, (edges.get(step) ?? 0) + 1]]) }
}

export const forgetting = ({ job, edges }: Heard, step: number): Heard => ({
  job,
  edges: new Map([...edges].filter(([of]) => of > step)),
})

export const starting = ({ job, from, step, until, vertical, horizontal }: Mail<Run>): Stepping => ({
  job,
  leader: from,
  step,
  until,
  vertical,
  horizontal,
  doing: null,
  isHeld: false,
})

/** Is there a step that it may begin? */
export const mayBegin = ({ doing, step, until }: Stepping): boolean =>
  doing === null && (until === null || step < until)

/** It has done all it was told to, and nobody knows yet. */
export const isThrough = ({ doing, step, until, isHeld }: Stepping): boolean =>
  doing === null && step === until && !isHeld

/** The last step that it has begun. */
export const begunBy = ({ doing, step }: Stepping): number => (doing === null ? step : step + 1)

/** Has everybody spoken of the step that it waits for? */
export const isHeard = ({ job, step, vertical, horizontal }: Stepping, { job: of, edges }: Heard): boolean => {
  const partners = vertical.partners.length + horizontal.partners.length
  return partners === (of === job ? (edges.get(step + 1) ?? 0) : 0)
}
