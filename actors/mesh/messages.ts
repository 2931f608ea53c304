/**
 * What the jobs, the allocator and the processors of a mesh say to each other (McCann 1994, chapters 3 to 6). The unit of time
 * is a second. Everything that the allocator orders carries the number of its change: what comes late or twice is known by it.
 */
import type { Address, Time } from '../../lib/actor.ts'
import type { Rectangle } from './rectangle.ts'

export type ToAllocator = Arrive | Depart | Frozen | SwappedOut | Done | Due | ProcessorDown
export type ToJob = Begin | Leave | Freeze | Remap | Resume | Stop | RingOrder | SizeIs | Cell

/** Job to allocator: let me in. Less than `minimum` processors are of no use to it. */
export type Arrive = { readonly type: 'arrive'; readonly minimum: number }

/** Job to allocator: it is over, and computes no more. In a ring it stays until neighbours have taken its cells. */
export type Depart = { readonly type: 'depart' }

/** User to an idle leader: lead this job. */
export type Begin = {
  readonly type: 'begin'
  readonly job: number
  /** As long as it takes alone on the whole machine; null: until it is told to leave. */
  readonly work: Time | null
  /** Processors, >= 1. */
  readonly minimum: number
}

/** Operator to job: end as soon as you compute, whatever is left. */
export type Leave = { readonly type: 'leave' }

export type Change = { readonly change: number }

/** Allocator to job: compute nothing until you are told to resume. Job to allocator: I do not. */
export type Freeze = Change & { readonly type: 'freeze' }
export type Frozen = Change & { readonly type: 'frozen' }

/** Allocator to a job that computes nothing: these processors are yours. `done` when all threads are there. */
export type Remap = Change & { readonly type: 'remap'; readonly partition: Rectangle }

/** Job to allocator: nothing of it moves any more. In a ring it says which cells are its own, in order. */
export type Done = Change & { readonly type: 'done'; readonly cells: Cells }

/** Allocator to job: everybody's threads are where they belong; compute. */
export type Resume = Change & { readonly type: 'resume' }

/** Allocator to job: leave the machine, you will be let in again. Job to allocator: my processors are free. */
export type Stop = Change & { readonly type: 'stop' }
export type SwappedOut = Change & { readonly type: 'swapped-out' }

/** Clock, or operator, to allocator: it is time for a rotation. */
export type Due = { readonly type: 'due' }

/** Whoever watches the processors, to the allocator. */
export type ProcessorDown = { readonly type: 'processor-down'; readonly row: number; readonly column: number }

/** Leader to user: it is over, and the leader is idle. */
export type Over = { readonly type: 'over'; readonly job: number }

/** Allocator to operator: nothing is under way any more. */
export type Rested = { readonly type: 'rested' }

/** Allocator to clock, when nothing is under way any more: so many jobs are on the machine. */
export type Running = { readonly type: 'running'; readonly jobs: number }

export type ToUser = Over
export type ToClock = Running
export type ToOperator = Over | Rested

/** In a ring: one cell, two that follow each other, or what a job that departs has left. */
export type Size = 's' | 'b' | 'free'

export type Cells = readonly Rectangle[]

/** Who is before and behind a job in its ring: itself, if it is alone. */
export type Links = { readonly prev: Address; readonly next: Address }

/** Allocator to jobs of a ring. Each is answered by `done` with the cells that the job then has. */
export type RingOrder = Start | Link | Split | Tick | Shift | Vacate | Release

/** To a newcomer: these are your cells. */
export type Start = Change & Links & { readonly type: 'start'; readonly cells: Cells }

/** The same partition, perhaps in cells of another level, and your neighbours: no thread moves. */
export type Link = Change & Links & { readonly type: 'link'; readonly cells: Cells }

/** Fold onto your first cell: the second is for a newcomer, which is next from now on. */
export type Split = Change & { readonly type: 'split'; readonly newcomer: Address }

/** Tell your neighbours how much you have, hear how much they have, and exchange what is to be exchanged. */
export type Tick = Change & { readonly type: 'tick' }

/** Your last cell to the next job, and the last one of the job before to your front. */
export type Shift = Change & { readonly type: 'shift' }

/** To a job that departs: from now on you only give. */
export type Vacate = Change & { readonly type: 'vacate' }

/** To a job that departs, and is the last: nobody is left to take your cells, they are nobody's. */
export type Release = Change & { readonly type: 'release' }

/** Between neighbours in a ring: how much I have. */
export type SizeIs = Change & { readonly type: 'size'; readonly size: Size }

/** Between neighbours in a ring: this cell is yours. It passes when it is taken. */
export type Cell = Change & { readonly type: 'cell'; readonly cell: Rectangle }
