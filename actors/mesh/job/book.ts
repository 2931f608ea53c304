/** The state of the leader of a job, and the facts that it observes. */
import { actor, type Joined, type Ref, type Time } from '../../../lib/actor.ts'
import type { Answer, Attempt, Begin, Cells, Links, ToAllocator, ToJob, ToUser } from '../messages.ts'
import type { Detail, Model } from '../model.ts'
import type { Rectangle } from '../rectangle.ts'
import { type Crew, NO_CREW } from '../threads/crew.ts'
import type { Membership } from './membership.ts'
import type { MappingName, Work } from './pace.ts'

export type JobInput = {
  readonly allocator: Ref<ToAllocator>
  readonly model: Model
  readonly mapping: MappingName
  readonly detail: Detail
  /** The time after which a request to the allocator is first repeated; null: each is sent once. */
  readonly patience: Time | null
}

export interface JobBook extends JobInput {
  /** The job that the leader leads, and its user; null: none. */
  readonly of: (Begin & { readonly user: Ref<ToUser> }) | null
  /** The outcome of the previous job. */
  readonly last: (Attempt & { readonly type: 'over' | 'failed' }) | null
  readonly progress: Work
  /** The partition that the threads are in or move to; null without threads. */
  readonly partition: Rectangle | null
  /** The place in a ring; null outside of rings. */
  readonly ring: Membership | null
  /** The number of the last order. */
  readonly change: number
  /** The number of the last order that the job has begun to carry out. Others did not apply, and were only answered. */
  readonly obeyed: number
  /** The answer to the last order; null while the order is being carried out. */
  readonly answer: Answer | null
  /** The pause before the next repetition of a request; null: it is not repeated. */
  readonly pause: Time | null
  readonly isLeaving: boolean
  /** Whether the job is over and has no threads any more. */
  readonly hasDeparted: boolean
  /** The threads, if they are on processors. */
  readonly crew: Crew
}

/**
 * The number of the order that a job carries out. An order may be older than the decision to take its leader for dead. Absent
 * without patience, when no leader is taken for dead.
 */
type ByOrder = { readonly order?: number }

/** Facts that a job observes, for listeners. */
export type JobFact =
  | ({ readonly type: 'began' } & Attempt)
  /**
   * The job moves to a partition and stands still until its threads are there; `took` is null if processors move them.
   */
  | ({ readonly type: 'moved'; readonly partition: Rectangle; readonly took: Time | null } & ByOrder)
  /**
   * The job, which is in a ring, owns these cells from now on. `offered` is the one of them that it offers to a
   * neighbour.
   */
  | ({ readonly type: 'owns'; readonly offered: Rectangle | null; readonly cells: Cells } & Links & ByOrder)
  | { readonly type: 'resumed'; readonly pace: number }
  /** The job has no processors any more: it was swapped out, or (`vacated`) told to vacate them. */
  | { readonly type: 'stopped' }
  | { readonly type: 'vacated' }
  /** The job computes no more, because its work is done or it was told to leave. */
  | ({ readonly type: 'ended'; readonly left: number } & Attempt)
  | ({ readonly type: 'failed' } & Attempt)

export type JobEvent = ToJob | Joined | { type: 'moved' } | { type: 'completed' } | { type: 'again' }

export const { createMachine, handlers, observe, onEntry, retry, timer } = actor<{
  input: JobInput
  context: JobBook
  event: JobEvent
  reply: ToUser
  fact: JobFact
}>()

/** Adds the number of the order to a fact, if there is patience. */
export const byOrder = <F extends JobFact & ByOrder>({ patience, obeyed }: JobBook, fact: F): F =>
  patience === null ? fact : { ...fact, order: obeyed }

/** The argument of guards. */
export type Asked = { readonly context: JobBook }

/** Whether the allocator has restarted. It may have forgotten a request. */
export const isAllocator = ({ context, event }: Asked & { readonly event: Joined }): boolean =>
  event.address === context.allocator

export const newBook = (input: JobInput): JobBook => ({
  ...input,
  of: null,
  last: null,
  partition: null,
  ring: null,
  change: 0,
  obeyed: 0,
  answer: null,
  pause: null,
  isLeaving: false,
  hasDeparted: false,
  progress: { left: 0, pace: 0, since: 0 },
  crew: NO_CREW,
})
