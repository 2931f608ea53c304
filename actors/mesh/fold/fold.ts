/** Who has which cells: what the allocator knows between exchanges, as plain data. */
import type { Address } from '../../../lib/actor.ts'
import type { Size } from '../messages.ts'
import type { Rectangle } from '../rectangle.ts'
import { partitionOf, sizeOf } from './exchange.ts'
import { type Cycle, ringOf } from './ring.ts'

/** A job; null: it is free, and the allocator acts for it. */
export type Owner = Address | null

/** A partition as a part of a ring. */
export type Stretch = {
  readonly owner: Owner
  /** One, or two of which the second follows the first: numbers in the ring of the level. */
  readonly cells: readonly number[]
}

/** Those who exchange cells among themselves: all, or a part. */
export type Ring = {
  /** In their order; the first follows the last. */
  readonly cells: readonly number[]
  /** In the order of their first cells. */
  readonly stretches: readonly Stretch[]
}

export type Fold = {
  /** The machine, or what is left of it. */
  readonly area: Rectangle
  /** There are 2^level cells. */
  readonly level: number
  /** One, unless it is divided; none without jobs. */
  readonly rings: readonly Ring[]
}

/** As it is drawn and checked. */
export type Partition = { readonly owner: Owner; readonly size: Size; readonly rectangle: Rectangle }

export const emptyFold = (area: Rectangle): Fold => ({ area, level: 0, rings: [] })

export const cellsAt = (level: number): number => 1 << level

/** The numbers of all cells of a level. */
export const numbersOf = (level: number): readonly number[] => Array.from({ length: cellsAt(level) }, (_, cell) => cell)

export const stretchesOf = ({ rings }: Fold): readonly Stretch[] => rings.flatMap(({ stretches }) => stretches)

/** The jobs in their order. */
export const jobsOf = (fold: Fold): readonly Address[] => stretchesOf(fold).flatMap(({ owner }) => owner ?? [])

/** Whether a job has gone and its cells are not taken yet. */
export const hasFree = (fold: Fold): boolean => stretchesOf(fold).some(({ owner }) => owner === null)

export const sizeIn = ({ owner, cells }: Stretch): Size => (owner === null ? 'free' : sizeOf(cells))

/** RangeError: cells of somebody make up no rectangle. */
export function partitionsOf(fold: Fold, cycle: Cycle = ringOf(fold.area, fold.level)): readonly Partition[] {
  return stretchesOf(fold).map((stretch) => ({
    owner: stretch.owner,
    size: sizeIn(stretch),
    rectangle: partitionOf(rectanglesOf(cycle, stretch)),
  }))
}

export const rectanglesOf = (cycle: Cycle, { cells }: Stretch): readonly Rectangle[] =>
  cells.flatMap((cell) => cycle[cell] ?? [])

/** All cells of a level in one ring. */
export const whole = (fold: Omit<Fold, 'rings'>, stretches: readonly Stretch[]): Fold => ({
  area: fold.area,
  level: fold.level,
  rings: [ringWith(numbersOf(fold.level), stretches)],
})

/** Stretches in any order. */
export function ringWith(cells: readonly number[], stretches: readonly Stretch[]): Ring {
  const order = new Map(cells.map((cell, i) => [cell, i]))
  const at = ({ cells: [first = -1] }: Stretch) => order.get(first) ?? -1
  return { cells, stretches: [...stretches].sort((one, other) => at(one) - at(other)) }
}
