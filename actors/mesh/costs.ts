/** What work, talk and moving cost (section 1). A unit of time is a second. */
import type { Time } from '../../lib/actor.ts'
import type { Shape } from './mapping.ts'
import { columnsOf, type Dimension, type Mesh, other, processorsOf, rowsOf } from './mesh.ts'

export type Costs = {
  /** A thread computes so long in a step. */
  readonly compute: Time
  /** One exchange with a neighbour along a row or a column. */
  readonly communicate: Time
  /** From one thread of a processor to the next. */
  readonly switch: Time
  /** Of a thread, in KB. */
  readonly code: number
  /** Data and stack of a thread, in KB. */
  readonly data: number
  /** In MB of 1024 KB per second. */
  readonly link: number
}

/** The thesis's. */
export const BASELINE: Costs = {
  ...{ compute: 100_000, communicate: 1_000, switch: 500 },
  ...{ code: 512, data: 4096, link: 200 },
}

/** KB over a link. */
const transfer = (kilobytes: number, { link }: Costs): Time => Math.round((kilobytes * 1_000_000) / (link * 1024))

/** A thread to a processor that has its code already, as in giving processors up. */
export const moveData = (costs: Costs): Time => transfer(costs.data, costs)

/** A thread to a processor that is new to its job. */
export const moveAll = (costs: Costs): Time => transfer(costs.code + costs.data, costs)

/**
 * How many threads go one after the other when a partition is halved across this dimension, or has been half as long: half of
 * all threads move, and the lines of processors along that dimension work side by side.
 */
export const threadsInLine = (mesh: Mesh, whole: Shape, halved: Dimension): number =>
  processorsOf(mesh) / 2 / whole[other(halved)]

/**
 * A step of a job whose fullest processor has `load` threads: they compute one after the other, and talk along rows and columns
 * as often as the fullest line has threads.
 */
export const stepTime = (mesh: Mesh, costs: Costs, shape: Shape, load: number): Time =>
  load * costs.compute + talkTime(mesh, costs, shape) + (load - 1) * costs.switch

export const talkTime = (mesh: Mesh, { communicate }: Costs, { rows, columns }: Shape): Time =>
  (Math.ceil(rowsOf(mesh) / rows) + Math.ceil(columnsOf(mesh) / columns)) * communicate
