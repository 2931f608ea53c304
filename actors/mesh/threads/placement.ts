/**
 * The processor of each thread of a job, the transfers to other processors (section 2), and the processors that exchange
 * data in each step.
 *
 * A partition that is halved is folded like paper: the threads of one half move onto the other, and no others move.
 * When it is unfolded, half of each processor's threads go back over the same edge. So P/2 threads move, as equation
 * 5.4 counts, and loads stay equal. But after some folds, threads are no longer where the simple mapping would put
 * them.
 */
import type { Time } from '../../../lib/actor.ts'
import { countsOf } from '../../../lib/core/tally.ts'
import { isIn, type Place } from '../mapping.ts'
import { columnsOf, type Dimension, type Mesh, other, rowsOf } from '../mesh.ts'
import type { Model } from '../model.ts'
import { contains, type Rectangle } from '../rectangle.ts'

/** The processor of each thread, as its number row by row of the mesh. */
export type Placement = readonly number[]

export type Transfer = {
  readonly thread: number
  readonly from: number
  readonly to: number
  readonly withCode: boolean
}

/** Transfers that happen one after the other, in parallel with other lines. */
export type Line = readonly Transfer[]

const START = { rows: 'row', columns: 'column' } as const

export const numberOf = (mesh: Mesh, { row, column }: Place): number => (row << mesh.n) + column

export const placeOf = (mesh: Mesh, number: number): Place => ({
  row: number >> mesh.n,
  column: number & (columnsOf(mesh) - 1),
})

/** The threads of each processor that has any, in ascending order. */
export function threadsOf(placement: Placement): ReadonlyMap<number, readonly number[]> {
  const threads = new Map<number, number[]>()
  for (const [thread, processor] of placement.entries()) {
    const there = threads.get(processor)
    if (there) there.push(thread)
    else threads.set(processor, [thread])
  }
  return new Map([...threads].sort(([one], [other]) => one - other))
}

export function placementAfter(placement: Placement, lines: readonly Line[]): Placement {
  const after = [...placement]
  for (const { thread, to } of lines.flat()) after[thread] = to
  return after
}

/**
 * The transfers to half of the processors, or to twice as many: in each line perpendicular to the fold, one thread at a
 * time.
 *
 * @param from a rectangle: `to` is a half of it, or it is a half of `to`; if they are equal, nothing moves
 * @throws RangeError for anything else
 */
export function foldLines(mesh: Mesh, placement: Placement, from: Rectangle, to: Rectangle): readonly Line[] {
  const isFolding = contains(from, to)
  const [outer, inner] = isFolding ? [from, to] : [to, from]
  if (contains(inner, outer)) return []
  const axis: Dimension = outer.rows === inner.rows ? 'columns' : 'rows'
  if (!contains(outer, inner) || outer[axis] !== 2 * inner[axis] || outer[other(axis)] !== inner[other(axis)])
    throw new RangeError(
      `one partition must be half of the other, but they are ${from.rows}x${from.columns} and ${to.rows}x${to.columns}`,
    )
  const along = START[axis]
  const isFirst = inner[along] === outer[along]
  const edge = inner[along] + (isFirst ? inner[axis] : 0)
  const opposite = (place: Place): Place => ({ ...place, [along]: 2 * edge - 1 - place[along] })
  const lines = new Map<number, Transfer[]>()
  for (const [processor, threads] of threadsOf(placement)) {
    const place = placeOf(mesh, processor)
    const to = numberOf(mesh, opposite(place))
    const going = isFolding ? (isIn(inner, place) ? [] : threads) : halfOf(mesh, threads, along, isFirst)
    const at = place[START[other(axis)]]
    const line = lines.get(at) ?? []
    line.push(...going.map((thread) => ({ thread, from: processor, to, withCode: !isFolding })))
    lines.set(at, line)
  }
  return [...lines.values()].filter((line) => line.length > 0)
}

/** The half of these threads on the growing side of the partition. */
function halfOf(mesh: Mesh, threads: readonly number[], along: 'row' | 'column', isLater: boolean): readonly number[] {
  const position = (thread: number) => placeOf(mesh, thread)[along]
  const sorted = threads.toSorted((one, other) => position(one) - position(other) || one - other)
  const half = sorted.length / 2
  return isLater ? sorted.slice(half) : sorted.slice(0, half)
}

/**
 * The transfers to any other placement, with a line for every processor that sends. The thesis has no formula for them.
 * The port of a processor keeps the transfers of two jobs apart.
 */
export function remapLines(mesh: Mesh, placement: Placement, target: Placement, from: Rectangle): readonly Line[] {
  const lines = [...threadsOf(placement)].map(([processor, threads]) =>
    threads.flatMap((thread): Transfer[] => {
      const to = target[thread] ?? processor
      return to === processor ? [] : [{ thread, from: processor, to, withCode: !isIn(from, placeOf(mesh, to)) }]
    }),
  )
  return lines.filter((line) => line.length > 0)
}

// --- neighbours: what a processor computes and exchanges in each step -------------------------------------------------

export type NeighboursIn = {
  /** Both directions of an axis are served at the same time: the larger number of threads. */
  readonly threads: number
  /** The processors of those neighbours, in ascending order. */
  readonly partners: readonly number[]
}

export type Sides = {
  readonly processor: number
  /** The number of its threads. */
  readonly load: number
  readonly vertical: NeighboursIn
  readonly horizontal: NeighboursIn
}

const DIRECTIONS = [
  { axis: 'vertical', rows: -1, columns: 0 },
  { axis: 'vertical', rows: 1, columns: 0 },
  { axis: 'horizontal', rows: 0, columns: -1 },
  { axis: 'horizontal', rows: 0, columns: 1 },
] as const

/** The sides of every processor that has threads, in ascending order. */
export function sidesOf(mesh: Mesh, placement: Placement): readonly Sides[] {
  const found = DIRECTIONS.map((direction) => ({ ...direction, of: neighboursIn(mesh, placement, direction) }))
  const along = (axis: 'vertical' | 'horizontal', processor: number): NeighboursIn => {
    const both = found.filter((one) => one.axis === axis).map(({ of }) => of.get(processor) ?? [])
    return {
      threads: Math.max(...both.map((partners) => partners.length)),
      partners: [...new Set(both.flat())].sort((one, other) => one - other),
    }
  }
  return [...countsOf(placement)]
    .sort(([one], [other]) => one - other)
    .map(([processor, load]) => ({
      processor,
      load,
      vertical: along('vertical', processor),
      horizontal: along('horizontal', processor),
    }))
}

/** For each processor, the other processors that hold its threads' neighbours in one direction. */
function neighboursIn(mesh: Mesh, placement: Placement, { rows, columns }: (typeof DIRECTIONS)[number]) {
  const of = new Map<number, number[]>()
  for (const [thread, processor] of placement.entries()) {
    const { row, column } = placeOf(mesh, thread)
    const [beside, below] = [column + columns, row + rows]
    if (beside < 0 || below < 0 || beside >= columnsOf(mesh) || below >= rowsOf(mesh)) continue
    const there = placement[thread + (rows << mesh.n) + columns]
    if (there === undefined || there === processor) continue
    of.set(processor, [...(of.get(processor) ?? []), there])
  }
  return of
}

/** The time to compute one step of `load` threads, one after the other. */
export const computingTime = ({ compute, switching }: Model, load: number): Time =>
  load * compute + (load - 1) * switching
