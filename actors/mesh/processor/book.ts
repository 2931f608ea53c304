/** What a processor knows: whose threads it has, what of them it sends, and what it computes. */
import type { Address, Mail, Time } from '../../../lib/actor.ts'
import type { Model } from '../model.ts'
import type { Move, ToProcessor } from '../threads/messages.ts'
import { FREE, type Port } from '../threads/port.ts'
import { type Heard, NOTHING_HEARD, type Stepping } from '../threads/stepping.ts'

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
