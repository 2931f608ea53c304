/** What the allocator of EQUI and EQUI+ knows. */
import type { Address, Mail } from '../../../../lib/actor.ts'
import type { Deal } from '../../deal.ts'
import type { ToAllocator } from '../../messages.ts'
import { areaOf, type Rectangle } from '../../rectangle.ts'
import { NO_TURN, roomOf, type SwapDue, type Turn } from '../admission.ts'
import { read } from '../log.ts'
import type { GaveUp } from '../reports.ts'
import { firstChange, type Impatient, NO_ROUND, type Ordering } from '../round.ts'
import { areaIn, type Machine, type Members, type Terms } from '../terms.ts'

export type EquiInput = Terms & {
  /** Which partition is whose: in the order of arrival, or drawn anew at every change. */
  readonly deal: Deal
}

export interface EquiBook extends Omit<EquiInput, 'records'>, Machine, Turn, Ordering {
  readonly running: Members
  readonly waiting: Members
  /** As they were dealt out last. */
  readonly partitions: readonly Owned[]
  /** They have lost a processor. */
  readonly failed: ReadonlySet<Address>
  /** Jobs have come or gone since the mesh was dealt out. */
  readonly isStale: boolean
}

export type Owned = { readonly job: Address; readonly partition: Rectangle }

/** For whoever folds a run. */
export type EquiFact =
  | { readonly type: 'dealt'; readonly change: number; readonly area: Rectangle; readonly partitions: readonly Owned[] }
  /** What was dealt out last is where it belongs, and nothing is under way. */
  | { readonly type: 'rested' }
  | GaveUp

export type EquiEvent = Mail<ToAllocator> | Impatient | SwapDue | { type: 'loaded' }

/** Of a new incarnation. */
export function opened({ records = [], ...input }: EquiInput): EquiBook {
  const { members, down, lives } = read(records)
  return {
    ...input,
    ...NO_TURN,
    down,
    change: firstChange(lives),
    round: NO_ROUND,
    isStale: lives > 0,
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
