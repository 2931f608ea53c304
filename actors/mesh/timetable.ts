/** The processors and times of jobs in a period, under BUDDY and EQUI-EPOCH (section 7). */
import type { Time } from '../../lib/actor.ts'
import { compare, equal, type Fraction, fraction, least, ONE, product, sum, ZERO } from './fraction.ts'
import { cutsOf, floorLog2, halvesOf, isPowerOfTwo, type Mesh, processorsOf, wholeOf } from './mesh.ts'
import type { Rectangle } from './rectangle.ts'

export const TABLES = ['buddy', 'epoch'] as const

export type Table = {
  readonly rule: (typeof TABLES)[number]
  readonly mesh: Mesh
  /**
   * A number of processors in a row instead of the mesh, for EQUI-EPOCH, which needs no power of two; null: the mesh.
   */
  readonly line: number | null
  readonly period: Time
}

/** The partition of a job from `from` to before `to`, counted from the beginning of each period. */
export type Slot = {
  /** The index of the job in the list of minima. */
  readonly job: number
  readonly partition: Rectangle
  readonly from: Time
  readonly to: Time
}

export const sizeOf = ({ mesh, line }: Table): number => line ?? processorsOf(mesh)

/**
 * The table of a period.
 *
 * @param minima the processors that each job needs at least, from 1 to all
 * @throws RangeError for other minima, and for BUDDY on a line whose length is not a power of two
 */
export function slotsOf(table: Table, minima: readonly number[]): readonly Slot[] {
  return table.rule === 'buddy' ? ofBlocks(table, minima) : ofEpochs(table, minima)
}

/** A part of the period in time. The end of one part is rounded like the beginning of the next. */
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

// --- BUDDY ------------------------------------------------------------------------------------------------------------

/** Processors x, ..., x + width - 1 from y on for a part `height` of the period. */
export type Block = {
  /** The index of the job in the list of minima. */
  readonly job: number
  readonly minimum: number
  readonly x: number
  readonly width: number
  readonly y: Fraction
  readonly height: Fraction
}

/** A step of the staircase: the processors from `x` to the next segment are taken up to `y`. */
interface Segment {
  readonly x: number
  readonly y: Fraction
}

type Job = Pick<Block, 'job' | 'minimum'>

/**
 * The blocks of BUDDY in the order of their placement: jobs share the machine by space and time (section 7, figure 6.3).
 * Each has the area P/J of a period of length 1, as one block whose width is a power of two. A job that
 * has to be wider runs for a shorter part of the period.
 *
 * @param processors a power of two
 * @param minima the processors that each job needs at least, from 1 to `processors`
 * @throws RangeError for other numbers
 */
export function buddy(processors: number, minima: readonly number[]): readonly Block[] {
  if (!isPowerOfTwo(processors))
    throw new RangeError(`the number of processors must be a power of two, but is ${processors}`)
  const jobs = checked(processors, minima).toSorted((one, other) => other.minimum - one.minimum || other.job - one.job)
  const blocks: Block[] = []
  let [from, start] = [0, ZERO]
  for (const size of groupsOf(jobs.length)) {
    const part = fraction(size, jobs.length)
    const group = packed(processors, jobs.slice(from, from + size))
    blocks.push(
      ...group.map((one) => ({ ...one, y: sum(start, product(one.y, part)), height: product(one.height, part) })),
    )
    from += size
    start = sum(start, part)
  }
  return blocks
}

/** The jobs with their minima. */
function checked(processors: number, minima: readonly number[]): readonly Job[] {
  for (const [job, minimum] of minima.entries()) {
    if (!Number.isInteger(minimum) || minimum < 1 || minimum > processors)
      throw new RangeError(`the minimum of job ${job} must be from 1 to ${processors} processors, but is ${minimum}`)
  }
  return minima.map((minimum, job) => ({ job, minimum }))
}

/**
 * Splits a number of jobs into powers of two, the least first: each group has the whole machine for its part of the
 * period.
 */
function groupsOf(jobs: number): readonly number[] {
  const sizes: number[] = []
  for (let left = jobs; left > 0; left &= left - 1) sizes.push(left & -left)
  return sizes
}

/** The smallest power of two that is at least `count`. */
const ceilPowerOfTwo = (count: number): number => (isPowerOfTwo(count) ? count : 2 << floorLog2(count))

/** The blocks of a group whose size is a power of two, the largest minimum first. */
function packed(processors: number, jobs: readonly Job[]): readonly Block[] {
  let frontier: readonly Segment[] = [{ x: 0, y: ZERO }]
  return jobs.map(({ job, minimum }) => {
    const low = lowestStep(frontier)
    const share = fraction(processors, jobs.length)
    const height = least(product(share, fraction(1, ceilPowerOfTwo(minimum))), fraction(1, low.y.denominator))
    // an integer: both are powers of two, and the share is not smaller
    const width = (share.numerator * height.denominator) / (share.denominator * height.numerator)
    frontier = raised(frontier, low, width, sum(low.y, height))
    return { job, minimum, x: low.x, width, y: low.y, height }
  })
}

/**
 * The segment of the next block: the one whose height has the largest denominator. Two segments with the same
 * denominator were never seen.
 */
const lowestStep = (frontier: readonly Segment[]): Segment =>
  frontier.reduce((best, one) => (one.y.denominator > best.y.denominator ? one : best))

/**
 * The staircase with the first `width` processors of a segment raised to `y`. Segments at 1 are dropped, equal
 * neighbours merged.
 */
function raised(frontier: readonly Segment[], segment: Segment, width: number, y: Fraction): readonly Segment[] {
  const at = frontier.indexOf(segment)
  const end = frontier[at + 1]?.x
  const rest = { x: segment.x + width, y: segment.y }
  const left = frontier[at - 1]
  const merges = compare(y, left ? left.y : ONE) === 0
  return [
    ...frontier.slice(0, at),
    ...(merges ? [] : [{ x: segment.x, y }]),
    ...(rest.x === end ? [] : [rest]),
    ...frontier.slice(at + 1),
  ]
}

/** The processors swapped in a period: the width of every job that does not run all the time (equation 6.1). */
export const swapped = (blocks: readonly Block[]): number =>
  blocks.reduce((all, { width, height }) => all + (equal(height, ONE) ? 0 : width), 0)

/** The processors of a block: the cell whose path of halves is given by the leading bits of its first processor. */
export function blockOn(mesh: Mesh, { x, width }: Pick<Block, 'x' | 'width'>): Rectangle {
  let [rectangle, start, size] = [wholeOf(mesh), 0, processorsOf(mesh)]
  for (const cut of cutsOf(mesh, floorLog2(size / width))) {
    size /= 2
    const [first, second] = halvesOf(rectangle, cut)
    const isSecond = x >= start + size
    rectangle = isSecond ? second : first
    if (isSecond) start += size
  }
  return rectangle
}

// --- EQUI-EPOCH -------------------------------------------------------------------------------------------------------

export type Epoch = {
  /** The indices of the jobs in the list of minima. */
  readonly jobs: readonly number[]
  /** The processors of each job. */
  readonly width: number
  /** The part of the period. Every job has an area of P/J. */
  readonly duration: Fraction
}

/**
 * The epochs of EQUI-EPOCH: in each, some jobs share the machine equally (section 7, figure 6.6). Jobs with the
 * smallest minima come first, as many as can share the processors equally. The number of epochs is the least possible
 * if the processors are a power of two, and sometimes one more otherwise. The printed algorithm compares the wrong
 * minimum, and strictly.
 *
 * @param minima the processors that each job needs at least, from 1 to `processors`
 * @throws RangeError for other numbers
 */
export function epochs(processors: number, minima: readonly number[]): readonly Epoch[] {
  const jobs = checked(processors, minima).toSorted((one, other) => one.minimum - other.minimum || one.job - other.job)
  const all: Epoch[] = []
  for (let start = 0; start < jobs.length; ) {
    let size = jobs.length - start
    // one job alone always fits
    while (processors % size !== 0 || (jobs[start + size - 1]?.minimum ?? 0) > processors / size) size--
    const those = jobs.slice(start, start + size).map(({ job }) => job)
    all.push({ jobs: those, width: processors / size, duration: fraction(size, jobs.length) })
    start += size
  }
  return all
}

/** The processors swapped in a period: all of them at the end of each epoch, unless there is only one. */
export const swappedBy = (processors: number, all: readonly Epoch[]): number =>
  all.length === 1 ? 0 : processors * all.length
