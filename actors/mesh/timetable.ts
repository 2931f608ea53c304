/** Who has which processors in which part of a period, under BUDDY and under EQUI-EPOCH (section 7). */
import type { Time } from '../../lib/actor.ts'
import { blockOn, buddy } from './buddy.ts'
import { epochs } from './epoch.ts'
import { type Fraction, sum, ZERO } from './fraction.ts'
import { type Mesh, processorsOf } from './mesh.ts'
import type { Rectangle } from './rectangle.ts'

export const TABLES = ['buddy', 'epoch'] as const

export type Table = {
  readonly rule: (typeof TABLES)[number]
  readonly mesh: Mesh
  /** EQUI-EPOCH needs no power of two: this many processors in a row, in place of the mesh; null: the mesh. */
  readonly line: number | null
  readonly period: Time
}

/** From the beginning of each period, `to` excluded. */
export type Slot = {
  /** Its place in the list of minima. */
  readonly job: number
  readonly partition: Rectangle
  readonly from: Time
  readonly to: Time
}

export const sizeOf = ({ mesh, line }: Table): number => line ?? processorsOf(mesh)

/**
 * @param minima of each job, from 1 to as many processors as there are
 * @throws RangeError for anything else, and for BUDDY on a line of no power of two
 */
export function slotsOf(table: Table, minima: readonly number[]): readonly Slot[] {
  return table.rule === 'buddy' ? ofBlocks(table, minima) : ofEpochs(table, minima)
}

/** The end of one is the beginning of the next, so they are rounded alike. */
const during = ({ period }: Table, start: Fraction, lasts: Fraction) => {
  const at = ({ numerator, denominator }: Fraction): Time => Math.round((period * numerator) / denominator)
  return { from: at(start), to: at(sum(start, lasts)) }
}

const rectangleOf = ({ mesh, line }: Table, x: number, width: number): Rectangle =>
  line === null ? blockOn(mesh, { x, width }) : { row: 0, column: x, rows: 1, columns: width }

const ofBlocks = (table: Table, minima: readonly number[]): readonly Slot[] =>
  buddy(sizeOf(table), minima).map(({ job, x, width, y, height }) => ({
    job,
    partition: rectangleOf(table, x, width),
    ...during(table, y, height),
  }))

function ofEpochs(table: Table, minima: readonly number[]): readonly Slot[] {
  let start = ZERO
  return epochs(sizeOf(table), minima).flatMap(({ jobs, width, duration }) => {
    const when = during(table, start, duration)
    start = sum(start, duration)
    return jobs.map((job, i) => ({ job, partition: rectangleOf(table, i * width, width), ...when }))
  })
}
