/**
 * Messages between the jobs, the allocator and the processors of a mesh (McCann 1994, chapters 3 to 6). The unit of
 * time is a second. Every order of the allocator carries the number of its change, so that late and duplicate messages
 * are recognized. An actor that waits for an answer repeats its message. No actor relies on a message arriving once, or
 * at all.
 */
import type { Address, Time } from '../../lib/actor.ts'
import type { Place } from './mapping.ts'
import type { Rectangle } from './rectangle.ts'
import type { ToLeader } from './threads/messages.ts'

/** What an allocator takes. */
export type ToAllocator = Arrive | Depart | Answer | Taken | SizeIs | Due | ProcessorDown | Silent
/** What the leader of a job takes. */
export type ToJob = Begin | Ask | Leave | Order | SizeIs | Cell | Taken | ToLeader
/** What a user takes. */
export type ToUser = Leads | Over | Failed
/** What the operator takes. */
export type ToOperator = Over | Failed | Rested
/** What the clock takes. */
export type ToClock = Running

/** A job, and the number of its attempt, from 1. */
export type Attempt = { readonly job: number; readonly attempt: number }

/**
 * Asks the allocator to admit the job. The job cannot use fewer than `minimum` processors. Repeated until it is
 * admitted.
 */
export type Arrive = Attempt & { readonly type: 'arrive'; readonly minimum: number }

/** Tells the allocator that the job is over, and computes no more. Repeated until the answer is `vacate`. */
export type Depart = Attempt & { readonly type: 'depart' }

/** A user orders an idle leader to lead this job. */
export type Begin = Attempt & {
  readonly type: 'begin'
  /** The time that the job takes alone on the whole machine; null: it runs until it is told to leave. */
  readonly work: Time | null
  /** The least number of processors that the job can use, >= 1. */
  readonly minimum: number
}

/** A user asks a leader whether it leads this job, or no job (`NO_JOB`): it has given up that leader, and needs an idle one. */
export type Ask = Attempt & { readonly type: 'ask' }

/** No user has a job of this number. */
export const NO_JOB: Attempt = { job: 0, attempt: 0 }

/**
 * Tells the user that the leader leads this job, and whether it computes. If not, it waits for the allocator or for threads. It answers a
 * question about this job, or about no job.
 */
export type Leads = Attempt & { readonly type: 'leads'; readonly isComputing: boolean }

/** Tells the user that the job is over, and that the leader is idle. */
export type Over = Attempt & { readonly type: 'over' }

/** Tells the user that the job has lost a processor, or that the leader does not know it. The leader is idle. */
export type Failed = Attempt & { readonly type: 'failed' }

/** The operator orders a job to end as soon as it computes, whatever work is left. */
export type Leave = { readonly type: 'leave' }

/** The number of an order, and of all messages about it. Later orders have larger numbers; a job obeys each once. */
export type Change = { readonly change: number }

/** What an allocator orders a job to do. */
export type Order = Freeze | Remap | Resume | Stop | Vacate | RingOrder

/**
 * Job to allocator: the order is carried out, and no thread moves any more; or the answer to a question. Repeated
 * whenever the order is repeated.
 */
export type Answer = Frozen | Done | SwappedOut
/** The answer to `freeze`. */
export type Frozen = Answering & { readonly type: 'frozen' }
/** The answer that an order is carried out. */
export type Done = Answering & { readonly type: 'done' }
/** The answer of a job that is swapped out. */
export type SwappedOut = Answering & { readonly type: 'swapped-out' }

type Answering = Change & {
  /** The attempt that it leads; null: it leads no job. */
  readonly of: Attempt | null
  readonly holds: Holding
}

/** What a job owns. Outside of rings only the answer to `freeze` tells it. */
export type Holding = {
  /** The cells in their order; outside of rings the partition. */
  readonly cells: Cells
  /** The cell that has been offered to a neighbour, which may have taken it already; null without an offer. */
  readonly offered: Rectangle | null
  readonly next: Address | null
}

/** Orders a job to compute nothing until it is told to resume. Answered by `frozen`. */
export type Freeze = Change & { readonly type: 'freeze' }

/** Gives processors to a job that stands still. Answered by `done` when all threads are there. */
export type Remap = Change & Attempt & { readonly type: 'remap'; readonly partition: Rectangle }

/** Orders a job to compute, because the threads of all jobs are where they belong. */
export type Resume = Change & { readonly type: 'resume' }

/**
 * Orders a job to leave the machine until it is admitted again. Answered by `swapped-out` when its processors are free.
 */
export type Stop = Change & { readonly type: 'stop' }

/**
 * Tells a job that it has no processors any more. A job that has departed is over; another one waits for `start`.
 */
export type Vacate = Change & {
  readonly type: 'vacate'
  /** Whether the job has failed, because it lost threads or cannot be admitted. */
  readonly isFailed: boolean
  /** In the answer to an attempt that arrives after it has departed: that attempt, which is over. It concerns no other one. */
  readonly departed?: Attempt
}

/** Tells the allocator that it is time for a rotation. Sent by the clock or the operator. */
export type Due = { readonly type: 'due' }

/** Tells the allocator that this processor is dead. Sent by the sentry. Repeated until it is answered by `noted`. */
export type ProcessorDown = Place & { readonly type: 'processor-down' }
/** The answer to `processor-down`. */
export type Noted = Place & { readonly type: 'noted' }

/** A user tells the allocator that this leader does not answer. */
export type Silent = { readonly type: 'silent'; readonly leader: Address }

/** Tells the operator that no change is under way. */
export type Rested = { readonly type: 'rested' }

/** Tells the clock the number of jobs on the machine, when no change is under way. */
export type Running = { readonly type: 'running'; readonly jobs: number }

/** A size in a ring: one cell, two cells, or free cells that a job has left and that the allocator stands for. */
export type Size = 's' | 'b' | 'free'

/** A set of processors, as rectangles that do not overlap. */
export type Cells = readonly Rectangle[]

/** The neighbours of a job in its ring: itself if it is alone, the allocator where cells are free. */
export type Links = { readonly prev: Address; readonly next: Address }

/** Orders to jobs of a ring. Each is answered by `done` with the cells that the job then has. */
export type RingOrder = Start | Link | Split | Tick | Shift | Report

/** Tells a waiting job its cells. */
export type Start = Change & Attempt & Links & { readonly type: 'start'; readonly cells: Cells }

/** Tells a job its cells, perhaps of another level, and its neighbours. */
export type Link = Change & Links & { readonly type: 'link'; readonly cells: Cells }

/** Orders a job to fold onto its first cell. The second is for a new job, its next neighbour from now on. */
export type Split = Change & { readonly type: 'split'; readonly newcomer: Address }

/** Orders a job to exchange sizes with its neighbours, and then the cell that the sizes call for. */
export type Tick = Change & { readonly type: 'tick' }

/** Orders a job to give its last cell to the next job, and to take the last one of the previous job as its first. */
export type Shift = Change & { readonly type: 'shift' }

/** Orders a job to stop waiting for neighbours, and to answer at once which cells it has. */
export type Report = Change & { readonly type: 'report' }

/** Tells a neighbour in the ring the size of the sender. */
export type SizeIs = Change & { readonly type: 'size'; readonly size: Size }

/** Offers a neighbour in the ring this cell. It changes owner when it is taken. */
export type Cell = Change & { readonly type: 'cell'; readonly cell: Rectangle }

/** Tells a neighbour in the ring that the cell that it offered has been taken. */
export type Taken = Change & { readonly type: 'taken' }

/** Copies the attempt, without other fields. */
export const attemptOf = ({ job, attempt }: Attempt): Attempt => ({ job, attempt })

/** Whether two attempts are the same. */
export const isSame = (one: Attempt, other: Attempt): boolean => one.job === other.job && one.attempt === other.attempt
