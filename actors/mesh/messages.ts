/**
 * What the jobs, the allocator and the processors of a mesh say to each other (McCann 1994, chapters 3 to 6). The unit of time
 * is a second. Everything that the allocator orders carries the number of its change, a tick the number of the tick: what comes
 * late or twice is known by it.
 */
import type { Address, Time } from '../../lib/actor.ts'
import type { Rectangle } from './rectangle.ts'

export type ToAllocator = Arrive | Depart | Frozen | SwappedOut | Done | Due | ProcessorDown
export type ToJob = Begin | Leave | Freeze | Remap | Resume | Stop | FromRing

/** Job to allocator: let me in. Less than `minimum` processors are of no use to it. */
export type Arrive = { readonly type: 'arrive'; readonly minimum: number }

/** Job to allocator: it is over, and computes no more; its partition is free. */
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
export type Done = Change & { readonly type: 'done'; readonly cells: readonly Rectangle[] }

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

export type ToUser = Over
export type ToOperator = Over | Rested

/** A partition of a ring: one cell, two that follow each other, or nobody's. */
export type Size = 's' | 'b' | 'free'

/** What is said along a ring (chapter 4.4). */
export type FromRing =
  /** Allocator to job: these are your cells, and your neighbours. No thread moves. */
  | (Change & {
      readonly type: 'link'
      readonly cells: readonly Rectangle[]
      readonly prev: Address
      readonly next: Address
    })
  /** Allocator to job: fold onto your first cell, and give the second to the newcomer. */
  | (Change & { readonly type: 'split'; readonly newcomer: Address })
  /** Allocator to every job of a ring: see whether your neighbours have more, or less, than you. */
  | { readonly type: 'tick'; readonly tick: number }
  /** Job to both its neighbours. */
  | { readonly type: 'size'; readonly tick: number; readonly size: Size }
  /** Job to the neighbour before it: this cell is yours. It has one owner at any time: whoever has accepted it last. */
  | { readonly type: 'cell'; readonly tick: number; readonly cell: Rectangle }
