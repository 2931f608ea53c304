/** The state of the allocator of EQUI and EQUI+, and how it handles requests at any time. */
import { type Address, type Decision, type Delivery, type Ref, type Turn, turn } from '../../../../lib/actor.ts'
import { has, type Ids, including, NO_IDS } from '../../../ids.ts'
import type { Deal } from '../../equi.ts'
import { isIn } from '../../mapping.ts'
import {
  type Answer,
  type Arrive,
  type Depart,
  isSame,
  type Noted,
  type ProcessorDown,
  type Silent,
  type ToAllocator,
} from '../../messages.ts'
import { areaOf, type Rectangle } from '../../rectangle.ts'
import * as round from '../round.ts'
import { type GaveUp, type Impatient, type Ordered, type Ordering, vacate, vacateDeparted } from '../round.ts'
import {
  allWent,
  areaIn,
  type Down,
  type Machine,
  type Members,
  noteDown,
  recovered,
  roomOf,
  type SwapDue,
  type SwapFact,
  type SwapState,
  type Terms,
  type WithWaiting,
  without,
} from '../terms.ts'

export type EquiInput = Terms & {
  /** How partitions are assigned to jobs: in the order of arrival, or drawn again at every change. */
  readonly deal: Deal
}

export interface EquiBook extends Omit<EquiInput, 'records'>, Machine, SwapState, Ordering {
  readonly running: Members
  readonly waiting: Members
  /** The partitions of the last change, or those that jobs reported since then. */
  readonly partitions: readonly Owned[]
  /**
   * The jobs that have departed, by their attempt. They may arrive again: a late copy of an arrival comes, or a user that has been
   * restarted hands a job over again.
   */
  readonly departed: ReadonlyMap<number, Ids>
  /** Whether jobs have arrived or departed since the mesh was divided; also true after a restart. */
  readonly isStale: boolean
}

export type Owned = { readonly job: Address; readonly partition: Rectangle }

/** Facts that the allocator observes, for listeners. */
export type EquiFact =
  | { readonly type: 'dealt'; readonly change: number; readonly area: Rectangle; readonly partitions: readonly Owned[] }
  /** All threads of the last change are where they belong, and no change is under way. */
  | ({ readonly type: 'rested' } & WithWaiting)
  | SwapFact
  | Down
  | Ordered
  | GaveUp

export type EquiEvent = ToAllocator | Impatient | SwapDue | { type: 'loaded' }

type It = Turn<EquiBook>

/** The state of a new incarnation, from the log of the earlier ones. */
export function opened({ records, ...input }: EquiInput): EquiBook {
  const { members, incarnations, state } = recovered(records)
  return {
    ...input,
    ...state,
    isStale: incarnations > 0,
    running: members,
    waiting: new Map(),
    departed: new Map(),
    partitions: [],
  }
}

export function roomIn(book: EquiBook): number {
  const area = areaIn(book)
  return area ? Math.min(roomOf(book), areaOf(area)) : 0
}

/** Jobs that have lost a processor. */
export const losersIn = ({ partitions, down }: EquiBook): ReadonlySet<Address> =>
  new Set(partitions.flatMap(({ job, partition }) => (down.some((place) => isIn(partition, place)) ? [job] : [])))

export const hasRoom = (book: EquiBook): boolean => book.running.size + book.waiting.size < roomIn(book)

// --- requests and reports, handled in every state ---------------------------------------------------------------------

const departedAt = ({ departed }: EquiBook, attempt: number): Ids => departed.get(attempt) ?? NO_IDS

const knownIn = ({ running, waiting }: EquiBook, job: Address) => running.get(job) ?? waiting.get(job)

/**
 * Admits a job. A leader that arrives with another attempt than the one admitted has been restarted: the old incarnation
 * no longer answers.
 */
export const onArrive = turn((it: It, { job, attempt, minimum }: Arrive, { from }: Delivery) => {
  const { context } = it
  const known = knownIn(context, from)
  if (known && isSame(known, { job, attempt })) return
  if (has(departedAt(context, attempt), job)) return vacateDeparted(it, from, { job, attempt })
  const area = areaIn(context)
  if (!area || minimum > areaOf(area)) return vacate(it, from, true)
  context.isStale ||= context.running.has(from) || hasRoom(context)
  context.running = without(context.running, from)
  context.waiting = new Map(context.waiting).set(from, { job, attempt })
})

export const onDepart = turn((it: It, departing: Depart, { from }: Delivery) => {
  const { context } = it
  const { job, attempt } = departing
  const known = knownIn(context, from)
  if (known && !isSame(known, departing)) return
  if (known) {
    allWent(it, [from])
    context.departed = new Map(context.departed).set(attempt, including(departedAt(context, attempt), job))
    context.running = without(context.running, from)
    context.waiting = without(context.waiting, from)
    context.round = round.without(context.round, from)
    context.isStale = true
  }
  vacate(it, from, false)
})

/** Handles the death of a processor: the job on it has lost threads. */
export const onDown = turn((it: It, place: ProcessorDown, delivery: Delivery<Ref<Noted>>) => {
  if (noteDown(it, place, delivery)) it.context.isStale = true
})

/** Answers a leader that was taken for dead: its processors belong to others now, so it has to vacate them. */
export const onStranger = turn((it: It, { of }: Answer, { from }: Delivery) => {
  if (of !== null && !knownIn(it.context, from)) vacate(it, from, true)
})

export const onSilent = ({ running, isStale }: EquiBook, { leader }: Silent): Decision<EquiBook> => [
  { isStale: isStale || running.has(leader) },
]
