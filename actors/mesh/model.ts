/** What a mesh costs (sections 2 and 6): how fast a job goes in a partition, and how long its threads take to move. */
import { type Time, units } from '../../lib/actor.ts'
import { columnsOf, type Mesh, processorsOf, rowsOf } from './mesh.ts'
import { areEqual, type Rectangle } from './rectangle.ts'

/** Times are `Time`; the baseline of the thesis is `BASELINE`. */
export type Model = {
  readonly mesh: Mesh
  /** A thread computes so long in each step. */
  readonly compute: Time
  /** A thread's messages to its neighbours take so long, for each thread at the side of a processor. */
  readonly message: Time
  readonly switching: Time
  /** The time that a thread computes is uniform, so far to either side of its mean. */
  readonly delta: Time
  /** To send a thread's data, and a job's code, to another processor. */
  readonly data: Time
  readonly code: Time
  /** Does moving take time at all? */
  readonly charged: boolean
}

/**
 * How closely threads are looked at. `coarse`: moves and steps take what is calculated here, and there are no processors.
 * `moves`: processors hold threads and send them, steps are calculated. `fine`: threads compute there, too, step by step.
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

/** One step of all threads in a partition of so many rows and columns, of which the fullest processor has `threads`. */
export function stepTime(model: Model, { rows, columns }: Pick<Rectangle, 'rows' | 'columns'>, threads: number): Time {
  const sides = Math.ceil(rowsOf(model.mesh) / rows) + Math.ceil(columnsOf(model.mesh) / columns)
  return threads * model.compute + sides * model.message + (threads - 1) * model.switching
}

/** One step on the whole mesh. */
export const stepAlone = (model: Model): Time => model.compute + 2 * model.message

/** How long a job's threads take from one partition to another; a newcomer's are loaded in no time. */
export function movingTime({ mesh, data, code, charged }: Model, from: Rectangle | null, to: Rectangle): Time {
  if (!charged || from === null || areEqual(from, to)) return 0
  const isFolding = to.rows * to.columns <= from.rows * from.columns
  const lines = Math.min(
    to.rows === from.rows ? to.rows : to.columns,
    to.columns === from.columns ? to.columns : to.rows,
  )
  return Math.ceil((processorsOf(mesh) / 2 / Math.max(1, lines)) * (isFolding ? data : data + code))
}
