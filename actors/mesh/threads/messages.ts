/**
 * Messages about threads, between the leader of a job and processors, and among processors. A thread is known by its
 * number, row by row of the grid of threads.
 */
import type { Ref } from '../../../lib/actor.ts'

type OfJob = { readonly job: number }

/** Messages to a processor, from the leader of a job or another processor. */
export type ToProcessor = Place | Move | Drop | Run | Halt | Finish | FromProcessor

/** Messages among processors. */
type FromProcessor = Reserve | Granted | Arriving | Edge

/** Answers to the leader of a job. */
export type ToLeader = Placed | Dropped | Halting | Ran

/** Gives threads to a processor. Answered by `placed`. */
export type Place = OfJob & { readonly type: 'place'; readonly threads: readonly number[] }

/**
 * Orders a processor to send this thread to another one, after all threads ordered before. The receiver answers with
 * `placed`.
 */
export type Move = OfJob & {
  readonly type: 'move'
  readonly thread: number
  readonly to: Ref<ToProcessor>
  /** Whether the program is sent along, because the job has not been on that processor. */
  readonly withCode: boolean
}

/** Orders a processor to forget this job. Answered by `dropped` when nothing of it is left there. */
export type Drop = OfJob & { readonly type: 'drop' }

export type Placed = OfJob & { readonly type: 'placed'; readonly threads: readonly number[] }
export type Dropped = OfJob & { readonly type: 'dropped' }

/** Asks a processor to keep its port free for a thread that the sender is going to send. Answered by `granted`. */
export type Reserve = { readonly type: 'reserve' }
export type Granted = { readonly type: 'granted' }

/** Brings the thread that was announced by `reserve`. */
export type Arriving = OfJob & { readonly type: 'arriving'; readonly thread: number; readonly leader: Ref<ToLeader> }

/**
 * One direction of the grid of threads: the number of threads with a neighbour elsewhere, and the processors of those
 * neighbours.
 */
export type Side = { readonly threads: number; readonly partners: readonly Ref<ToProcessor>[] }

/** Orders a processor to run its threads of this job step by step. Answered by `ran` after the last step. */
export type Run = OfJob & {
  readonly type: 'run'
  /** The number of steps done so far. */
  readonly step: number
  /** The last step; null if there is none. */
  readonly until: number | null
  readonly vertical: Side
  readonly horizontal: Side
}

/** Orders a processor to begin no more steps. Answered by `halting` with the last step that has begun. */
export type Halt = OfJob & { readonly type: 'halt' }
export type Halting = OfJob & { readonly type: 'halting'; readonly step: number }

/** Orders a processor to continue to the end of this step, because some processor has begun it. Answered by `ran`. */
export type Finish = OfJob & { readonly type: 'finish'; readonly step: number }
export type Ran = OfJob & { readonly type: 'ran'; readonly step: number }

/** Brings the data of the sender's threads that their neighbours need after this step. */
export type Edge = OfJob & { readonly type: 'edge'; readonly step: number }
