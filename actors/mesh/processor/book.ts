/**
 * The state of a processor: its threads, its port for sending and receiving them, and the steps of the job that runs.
 */
import type { Address, Ref, Time } from '../../../lib/actor.ts'
import type { Model } from '../model.ts'
import type { Move, Run, Side, ToLeader, ToProcessor } from '../threads/messages.ts'

export type ProcessorInput = {
  readonly model: Model
}

export interface ProcessorBook extends ProcessorInput {
  /** The threads on this processor, by job. */
  readonly threads: ReadonlyMap<number, readonly number[]>
  readonly port: Port
  /** Orders to send a thread; the first is carried out next. */
  readonly orders: readonly (Move & { readonly leader: Ref<ToLeader> })[]
  /** The number of reserved ends of the first transfer. */
  readonly reserved: number
  /** The job whose threads run here; null if none run. */
  readonly stepping: Stepping | null
  readonly heard: Heard
}

/** Facts that a processor observes, for listeners. */
export type ProcessorFact =
  | { readonly type: 'placed'; readonly job: number; readonly threads: readonly number[] }
  /** A thread leaves for another processor; `takes` is the duration of the transfer. */
  | {
      readonly type: 'sent'
      readonly job: number
      readonly thread: number
      readonly to: Address
      readonly takes: Time
    }
  | { readonly type: 'dropped'; readonly job: number }
  | { readonly type: 'runs'; readonly job: number }
  | { readonly type: 'rests'; readonly job: number }

export type ProcessorEvent = ToProcessor | { type: 'transferred' } | { type: 'computed' } | { type: 'exchanged' }

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

// --- port -------------------------------------------------------------------------------------------------------------

/**
 * The port of a processor, which sends or receives one thread at a time (section 2). Both ends of a transfer are
 * reserved before it begins, in the order of their addresses, so there is no deadlock: a transfer that holds one end
 * waits only for a later address.
 */
export type Port = {
  /** The sender of the transfer that holds the port; null if it is free. */
  readonly holder: Ref<ToProcessor> | null
  /** Senders that wait, in the order of their requests. */
  readonly waiting: readonly Ref<ToProcessor>[]
}

const FREE: Port = { holder: null, waiting: [] }

/** The port after a request: the sender holds it if it was free, and waits otherwise. */
export const reserved = ({ holder, waiting }: Port, by: Ref<ToProcessor>): Port =>
  holder === null ? { holder: by, waiting } : { holder, waiting: [...waiting, by] }

/** The port after its release: the sender that has waited longest holds it. */
export const released = ({ waiting: [next, ...waiting] }: Port): Port => ({ holder: next ?? null, waiting })

/** The ends of a transfer in the order of their reservation. */
export const endsOf = (from: Ref<ToProcessor>, to: Ref<ToProcessor>): readonly [Ref<ToProcessor>, Ref<ToProcessor>] =>
  from < to ? [from, to] : [to, from]

// --- steps ------------------------------------------------------------------------------------------------------------

/**
 * The progress of the threads of one job on one processor. In each step they compute, exchange with the neighbours
 * above and below, and then with those to the left and right. The next step begins when all partners have sent their
 * data of this one; there is no central signal.
 */
export type Stepping = {
  readonly job: number
  readonly leader: Ref<ToLeader>
  readonly vertical: Side
  readonly horizontal: Side
  /** The number of steps done. */
  readonly step: number
  /** The last step; null if there is none. */
  readonly until: number | null
  /** The phase of the step after `step`; null if that has not begun. */
  readonly doing: 'computing' | 'vertical' | 'horizontal' | 'waiting' | null
  /**
   * Whether the leader is collecting the progress of all processors. Meanwhile the end of a step is not reported.
   */
  readonly isHeld: boolean
}

/** The number of partners that have sent their data, by step, for one job. */
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

export const starting = ({ job, step, until, vertical, horizontal }: Run, leader: Ref<ToLeader>): Stepping => ({
  job,
  leader,
  step,
  until,
  vertical,
  horizontal,
  doing: null,
  isHeld: false,
})

/** Whether there is a step that may begin. */
export const mayBegin = ({ doing, step, until }: Stepping): boolean =>
  doing === null && (until === null || step < until)

/** Whether all ordered steps are done and have to be reported. */
export const isThrough = ({ doing, step, until, isHeld }: Stepping): boolean =>
  doing === null && step === until && !isHeld

/** The last step that has begun. */
export const begunBy = ({ doing, step }: Stepping): number => (doing === null ? step : step + 1)

/** Whether all partners have sent their data of the step under way. */
export const isHeard = ({ job, step, vertical, horizontal }: Stepping, { job: of, edges }: Heard): boolean => {
  const partners = vertical.partners.length + horizontal.partners.length
  return partners === (of === job ? (edges.get(step + 1) ?? 0) : 0)
}
