/**
 * The owners of cells, as plain data: the state of a ring between exchanges, the rule of exchange, and planned orders.
 */
import type { Address } from '../../../lib/actor.ts'
import type { Size } from '../messages.ts'
import { joined, type Rectangle, textOf } from '../rectangle.ts'
import { type Cycle, ringOf } from './cells.ts'

/** The owner of a partition: a job; null if it is free and the allocator stands for it. */
export type Owner = Address | null

/** A partition as a part of a ring. */
export type Stretch = {
  readonly owner: Owner
  /** One cell, or two that follow each other: numbers in the ring of the level. */
  readonly cells: readonly number[]
}

/** Jobs that exchange cells among themselves: all of them, or a part. */
export type Ring = {
  /** The cells in their order; the first follows the last. */
  readonly cells: readonly number[]
  /** The stretches in the order of their first cells. */
  readonly stretches: readonly Stretch[]
}

export type Fold = {
  /** The machine, or its healthy part. */
  readonly area: Rectangle
  /** The level; there are 2^level cells. */
  readonly level: number
  /** The rings: one unless it is divided, none without jobs. */
  readonly rings: readonly Ring[]
}

/** A partition for drawings and checks. */
export type Partition = { readonly owner: Owner; readonly size: Size; readonly rectangle: Rectangle }

export const emptyFold = (area: Rectangle): Fold => ({ area, level: 0, rings: [] })

export const cellsAt = (level: number): number => 1 << level

/** The numbers of all cells of a level. */
export const numbersOf = (level: number): readonly number[] => Array.from({ length: cellsAt(level) }, (_, cell) => cell)

export const stretchesOf = ({ rings }: Fold): readonly Stretch[] => rings.flatMap(({ stretches }) => stretches)

/** The jobs in their order. */
export const jobsOf = (fold: Fold): readonly Address[] => stretchesOf(fold).flatMap(({ owner }) => owner ?? [])

/** Whether cells of a departed job are still free. */
export const hasFree = (fold: Fold): boolean => stretchesOf(fold).some(({ owner }) => owner === null)

export const sizeIn = ({ owner, cells }: Stretch): Size => (owner === null ? 'free' : sizeOf(cells))

/**
 * The partitions of all stretches.
 *
 * @throws RangeError if the cells of a stretch do not form a rectangle
 */
export function partitionsOf(fold: Fold, cycle: Cycle = ringOf(fold.area, fold.level)): readonly Partition[] {
  return stretchesOf(fold).map((stretch) => ({
    owner: stretch.owner,
    size: sizeIn(stretch),
    rectangle: partitionOf(rectanglesOf(cycle, stretch)),
  }))
}

export const rectanglesOf = (cycle: Cycle, { cells }: Stretch): readonly Rectangle[] =>
  cells.flatMap((cell) => cycle[cell] ?? [])

/** A fold with all cells of its level in one ring. */
export const whole = (fold: Omit<Fold, 'rings'>, stretches: readonly Stretch[]): Fold => ({
  area: fold.area,
  level: fold.level,
  rings: [ringWith(numbersOf(fold.level), stretches)],
})

/** A ring of these cells; the stretches may come in any order. */
export function ringWith(cells: readonly number[], stretches: readonly Stretch[]): Ring {
  const order = new Map(cells.map((cell, i) => [cell, i]))
  const at = ({ cells: [first = -1] }: Stretch) => order.get(first) ?? -1
  return { cells, stretches: [...stretches].sort((one, other) => at(one) - at(other)) }
}

// --- the rule of exchange ---------------------------------------------------------------------------------------------

/** `gain`: the job takes the first cell of the next one. `give`: it gives its first cell to the previous one. */
export type Exchange = 'gain' | 'give' | 'none'

/**
 * The decision of a job at a tick (sections 5.3 and 5.5), from its own size and those of its two neighbours only. Where
 * an `s` is followed by a `b`, the first cell of the `b` passes to the `s`: the sizes change places, and the order
 * stays. Both sides of an exchange agree on it, and no job is in two. Free cells are given, and never take any.
 */
export function exchange(own: Size, prev: Size, next: Size): Exchange {
  if (own === 's') return next === 's' ? 'none' : 'gain'
  return prev === 's' ? 'give' : 'none'
}

/** The cells of a job that gains one, which follows its own. */
export const gained = <Cell>(own: readonly Cell[], cell: Cell): readonly Cell[] => [...own, cell]

/** The cells of a job that gives its first one. */
export const given = <Cell>([, ...left]: readonly Cell[]): readonly Cell[] => left

/** The cells of a job after realignment: it gives its last one to the next job, and takes one from the previous job. */
export const shifted = <Cell>(cell: Cell, own: readonly Cell[]): readonly Cell[] => [cell, ...own.slice(0, -1)]

/** The size of a job with these cells. */
export const sizeOf = (cells: readonly unknown[]): 's' | 'b' => (cells.length === 1 ? 's' : 'b')

/**
 * The rectangle that one or two cells form.
 *
 * @throws RangeError if they form none
 */
export function partitionOf(cells: readonly Rectangle[]): Rectangle {
  const [first, second] = cells
  const partition = first && second ? joined(first, second) : first
  if (!partition || cells.length > 2)
    throw new RangeError(`no partition: ${cells.map(textOf).join(' and ') || 'no cell'}`)
  return partition
}

// --- planned orders ---------------------------------------------------------------------------------------------------

/** The neighbours of a job in its ring: itself if it is alone. */
export type Links = { readonly prev: Owner; readonly next: Owner }

export type Order =
  /** Orders a new job to put its threads onto these cells. */
  | ({ readonly type: 'start' } & Linked)
  /** Tells a job its cells and neighbours. No thread moves. */
  | ({ readonly type: 'link' } & Linked)
  /** Orders a job to fold onto its first cell, and to give the second to the new job, its next neighbour. */
  | { readonly type: 'split'; readonly job: Address; readonly newcomer: Address }
  /** Orders a job to exchange once. */
  | { readonly type: 'tick'; readonly job: Address }
  /** Tells a job that it has no cells any more. */
  | { readonly type: 'vacate'; readonly job: Address; readonly isFailed: boolean }
  /** Orders a job to give its last cell to the next job, and to take the one before its first from the previous job. */
  | { readonly type: 'shift'; readonly job: Address }

type Linked = Links & { readonly job: Address; readonly cells: readonly Rectangle[] }

/** Orders that may be under way together, and the resulting fold. The next step begins when all are carried out. */
export type Step = { readonly orders: readonly Order[]; readonly fold: Fold }

/** The neighbours of every owner. */
export function linksOf({ rings }: Fold): ReadonlyMap<Owner, Links> {
  const links = new Map<Owner, Links>()
  for (const { stretches } of rings) {
    for (const [i, { owner }] of stretches.entries()) {
      const next = stretches[(i + 1) % stretches.length]
      links.set(owner, { prev: stretches.at(i - 1)?.owner ?? null, next: next?.owner ?? null })
    }
  }
  return links
}

/** Orders that tell every job its cells and neighbours. */
export function toEach(fold: Fold): readonly (Order & { readonly type: 'link' })[] {
  const cycle = ringOf(fold.area, fold.level)
  const links = linksOf(fold)
  return fold.rings.flatMap(({ stretches }) =>
    stretches.flatMap((stretch) => {
      const { owner: job } = stretch
      const beside = links.get(job)
      if (job === null || !beside) return []
      const { prev, next } = beside
      return [{ type: 'link' as const, job, cells: rectanglesOf(cycle, stretch), prev, next }]
    }),
  )
}

/** Orders that start new jobs. */
export const started = (fold: Fold, newcomers: ReadonlySet<Address>): readonly Order[] =>
  toEach(fold)
    .filter(({ job }) => newcomers.has(job))
    .map((order) => ({ ...order, type: 'start' }))

/** Orders to the jobs whose neighbours differ from before. */
export function relinked(before: Fold, after: Fold): readonly Order[] {
  const old = linksOf(before)
  return toEach(after).filter(({ job, prev, next }) => {
    const had = old.get(job)
    return had !== undefined && (had.prev !== prev || had.next !== next)
  })
}

/** Orders of one type to all jobs of some rings. */
export const toAll = (type: 'tick' | 'shift', rings: readonly Ring[]): readonly Order[] =>
  rings.flatMap(({ stretches }) => stretches.flatMap(({ owner: job }) => (job === null ? [] : [{ type, job }])))
