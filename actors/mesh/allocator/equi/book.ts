/** The state of the allocator of EQUI and EQUI+, and how it handles requests at any time. */
import type { Address, Decision, Mail } from '../../../../lib/actor.ts'
import type { Deal } from '../../equi.ts'
import { isIn } from '../../mapping.ts'
import {
  type Answer,
  type Arrive,
  type Depart,
  isSame,
  type ProcessorDown,
  type Silent,
  type ToAllocator,
} from '../../messages.ts'
import { areaOf, type Rectangle } from '../../rectangle.ts'
import * as round from '../round.ts'
import { firstChange, type GaveUp, type Impatient, NO_ROUND, type Ordering } from '../round.ts'
import {
  allWent,
  areaIn,
  losing,
  type Machine,
  type Members,
  NO_SWAP,
  read,
  roomOf,
  type SwapDue,
  type SwapState,
  type Terms,
} from '../terms.ts'

export type EquiInput = Terms & {
  /** How partitions are assigned to jobs: in the order of arrival, or drawn again at every change. */
  readonly deal: Deal
}

export interface EquiBook extends Omit<EquiInput, 'records'>, Machine, SwapState, Ordering {
  readonly running: Members
  readonly waiting: Members
  /** The partitions of the last change. */
  readonly partitions: readonly Owned[]
  /** Jobs that have lost a processor. */
  readonly failed: ReadonlySet<Address>
  /** Whether jobs have arrived or departed since the mesh was divided; also true after a restart. */
  readonly isStale: boolean
}

export type Owned = { readonly job: Address; readonly partition: Rectangle }

/** Facts that the allocator observes, for listeners. */
export type EquiFact =
  | { readonly type: 'dealt'; readonly change: number; readonly area: Rectangle; readonly partitions: readonly Owned[] }
  /** All threads of the last change are where they belong, and no change is under way. */
  | { readonly type: 'rested' }
  | GaveUp

export type EquiEvent = Mail<ToAllocator> | Impatient | SwapDue | { type: 'loaded' }

/** The state of a new incarnation, from the log of the earlier ones. */
export function opened({ records = [], ...input }: EquiInput): EquiBook {
  const { members, down, incarnations } = read(records)
  return {
    ...input,
    ...NO_SWAP,
    down,
    change: firstChange(incarnations),
    round: NO_ROUND,
    isStale: incarnations > 0,
    running: members,
    waiting: new Map(),
    partitions: [],
    failed: new Set(),
  }
}

export const without = (jobs: Members, ...gone: readonly Address[]): Members =>
  new Map([...jobs].filter(([job]) => !gone.includes(job)))

export function roomIn(book: EquiBook): number {
  const area = areaIn(book)
  return area ? Math.min(roomOf(book), areaOf(area)) : 0
}

export const hasRoom = (book: EquiBook): boolean => book.running.size + book.waiting.size < roomIn(book)

// --- requests and reports, handled in every state ---------------------------------------------------------------------

const knownIn = ({ running, waiting }: EquiBook, job: Address) => running.get(job) ?? waiting.get(job)

/**
 * Admits a job. A leader that arrives with another attempt than the one admitted has been restarted: the old incarnation
 * no longer answers.
 */
export function onArrive(book: EquiBook, { from, job, attempt, minimum }: Mail<Arrive>): Decision<EquiBook> {
  const { running, waiting, isStale } = book
  const known = knownIn(book, from)
  if (known && isSame(known, { job, attempt })) return [{}]
  const area = areaIn(book)
  if (!area || minimum > areaOf(area)) return round.vacating(book, from, true)
  return [
    {
      running: without(running, from),
      waiting: new Map(waiting).set(from, { job, attempt }),
      isStale: isStale || running.has(from) || hasRoom(book),
    },
  ]
}

export function onDepart(book: EquiBook, { from, job, attempt }: Mail<Depart>): Decision<EquiBook> {
  const { running, waiting } = book
  const known = knownIn(book, from)
  if (known && !isSame(known, { job, attempt })) return [{}]
  const [changes, ...effects] = round.vacating(book, from, false)
  if (!known) return [changes, ...effects]
  return [
    {
      ...changes,
      running: without(running, from),
      waiting: without(waiting, from),
      isStale: true,
      round: round.without(book.round, from),
    },
    ...allWent(book, [from]),
    ...effects,
  ]
}

/** Handles the death of a processor: the job on it has lost threads. */
export function onDown(book: EquiBook, mail: Mail<ProcessorDown>): Decision<EquiBook> {
  const { down, partitions, running, failed } = book
  const [place, ...effects] = losing(book, mail)
  if (!place) return [{}, ...effects]
  const losers = partitions.flatMap(({ job, partition }) => (running.has(job) && isIn(partition, place) ? [job] : []))
  return [{ down: [...down, place], failed: new Set([...failed, ...losers]), isStale: true }, ...effects]
}

/** Answers a leader that was taken for dead: its processors belong to others now, so it has to vacate them. */
export const onStranger = (book: EquiBook, { from, of }: Mail<Answer>): Decision<EquiBook> =>
  of === null || knownIn(book, from) ? [{}] : round.vacating(book, from, true)

export const onSilent = ({ running, isStale }: EquiBook, { leader }: Silent): Decision<EquiBook> => [
  { isStale: isStale || running.has(leader) },
]
