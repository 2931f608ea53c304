/**
 * What a job knows of its ring, and what it does next: a tick is decided by its own size and those of its two neighbours, and
 * by nothing else (section 5.3).
 */
import type { Address } from '../../lib/actor.ts'
import { exchange, gained, given, sizeOf } from './fold/exchange.ts'
import type { Cells, Links, Shift, Size, Split, Start, Tick } from './messages.ts'
import type { Rectangle } from './rectangle.ts'

export type Membership = Links & {
  readonly cells: Cells
  /** It has departed: it has no threads, gives and never takes. */
  readonly isFree: boolean
  /** What it is doing; null: nothing that concerns the ring. */
  readonly doing: Doing | null
  /** Of neighbours that have begun before it has: by change. */
  readonly early: Heard
}

type Doing = Heard & {
  readonly phase: Phase
}

/** What neighbours have told of one change. */
type Heard = {
  readonly change: number
  readonly sizes: readonly (readonly [from: Address, size: Size])[]
  readonly cell: Rectangle | null
}

type Phase =
  /** Sizes are to come. */
  | { readonly is: 'asking' }
  /** Its threads go together on `keep`, and then the other cell is somebody else's, or is left to a newcomer. */
  | {
      readonly is: 'folding'
      readonly keep: Cells
      readonly give: { readonly cell: Rectangle; readonly to: Address } | null
      readonly after: Phase
    }
  /** A cell is to come, and its threads spread over that, too. */
  | { readonly is: 'taking'; readonly at: 'front' | 'back' }
  | { readonly is: 'finished' }

const NOTHING: Heard = { change: 0, sizes: [], cell: null }
const FINISHED: Phase = { is: 'finished' }

export const joining = ({ cells, prev, next, change }: Start): Membership => ({
  ...{ cells, prev, next, isFree: false, early: NOTHING },
  doing: { ...NOTHING, change, phase: FINISHED },
})

/** It begins what it was told; what neighbours have said of that already is not lost. */
function doing(ring: Membership, change: number, phase: Phase): Membership {
  const heard = ring.early.change === change ? ring.early : NOTHING
  return decided({ ...ring, doing: { ...heard, change, phase } })
}

/** Nothing but to say so. */
export const noting = (ring: Membership, change: number, changes: Partial<Membership>): Membership =>
  doing({ ...ring, ...changes }, change, FINISHED)

export const ticking = (ring: Membership, { change }: Tick): Membership => doing(ring, change, { is: 'asking' })

export function splitting(ring: Membership, { change, newcomer }: Split): Membership {
  const [first] = ring.cells
  const keep = first ? [first] : []
  return doing({ ...ring, next: newcomer }, change, { is: 'folding', keep, give: null, after: FINISHED })
}

export function shifting(ring: Membership, { change }: Shift): Membership {
  const cell = ring.cells.at(-1)
  const give = cell ? { cell, to: ring.next } : null
  const keep = ring.cells.slice(0, -1)
  return doing(ring, change, { is: 'folding', keep, give, after: { is: 'taking', at: 'front' } })
}

/** A neighbour has spoken, perhaps before this job was told that there is something to speak of. */
export function heard(ring: Membership, change: number, from: Address, said: Size | Rectangle): Membership {
  const add = <H extends Heard>(of: H): H =>
    typeof said === 'string' ? { ...of, sizes: [...of.sizes, [from, said]] } : { ...of, cell: said }
  if (ring.doing?.change === change) return decided({ ...ring, doing: add(ring.doing) })
  if (change < ring.early.change) return ring
  return { ...ring, early: add(ring.early.change === change ? ring.early : { ...NOTHING, change }) }
}

export const ownSize = ({ isFree, cells }: Membership): Size => (isFree ? 'free' : sizeOf(cells))

/** Once both sizes are there. */
function decided(ring: Membership): Membership {
  const { doing, prev, next, cells } = ring
  if (doing?.phase.is !== 'asking') return ring
  const sizeIn = (neighbour: Address) => doing.sizes.find(([from]) => from === neighbour)?.[1]
  const [before, behind] = [sizeIn(prev), sizeIn(next)]
  if (!before || !behind) return ring
  return { ...ring, doing: { ...doing, phase: phaseAfter(exchange(ownSize(ring), before, behind), cells, prev) } }
}

function phaseAfter(decision: ReturnType<typeof exchange>, cells: Cells, prev: Address): Phase {
  const [cell] = cells
  if (decision === 'gain') return { is: 'taking', at: 'back' }
  if (decision === 'none' || !cell) return FINISHED
  return { is: 'folding', keep: given(cells), give: { cell, to: prev }, after: FINISHED }
}

/** The cells that its threads are to be brought to now; null: none other than they are on. */
export function cellsToCome({ doing, cells }: Membership): Cells | null {
  if (doing?.phase.is === 'folding') return doing.phase.keep
  if (doing?.phase.is !== 'taking' || doing.cell === null) return null
  return doing.phase.at === 'back' ? gained(cells, doing.cell) : [doing.cell, ...cells]
}

export type Gift = { readonly cell: Rectangle; readonly to: Address; readonly change: number }

/** Its threads are there: how things stand, and which cell is now whose. */
export function arrived(ring: Membership): readonly [Membership, Gift | null] {
  const { doing } = ring
  const cells = cellsToCome(ring)
  if (!doing || !cells) return [ring, null]
  const { phase, change } = doing
  if (phase.is !== 'folding') return [{ ...ring, cells, doing: { ...doing, phase: FINISHED } }, null]
  const gift = phase.give ? { ...phase.give, change } : null
  return [{ ...ring, cells, doing: { ...doing, phase: phase.after } }, gift]
}

/** What it was told to do is done, and nothing moves. */
export const isFinished = ({ doing }: Membership): boolean => doing?.phase.is === 'finished'
