/**
 * What a job decides at a tick (sections 5.3 and 5.5): from its own size and those of its two neighbours, and nothing else.
 * Where an s is followed by a b, the first cell of the b passes to the s: the sizes change places, and the order stays.
 */
import type { Size } from '../messages.ts'
import { joined, type Rectangle, textOf } from '../rectangle.ts'

/** `gain`: takes the first cell of the next one. `give`: loses its first cell to the one before. */
export type Exchange = 'gain' | 'give' | 'none'

/** The two of an exchange agree on it, and nobody is in two. What is free gives, and never takes. */
export function exchange(own: Size, prev: Size, next: Size): Exchange {
  if (own === 's') return next === 's' ? 'none' : 'gain'
  return prev === 's' ? 'give' : 'none'
}

/** The cells of who gains one: it follows its own. */
export const gained = <Cell>(own: readonly Cell[], cell: Cell): readonly Cell[] => [...own, cell]

/** The cells that are left to who gives its first one. */
export const given = <Cell>([, ...left]: readonly Cell[]): readonly Cell[] => left

/** Realignment: its last cell passes to the next job, and the one before its first comes from the job before. */
export const shifted = <Cell>(cell: Cell, own: readonly Cell[]): readonly Cell[] => [cell, ...own.slice(0, -1)]

/** Of a job. */
export const sizeOf = (cells: readonly unknown[]): 's' | 'b' => (cells.length === 1 ? 's' : 'b')

/** The rectangle that one or two cells make up. RangeError: they make up none. */
export function partitionOf(cells: readonly Rectangle[]): Rectangle {
  const [first, second] = cells
  const partition = first && second ? joined(first, second) : first
  if (!partition || cells.length > 2)
    throw new RangeError(`no partition: ${cells.map(textOf).join(' and ') || 'no cell'}`)
  return partition
}
