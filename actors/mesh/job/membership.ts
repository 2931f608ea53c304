/**
 * The place of a job in its ring, and its next actions. At a tick only its own size and those of its two neighbours
 * decide (section 5.3). A cell changes owner when the neighbour that it was offered to takes it. Until then it belongs
 * to the giver, which has no thread there any more.
 */
import type { Address } from '../../../lib/actor.ts'
import { exchange, gained, partitionOf, sizeOf } from '../fold/fold.ts'
import type { Cells, Holding, Link, Links, Size, Split, Start } from '../messages.ts'
import { areEqual, type Rectangle } from '../rectangle.ts'

export type Membership = Links & {
  readonly cells: Cells
  /** The cell that the job is about to give; null: none. */
  readonly gift: Gift | null
  /** Whether the job waits for sizes. */
  readonly isAsking: boolean
  /** The neighbour that will give a cell, and the end where the cell is added; null: no cell is expected. */
  readonly due: { readonly from: Address; readonly at: 'front' | 'back' } | null
  readonly heard: Heard
}

type Gift = {
  readonly cell: Rectangle
  /** The recipient; null: the cell is for a new job, and has no owner meanwhile. */
  readonly to: Address | null
  /** Whether no thread is there any more and the recipient has been told. */
  readonly isOffered: boolean
}

/** Messages of neighbours about one change. They may arrive before the allocator's order of that change. */
type Heard = {
  readonly change: number
  readonly sizes: readonly (readonly [from: Address, size: Size])[]
  readonly cell: { readonly from: Address; readonly cell: Rectangle } | null
}

const nothingOf = (change: number): Heard => ({ change, sizes: [], cell: null })

/** The place of a job with these cells and neighbours. Anything under way before is forgotten. */
export const belonging = ({ cells, prev, next, change }: Start | Link): Membership => ({
  cells,
  prev,
  next,
  gift: null,
  isAsking: false,
  due: null,
  heard: nothingOf(change),
})

/** Begins a change. Messages of neighbours about it that have arrived already are kept. */
const beginning = (ring: Membership, change: number): Membership => ({
  ...ring,
  heard: ring.heard.change === change ? ring.heard : nothingOf(change),
})

export const ticking = (ring: Membership, change: number): Membership => ({
  ...beginning(ring, change),
  isAsking: true,
})

export function splitting(ring: Membership, { newcomer }: Split): Membership {
  const cell = ring.cells[1]
  return { ...ring, next: newcomer, gift: cell ? { cell, to: null, isOffered: false } : null }
}

export function shifting(ring: Membership, change: number): Membership {
  const cell = ring.cells.at(-1)
  return {
    ...beginning(ring, change),
    gift: cell ? { cell, to: ring.next, isOffered: false } : null,
    due: { from: ring.prev, at: 'front' },
  }
}

/** Ends all waiting and gives nothing more. The allocator decides who owns a cell that was about to be given. */
export const reporting = (ring: Membership): Membership => ({
  ...ring,
  isAsking: false,
  due: null,
  gift: ring.gift && { ...ring.gift, isOffered: true },
})

/** Notes a message of a neighbour. */
export function hearing(ring: Membership, change: number, from: Address, said: Size | Rectangle): Membership {
  if (change < ring.heard.change) return ring
  const before = ring.heard.change === change ? ring.heard : nothingOf(change)
  const heard: Heard =
    typeof said === 'string'
      ? { ...before, sizes: [...before.sizes, [from, said]] }
      : { ...before, cell: { from, cell: said } }
  return { ...ring, heard }
}

/** The place of a job after it decided, and the neighbour that it has taken a cell from. */
type Took = { readonly ring: Membership; readonly from: Address | null }

/** Decides from the messages about the change under way. */
export function deciding(ring: Membership, change: number): Took {
  if (ring.heard.change !== change) return { ring, from: null }
  return taking(ring.isAsking ? decided(ring) : ring)
}

function decided(ring: Membership): Membership {
  const { heard, prev, next, cells } = ring
  const sizeIn = (neighbour: Address) => heard.sizes.find(([from]) => from === neighbour)?.[1]
  const [before, behind, own] = [sizeIn(prev), sizeIn(next), sizeOf(cells)]
  if (!before || !behind) return ring
  const [cell] = cells
  switch (exchange(own, before, behind)) {
    case 'gain':
      return { ...ring, isAsking: false, due: { from: next, at: 'back' } }
    case 'give':
      return { ...ring, isAsking: false, gift: cell ? { cell, to: prev, isOffered: false } : null }
    case 'none':
      return { ...ring, isAsking: false }
  }
}

function taking(ring: Membership): Took {
  const { due, heard, cells } = ring
  if (!due || heard.cell?.from !== due.from) return { ring, from: null }
  const { cell, from } = heard.cell
  return { ring: { ...ring, due: null, cells: due.at === 'back' ? gained(cells, cell) : [cell, ...cells] }, from }
}

/** The partition where the threads belong; null without cells. */
export function homeOf({ cells, gift }: Membership): Rectangle | null {
  const kept = gift ? cells.filter((cell) => !areEqual(cell, gift.cell)) : cells
  return kept.length > 0 ? partitionOf(kept) : null
}

/** Offers the cell to give, which no thread is in any more, or gives it up if there is no recipient yet. */
export function offering(ring: Membership): Membership {
  const { gift } = ring
  if (!gift) return ring
  return gift.to === null ? without(ring, gift) : { ...ring, gift: { ...gift, isOffered: true } }
}

/** Removes the offered cell, which the neighbour has taken. */
export const parting = (ring: Membership, by: Address): Membership =>
  ring.gift?.isOffered && ring.gift.to === by ? without(ring, ring.gift) : ring

const without = (ring: Membership, { cell }: Gift): Membership => ({
  ...ring,
  gift: null,
  cells: ring.cells.filter((own) => !areEqual(own, cell)),
})

/** Whether the order is carried out, once the threads are where they belong. */
export const isSettled = ({ gift, due, isAsking }: Membership): boolean => !gift && !due && !isAsking

/** What a job owns: its cells in a ring, or its partition outside of rings. */
export const holdingOf = (ring: Membership | null, partition: Rectangle | null = null): Holding =>
  ring
    ? { cells: ring.cells, offered: ring.gift?.isOffered ? ring.gift.cell : null, next: ring.next }
    : { cells: partition ? [partition] : [], offered: null, next: null }
