/** Who has which cells: what the allocator knows between exchanges, as plain data. */
import type { Address } from '../../../lib/actor.ts'
import type { Size } from '../messages.ts'
import { joined, type Rectangle, textOf } from '../rectangle.ts'
import { type Cycle, ringOf } from './cells.ts'

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

// --- exchange ---
/*
 * What a job decides at a tick (sections 5.3 and 5.5): from its own size and those of its two neighbours, and nothing else.
 * Where an s is followed by a b, the first cell of the b passes to the s: the sizes change places, and the order stays.
 */

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

// --- orders ---
/* What the allocator tells jobs between exchanges, and what holds when they have done it. */

/** Who is before and behind a job: itself, if it is alone. */
export type Links = { readonly prev: Owner; readonly next: Owner }

export type Order =
  /** To a newcomer: put your threads there. */
  | ({ readonly type: 'start' } & Linked)
  /** These are your cells, and your neighbours: no thread moves. */
  | ({ readonly type: 'link' } & Linked)
  /** Fold onto your first cell, and give the second to the newcomer: it is the next one. */
  | { readonly type: 'split'; readonly job: Address; readonly newcomer: Address }
  /** Exchange once. */
  | { readonly type: 'tick'; readonly job: Address }
  /** Nothing is yours any more. */
  | { readonly type: 'vacate'; readonly job: Address; readonly isFailed: boolean }
  /** Give your last cell to the next job, and take the one before your first from the job before. */
  | { readonly type: 'shift'; readonly job: Address }

type Linked = Links & { readonly job: Address; readonly cells: readonly Rectangle[] }

/** Orders that may be under way together, and what they lead to. The next step begins when all are done. */
export type Step = { readonly orders: readonly Order[]; readonly fold: Fold }

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

/** To every job: its cells and its neighbours. */
export function toEach(fold: Fold): readonly (Order & { readonly type: 'link' })[] {
  const cycle = ringOf(fold.area, fold.level)
  const links = linksOf(fold)
  return fold.rings.flatMap(({ stretches }) =>
    stretches.flatMap((stretch) => {
      const { owner: job } = stretch
      const beside = links.get(job)
      return job === null || !beside
        ? []
        : [{ type: 'link' as const, job, cells: rectanglesOf(cycle, stretch), ...beside }]
    }),
  )
}

/** To those who were not there before. */
export const started = (fold: Fold, newcomers: ReadonlySet<Address>): readonly Order[] =>
  toEach(fold)
    .filter(({ job }) => newcomers.has(job))
    .map((order) => ({ ...order, type: 'start' }))

/** To the jobs that were there before and have another neighbour now. */
export function relinked(before: Fold, after: Fold): readonly Order[] {
  const old = linksOf(before)
  return toEach(after).filter(({ job, prev, next }) => {
    const had = old.get(job)
    return had !== undefined && (had.prev !== prev || had.next !== next)
  })
}

/** To all jobs of some rings. */
export const toAll = (type: 'tick' | 'shift', rings: readonly Ring[]): readonly Order[] =>
  rings.flatMap(({ stretches }) => stretches.flatMap(({ owner: job }) => (job === null ? [] : [{ type, job }])))
