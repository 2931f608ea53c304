/** What a processor does in each step for the threads that it has: compute, and exchange with those that have their neighbours. */
import type { Time } from '../../../lib/actor.ts'
import { columnsOf, type Mesh, rowsOf } from '../mesh.ts'
import type { Model } from '../model.ts'
import { type Placement, placeOf } from './placement.ts'

export type NeighboursIn = {
  /** Up and down, or left and right, go on at the same time: the larger of both. */
  readonly threads: number
  /** Processors that have those neighbours, in ascending order. */
  readonly partners: readonly number[]
}

export type Sides = {
  readonly processor: number
  /** That it has. */
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

/** Of every processor that has threads, in ascending order. */
export function sidesOf(mesh: Mesh, placement: Placement): readonly Sides[] {
  const loads = new Map<number, number>()
  for (const processor of placement) loads.set(processor, (loads.get(processor) ?? 0) + 1)
  const found = DIRECTIONS.map((direction) => ({ ...direction, of: neighboursIn(mesh, placement, direction) }))
  const along = (axis: 'vertical' | 'horizontal', processor: number): NeighboursIn => {
    const both = found.filter((one) => one.axis === axis).map(({ of }) => of.get(processor) ?? [])
    return {
      threads: Math.max(...both.map((partners) => partners.length)),
      partners: [...new Set(both.flat())].sort((one, other) => one - other),
    }
  }
  return [...loads]
    .sort(([one], [other]) => one - other)
    .map(([processor, load]) => ({
      processor,
      load,
      vertical: along('vertical', processor),
      horizontal: along('horizontal', processor),
    }))
}

/** By processor: for each of its threads whose neighbour in that direction is elsewhere, where that is. */
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

/** Its threads compute one after the other. */
export const computingTime = ({ compute, switching }: Model, load: number): Time =>
  load * compute + (load - 1) * switching

/**
 * A step of a job whose threads are placed so, once all have begun: a processor waits for its partners only, and none of them
 * keeps it longer than the slowest of all takes for itself.
 */
export const placedStepTime = (model: Model, placement: Placement): Time =>
  Math.max(
    ...sidesOf(model.mesh, placement).map(
      ({ load, vertical, horizontal }) =>
        computingTime(model, load) + (vertical.threads + horizontal.threads) * model.message,
    ),
  )
