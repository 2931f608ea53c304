/** Who has which processors in which part of a period, under BUDDY and under EQUI-EPOCH (section 7). */
import type { Time } from '../../lib/actor.ts'
import { compare, equal, type Fraction, fraction, fractionText, least, ONE, product, sum, ZERO } from './fraction.ts'
import { cutsOf, floorLog2, halvesOf, isPowerOfTwo, type Mesh, processorsOf, wholeOf } from './mesh.ts'
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

// --- buddy ---
/*
 * BUDDY: jobs that need at least so many processors share a machine by space and time (section 7, figure 6.3). Each has the
 * area P/J of a period of length 1, as one block whose width is a power of two; a job that has to be wider runs for a shorter
 * part of the period.
 */

/** Processors x, ..., x + width - 1, from y on for a part `height` of the period. */
export type Block = {
  /** Its place in the list of minima. */
  readonly job: number
  readonly minimum: number
  readonly x: number
  readonly width: number
  readonly y: Fraction
  readonly height: Fraction
}

/** A step of the staircase: up to `y` the processors from `x` on are taken, to where the next segment begins. */
interface Segment {
  readonly x: number
  readonly y: Fraction
}

type Job = Pick<Block, 'job' | 'minimum'>

/**
 * The blocks, in the order in which they are put.
 *
 * @param processors a power of two
 * @param minima of each job, from 1 to `processors`
 * @throws RangeError for anything else
 */
export function buddy(processors: number, minima: readonly number[]): readonly Block[] {
  if (!isPowerOfTwo(processors)) throw new RangeError(`expected processors to be a power of two, got ${processors}`)
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
      throw new RangeError(`job ${job}: expected a minimum from 1 to ${processors} processors, got ${minimum}`)
  }
  return minima.map((minimum, job) => ({ job, minimum }))
}

/** The binary digits of a number of jobs, the least first: each group has the whole machine for its part of the period. */
function groupsOf(jobs: number): readonly number[] {
  const sizes: number[] = []
  for (let left = jobs; left > 0; left &= left - 1) sizes.push(left & -left)
  return sizes
}

/** The smallest power of two that is not below. */
const ceilPowerOfTwo = (count: number): number => (isPowerOfTwo(count) ? count : 2 << floorLog2(count))

/** A power of two of jobs, the largest minimum first. */
function packed(processors: number, jobs: readonly Job[]): readonly Block[] {
  let frontier: readonly Segment[] = [{ x: 0, y: ZERO }]
  return jobs.map(({ job, minimum }) => {
    const low = lowestStep(frontier)
    const share = fraction(processors, jobs.length)
    const height = least(product(share, fraction(1, ceilPowerOfTwo(minimum))), fraction(1, low.y.denominator))
    // of a power of two over a power of two that is no larger
    const width = (share.numerator * height.denominator) / (share.denominator * height.numerator)
    frontier = raised(frontier, low, width, sum(low.y, height))
    return { job, minimum, x: low.x, width, y: low.y, height }
  })
}

/** Where the next block goes: the height with the largest denominator has to be filled up first; no two were ever seen to have it. */
const lowestStep = (frontier: readonly Segment[]): Segment =>
  frontier.reduce((best, one) => (one.y.denominator > best.y.denominator ? one : best))

/** With the first `width` processors of a segment at `y`: whole segments at 1 are dropped, equal neighbours are one. */
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

/** What changes places in a period, in processors: of every job that does not run all the time its width (equation 6.1). */
export const swapped = (blocks: readonly Block[]): number =>
  blocks.reduce((all, { width, height }) => all + (equal(height, ONE) ? 0 : width), 0)

/** The processors of a block: the cell whose path of halves is the leading bits of its first processor. */
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

/** `7(8) 0+8 1/4+1/4`: job, minimum, processors, time. */
export const blockText = ({ job, minimum, x, width, y, height }: Block): string =>
  `${job}(${minimum}) ${x}+${width} ${fractionText(y)}+${fractionText(height)}`

// --- epoch ---
/*
 * EQUI-EPOCH: a period is divided into epochs, in each of which some of the jobs share the machine equally (section 7,
 * figure 6.6). As printed it compares the wrong minimum, and strictly.
 */

export type Epoch = {
  /** Their places in the list of minima. */
  readonly jobs: readonly number[]
  /** Processors of each. */
  readonly width: number
  /** Part of the period: every job has an area of P/J in all. */
  readonly duration: Fraction
}

/**
 * The jobs with the smallest minima first, as many as can share the processors equally. The fewest epochs there can be if the
 * processors are a power of two; at times one more than that otherwise.
 *
 * @param minima of each job, from 1 to `processors`
 * @throws RangeError for anything else
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

/** What changes places in a period, in processors: at the end of an epoch all of them, unless there is only one. */
export const swappedBy = (processors: number, all: readonly Epoch[]): number =>
  all.length === 1 ? 0 : processors * all.length
