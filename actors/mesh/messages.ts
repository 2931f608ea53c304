/**
 * What the jobs, the allocator and the processors of a mesh say to each other (McCann 1994, chapters 3 to 6). The unit of time
 * is a second. Everything that the allocator orders carries the number of its change: what comes late or twice is known by it.
 * Only who waits for an answer says anything again; nobody needs that his mail arrives once, or at all.
 */
import type { Address, Time } from '../../lib/actor.ts'
import type { Place } from './mapping.ts'
import type { Rectangle } from './rectangle.ts'
import type { ToLeader } from './threads/messages.ts'

export type ToAllocator = Arrive | Depart | Answer | Taken | SizeIs | Due | ProcessorDown | Silent
export type ToJob = Begin | Ask | Leave | Order | SizeIs | Cell | Taken | ToLeader
export type ToUser = Leads | Over | Failed
export type ToOperator = Over | Failed | Rested
export type ToClock = Running

/** Which job it is, and the how manieth time that its user had it begun, from 1. */
export type Attempt = { readonly job: number; readonly attempt: number }

/** Job to allocator: let me in. Less than `minimum` processors are of no use to it. Said again until it is let in. */
export type Arrive = Attempt & { readonly type: 'arrive'; readonly minimum: number }

/** Job to allocator: it is over, and computes no more. Said again until it is told to vacate. */
export type Depart = Attempt & { readonly type: 'depart' }

/** User to an idle leader: lead this job. */
export type Begin = Attempt & {
  readonly type: 'begin'
  /** As long as it takes alone on the whole machine; null: until it is told to leave. */
  readonly work: Time | null
  /** Processors, >= 1. */
  readonly minimum: number
}

/** User to leader: do you lead it? */
export type Ask = Attempt & { readonly type: 'ask' }

/** Leader to user: I do. */
export type Leads = Attempt & { readonly type: 'leads' }

/** Leader to user: it is over, and the leader is idle. */
export type Over = Attempt & { readonly type: 'over' }

/** Leader to user: it has lost a processor, or the leader knows nothing of it; the leader is idle. */
export type Failed = Attempt & { readonly type: 'failed' }

/** Operator to job: end as soon as you compute, whatever is left. */
export type Leave = { readonly type: 'leave' }

/** Of an order, which each job obeys once, and all that is said about it; later orders have larger numbers. */
export type Change = { readonly change: number }

export type Order = Freeze | Remap | Resume | Stop | Vacate | RingOrder

/**
 * Job to allocator: what I was told is done, and nothing of it moves any more; or it was a question. Said again whenever
 * the order comes again.
 */
export type Answer = Frozen | Done | SwappedOut
export type Frozen = Answering & { readonly type: 'frozen' }
export type Done = Answering & { readonly type: 'done' }
export type SwappedOut = Answering & { readonly type: 'swapped-out' }

type Answering = Change & {
  /** Null: it leads no job. */
  readonly of: Attempt | null
  readonly holds: Holding
}

/** What is a job's own in a ring; nothing, if it is in none. */
export type Holding = {
  /** In their order. */
  readonly cells: Cells
  /** One of them, if it has been offered to a neighbour, who may have taken it. */
  readonly offered: Rectangle | null
  readonly next: Address | null
}

/** Allocator to job: compute nothing until you are told to resume. Answered by `frozen`. */
export type Freeze = Change & { readonly type: 'freeze' }

/** Allocator to a job that computes nothing: these processors are yours. `done` when all threads are there. */
export type Remap = Change & Attempt & { readonly type: 'remap'; readonly partition: Rectangle }

/** Allocator to job: everybody's threads are where they belong; compute. */
export type Resume = Change & { readonly type: 'resume' }

/** Allocator to job: leave the machine, you will be let in again. Answered by `swapped-out`: my processors are free. */
export type Stop = Change & { readonly type: 'stop' }

/** Allocator to job: nothing is yours any more. It is over if it has departed, and else waits for `start`. */
export type Vacate = Change & {
  readonly type: 'vacate'
  /** It has lost threads, or cannot be let in: it has failed. */
  readonly isFailed: boolean
}

/** Clock, or operator, to allocator: it is time for a rotation. */
export type Due = { readonly type: 'due' }

/** Whoever watches the processors, to the allocator. Said again until it is `noted`. */
export type ProcessorDown = Place & { readonly type: 'processor-down' }
export type Noted = Place & { readonly type: 'noted' }

/** User to allocator: this leader does not answer. */
export type Silent = { readonly type: 'silent'; readonly leader: Address }

/** Allocator to operator: nothing is under way any more. */
export type Rested = { readonly type: 'rested' }

/** Allocator to clock, when nothing is under way any more: so many jobs are on the machine. */
export type Running = { readonly type: 'running'; readonly jobs: number }

/** In a ring: one cell, two that follow each other, or what a job that is gone has left: the allocator speaks for it. */
export type Size = 's' | 'b' | 'free'

export type Cells = readonly Rectangle[]

/** Who is before and behind a job in its ring: itself, if it is alone; the allocator, where cells are free. */
export type Links = { readonly prev: Address; readonly next: Address }

/** Allocator to jobs of a ring. Each is answered by `done` with the cells that the job then has. */
export type RingOrder = Start | Link | Split | Tick | Shift | Report

/** To who waits: these are your cells. */
export type Start = Change & Attempt & Links & { readonly type: 'start'; readonly cells: Cells }

/** Your cells, perhaps of another level, and your neighbours. */
export type Link = Change & Links & { readonly type: 'link'; readonly cells: Cells }

/** Fold onto your first cell: the second is for a newcomer, which is next from now on. */
export type Split = Change & { readonly type: 'split'; readonly newcomer: Address }

/** Tell your neighbours how much you have, hear how much they have, and exchange what is to be exchanged. */
export type Tick = Change & { readonly type: 'tick' }

/** Your last cell to the next job, and the last one of the job before to your front. */
export type Shift = Change & { readonly type: 'shift' }

/** Wait for no neighbour any more, and say at once what you have. */
export type Report = Change & { readonly type: 'report' }

/** Between neighbours in a ring: how much I have. */
export type SizeIs = Change & { readonly type: 'size'; readonly size: Size }

/** Between neighbours in a ring: this cell is yours. It passes when it is taken. */
export type Cell = Change & { readonly type: 'cell'; readonly cell: Rectangle }

/** To who offered it: it is mine. */
export type Taken = Change & { readonly type: 'taken' }

// --- attempt ---
/* Which job it is, and the how manieth time that its user had it begun. */

/** Without whatever else is known of it. */
export const attemptOf = ({ job, attempt }: Attempt): Attempt => ({ job, attempt })

export const isSame = (one: Attempt, other: Attempt): boolean => one.job === other.job && one.attempt === other.attempt
