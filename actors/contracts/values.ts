/**
 * What a task is worth, as data: a shape and its numbers (section 3). Money is in dollars, decay in dollars per unit of
 * delay. A shape of one's own is one more entry in `SHAPES`; the rules ask nothing else of it.
 */
import { type Time, toUnits } from '../../lib/actor.ts'

/** So much for a task that is never kept waiting; what it costs at worst is `bound` (0: nothing; null: no limit). */
type Amounts = {
  /** Dollars. */
  readonly value: number
  /** Dollars per unit, >= 0. */
  readonly decay: number
  readonly bound: number | null
}

/** What the rules need to know of a shape; delays in units, >= 0. */
interface Shape {
  /** Dollars after so much delay; never more after more of it. */
  readonly yieldAt: (amounts: Amounts, delay: number) => number
  /** More delay until there is nothing more to lose; Infinity: there always is. */
  readonly left: (amounts: Amounts, delay: number) => number
}

const floorOf = ({ bound }: Amounts): number => (bound === null ? Number.NEGATIVE_INFINITY : -bound)

/** The delay after which it is worth no less. */
const expiryOf = ({ value, decay, bound }: Amounts): number =>
  bound === null || decay === 0 ? Number.POSITIVE_INFINITY : (value + bound) / decay

export const SHAPES = {
  /** The paper's: it loses `decay` in every unit of delay (equation 1). */
  linear: {
    yieldAt: (amounts, delay) => Math.max(amounts.value - amounts.decay * delay, floorOf(amounts)),
    left: (amounts, delay) => Math.max(0, expiryOf(amounts) - delay),
  },
  /** A deadline: whole until the delay at which a linear one had nothing more to lose, then at its floor. */
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

/** In units: how much later than at the earliest it is done. */
export const delayOf = ({ arrival, runtime }: Task, completion: Time): number =>
  toUnits(Math.max(0, completion - arrival - runtime))

/** Dollars, if it is done then. */
export const yieldOf = (task: Task, completion: Time): number =>
  shapeOf(task).yieldAt(task.worth, delayOf(task, completion))

/** Units until it has nothing more to lose, if it is done then and not later. */
export const leftOf = (task: Task, completion: Time): number =>
  shapeOf(task).left(task.worth, delayOf(task, completion))

/** Can it have nothing more to lose at all? */
export const expires = (task: Task): boolean => shapeOf(task).left(task.worth, 0) < Number.POSITIVE_INFINITY
