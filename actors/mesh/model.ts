/**
 * The cost model of a mesh (sections 2 and 6): how fast a job runs in a partition, and how long its threads take to
 * move.
 */
import { type Time, units } from '../../lib/actor.ts'
import { columnsOf, type Mesh, processorsOf, rowsOf } from './mesh.ts'
import { areEqual, type Rectangle } from './rectangle.ts'

/** The parameters of the cost model. `BASELINE` has the values of the thesis. */
export type Model = {
  readonly mesh: Mesh
  /** The time that a thread computes in each step. */
  readonly compute: Time
  /** The time of a thread's messages to its neighbours, for each thread at the side of a processor. */
  readonly message: Time
  readonly switching: Time
  /** The computing time of a thread is uniform, up to this much to either side of the mean. */
  readonly delta: Time
  /** The time to send a thread's data to another processor; `code` is the time for the job's code. */
  readonly data: Time
  readonly code: Time
  /** Whether moving threads takes time. */
  readonly charged: boolean
}

/**
 * The levels of detail of the simulated threads. `coarse`: the times of moves and steps are calculated, and there are no
 * processors. `moves`: processors hold and send threads, and steps are calculated. `fine`: threads also compute
 * step by step.
 */
export const DETAILS = ['coarse', 'moves', 'fine'] as const
export type Detail = (typeof DETAILS)[number]

export const BASELINE = {
  compute: units(0.1),
  message: units(0.001),
  switching: units(0.0005),
  delta: 0,
  data: units(0.02),
  code: units(0.0025),
  charged: true,
} satisfies Omit<Model, 'mesh'>

/** The time of one step in a partition of this shape whose fullest processor has `threads` threads. */
export function stepTime(model: Model, { rows, columns }: Pick<Rectangle, 'rows' | 'columns'>, threads: number): Time {
  const sides = Math.ceil(rowsOf(model.mesh) / rows) + Math.ceil(columnsOf(model.mesh) / columns)
  return threads * model.compute + sides * model.message + (threads - 1) * model.switching
}

/** The time of one step on the whole mesh. */
export const stepAlone = (model: Model): Time => model.compute + 2 * model.message

/** The time to move a job's threads from one partition to another; a new job is loaded in no time. */
export function movingTime({ mesh, data, code, charged }: Model, from: Rectangle | null, to: Rectangle): Time {
  if (!charged || from === null || areEqual(from, to)) return 0
  const isFolding = to.rows * to.columns <= from.rows * from.columns
  const lines = Math.min(
    to.rows === from.rows ? to.rows : to.columns,
    to.columns === from.columns ? to.columns : to.rows,
  )
  return Math.ceil((processorsOf(mesh) / 2 / Math.max(1, lines)) * (isFolding ? data : data + code))
}
