/**
 * What the leader of a job and processors say to each other about its threads, and processors among themselves. A thread is
 * known by its number, row by row of the grid of threads.
 */
import type { Address } from '../../../lib/actor.ts'

type OfJob = { readonly job: number }

/** From the leader of a job. */
export type ToProcessor = Place | Move | Drop | Run | Halt | Finish | FromProcessor

/** From another processor. */
type FromProcessor = Reserve | Granted | Arriving | Edge

/** To the leader of a job. */
export type ToLeader = Placed | Dropped | Halting | Ran

/** These threads are yours. Answered by `placed`. */
export type Place = OfJob & { readonly type: 'place'; readonly threads: readonly number[] }

/** Send that thread there, after those you were told of before. `placed` comes from where it arrives. */
export type Move = OfJob & {
  readonly type: 'move'
  readonly thread: number
  readonly to: Address
  /** It takes the program along: none of the job has been there. */
  readonly withCode: boolean
}

/** Forget this job. Answered by `dropped`, and then nothing of it is left there. */
export type Drop = OfJob & { readonly type: 'drop' }

export type Placed = OfJob & { readonly type: 'placed'; readonly threads: readonly number[] }
export type Dropped = OfJob & { readonly type: 'dropped' }

/** Be ready to take a thread from me, and do nothing else with your port until it is there. */
export type Reserve = { readonly type: 'reserve' }
export type Granted = { readonly type: 'granted' }

/** Here it is. */
export type Arriving = OfJob & { readonly type: 'arriving'; readonly thread: number; readonly leader: Address }

/** In one direction of the grid of threads: how many have a neighbour elsewhere, and on which processors those are. */
export type Side = { readonly threads: number; readonly partners: readonly Address[] }

/** Have your threads of this job go on, step by step. `ran` when the last step is done; null: there is no last one. */
export type Run = OfJob & {
  readonly type: 'run'
  /** Steps done so far. */
  readonly step: number
  readonly until: number | null
  readonly vertical: Side
  readonly horizontal: Side
}

/** Begin no step any more. Answered by `halting` with the step that was the last to be begun. */
export type Halt = OfJob & { readonly type: 'halt' }
export type Halting = OfJob & { readonly type: 'halting'; readonly step: number }

/** Go on to the end of this step: somebody has begun it. */
export type Finish = OfJob & { readonly type: 'finish'; readonly step: number }
export type Ran = OfJob & { readonly type: 'ran'; readonly step: number }

/** What the neighbours of my threads need to know after this step. */
export type Edge = OfJob & { readonly type: 'edge'; readonly step: number }
