/**
 * What a job knows of its ring, and what it does next: a tick is decided by its own size and those of its two neighbours, and
 * by nothing else (section 5.3). A cell passes when the neighbour takes it that it was offered to: until then it belongs to
 * who gives it, and none of his threads is there any more.
 */
import type { Address } from '../../../lib/actor.ts'
import { exchange, gained, partitionOf, sizeOf } from '../fold/fold.ts'
import type { Cells, Holding, Link, Links, Size, Split, Start } from '../messages.ts'
import { areEqual, type Rectangle } from '../rectangle.ts'

export type Membership = Links & {
  readonly cells: Cells
  /** One of them that is to pass. */
  readonly gift: Gift | null
  /** Sizes are to come. */
  readonly isAsking: boolean
  /** From whom a cell is to come, and where it belongs. */
  readonly due: { readonly from: Address; readonly at: 'front' | 'back' } | null
  readonly heard: Heard
}

type Gift = {
  readonly cell: Rectangle
  /** Null: it is for a newcomer, and will be nobody's meanwhile. */
  readonly to: Address | null
  /** No thread is there any more, and `to` has been told. */
  readonly isOffered: boolean
}

/** What neighbours have told of one change, perhaps before this job was told that there is something to speak of. */
type Heard = {
  readonly change: number
  readonly sizes: readonly (readonly [from: Address, size: Size])[]
  readonly cell: { readonly from: Address; readonly cell: Rectangle } | null
}

const nothingOf = (change: number): Heard => ({ change, sizes: [], cell: null })

/** The cells are its own, and these its neighbours; whatever it was about is forgotten. */
export const belonging = ({ cells, prev, next, change }: Start | Link): Membership => ({
  cells,
  prev,
  next,
  gift: null,
  isAsking: false,
  due: null,
  heard: nothingOf(change),
})

/** It begins what it was told; what neighbours have said of that already is not lost. */
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

/** It waits for nobody any more, and offers nothing: whose a cell is that it was to give the allocator says. */
export const reporting = (ring: Membership, change: number): Membership => ({
  ...ring,
  isAsking: false,
  due: null,
  heard: nothingOf(change),
  gift: ring.gift && { ...ring.gift, isOffered: true },
})

/** A neighbour has spoken. */
export function hearing(ring: Membership, change: number, from: Address, said: Size | Rectangle): Membership {
  if (change < ring.heard.change) return ring
  const before = ring.heard.change === change ? ring.heard : nothingOf(change)
  const heard: Heard =
    typeof said === 'string'
      ? { ...before, sizes: [...before.sizes, [from, said]] }
      : { ...before, cell: { from, cell: said } }
  return { ...ring, heard }
}

/** Who has taken a cell, and from whom. */
type Took = { readonly ring: Membership; readonly from: Address | null }

/** What it decides of the change that it is at, from what it has heard of that. */
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

/** Where its threads belong; null: it has no cell. */
export function homeOf({ cells, gift }: Membership): Rectangle | null {
  const kept = gift ? cells.filter((cell) => !areEqual(cell, gift.cell)) : cells
  return kept.length > 0 ? partitionOf(kept) : null
}

/** Its threads have left what it is to give: to a neighbour it is offered, and to nobody it is given. */
export function offering(ring: Membership): Membership {
  const { gift } = ring
  if (!gift) return ring
  return gift.to === null ? without(ring, gift) : { ...ring, gift: { ...gift, isOffered: true } }
}

/** What it offered has been taken. */
export const parting = (ring: Membership, by: Address): Membership =>
  ring.gift?.isOffered && ring.gift.to === by ? without(ring, ring.gift) : ring

const without = (ring: Membership, { cell }: Gift): Membership => ({
  ...ring,
  gift: null,
  cells: ring.cells.filter((own) => !areEqual(own, cell)),
})

/** What it was told to do is done, once its threads are where they belong. */
export const isSettled = ({ gift, due, isAsking }: Membership): boolean => !gift && !due && !isAsking

export const holdingOf = (ring: Membership | null): Holding =>
  ring
    ? { cells: ring.cells, offered: ring.gift?.isOffered ? ring.gift.cell : null, next: ring.next }
    : { cells: [], offered: null, next: null }
