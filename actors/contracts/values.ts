/**
 * The value of a task, as data: a shape and its numbers (section 3). Money is in dollars, decay in dollars per unit of delay.
 * A new shape is one more entry in `SHAPES`; no other code knows of shapes.
 */
import { type Time, toUnits } from '../../lib/actor.ts'

/** The numbers of a value. The largest penalty is `bound` (0: none; null: no limit). */
type Amounts = {
  /** Dollars for a task without delay. */
  readonly value: number
  /** Dollars per unit, >= 0. */
  readonly decay: number
  readonly bound: number | null
}

/** A shape of value functions. Delays are in units, >= 0. */
interface Shape {
  /** The dollars after a delay. They never rise with the delay. */
  readonly yieldAt: (amounts: Amounts, delay: number) => number
  /** The further delay until there is nothing more to lose; Infinity if there always is. */
  readonly left: (amounts: Amounts, delay: number) => number
}

const floorOf = ({ bound }: Amounts): number => (bound === null ? Number.NEGATIVE_INFINITY : -bound)

/** The delay after which a linear value falls no further. */
const expiryOf = ({ value, decay, bound }: Amounts): number =>
  bound === null || decay === 0 ? Number.POSITIVE_INFINITY : (value + bound) / decay

export const SHAPES = {
  /** The shape of the paper: the value falls by `decay` in every unit of delay (equation 1). */
  linear: {
    yieldAt: (amounts, delay) => Math.max(amounts.value - amounts.decay * delay, floorOf(amounts)),
    left: (amounts, delay) => Math.max(0, expiryOf(amounts) - delay),
  },
  /** A deadline: the whole value until a linear value would expire, and the floor from then on. */
  cliff: {
    yieldAt: (amounts, delay) => (delay < expiryOf(amounts) ? amounts.value : floorOf(amounts)),
    left: (amounts, delay) => Math.max(0, expiryOf(amounts) - delay),
  },
} satisfies Readonly<Record<string, Shape>>

export type ShapeName = keyof typeof SHAPES

export type Worth = Amounts & { readonly shape: ShapeName }

const shapeOf = ({ worth }: Task): Shape => SHAPES[worth.shape]

/** A task, as it is bid. */
export type Task = {
  /** Unique in the run. */
  readonly task: number
  readonly arrival: Time
  readonly runtime: Time
  readonly worth: Worth
}

/** The delay in units of a completion: how much later it is than the earliest one. */
export const delayOf = ({ arrival, runtime }: Task, completion: Time): number =>
  toUnits(Math.max(0, completion - arrival - runtime))

/** The yield in dollars of a task that is done at `completion`. */
export const yieldOf = (task: Task, completion: Time): number =>
  shapeOf(task).yieldAt(task.worth, delayOf(task, completion))

/** The units after `completion` until the task has nothing more to lose. */
export const leftOf = (task: Task, completion: Time): number =>
  shapeOf(task).left(task.worth, delayOf(task, completion))

/** Whether the task can expire, so that it has nothing more to lose. */
export const expires = (task: Task): boolean => shapeOf(task).left(task.worth, 0) < Number.POSITIVE_INFINITY
