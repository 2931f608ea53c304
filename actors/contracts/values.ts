/**
 * What a task is worth, as data: a shape and its numbers (section 3). Money is in dollars, decay in dollars per unit of
 * delay. A shape of one's own is one more entry in `SHAPES`; the rules ask nothing else of it.
 */
import { type Time, toUnits } from '../../lib/actor.ts'

/** So much for a task that is never kept waiting; what it costs at worst is `bound` (0: nothing; null: no limit). */
export type Worth = {
  readonly shape: ShapeName
  /** Dollars. */
  readonly value: number
  /** Dollars per unit, >= 0. */
  readonly decay: number
  readonly bound: number | null
}

export type ShapeName = 'linear' | 'cliff'

/** What the rules need to know of a shape; delays in units, >= 0. */
interface Shape {
  /** Dollars after so much delay. */
  readonly yieldAt: (worth: Worth, delay: number) => number
  /** More delay until there is nothing more to lose. */
  readonly left: (worth: Worth, delay: number) => number
}

const floorOf = ({ bound }: Worth): number => (bound === null ? Number.NEGATIVE_INFINITY : -bound)

/** The delay after which it is worth no less. */
const expiryOf = ({ value, decay, bound }: Worth): number =>
  bound === null || decay === 0 ? Number.POSITIVE_INFINITY : (value + bound) / decay

export const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  /** The paper's: it loses `decay` in every unit of delay (equation 1). */
  linear: {
    yieldAt: (worth, delay) => Math.max(worth.value - worth.decay * delay, floorOf(worth)),
    left: (worth, delay) => Math.max(0, expiryOf(worth) - delay),
  },
  /** A deadline: whole until the delay at which a linear one had nothing more to lose, then at its floor. */
  cliff: {
    yieldAt: (worth, delay) => (delay < expiryOf(worth) ? worth.value : floorOf(worth)),
    left: (worth, delay) => Math.max(0, expiryOf(worth) - delay),
  },
}

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
  SHAPES[task.worth.shape].yieldAt(task.worth, delayOf(task, completion))

/** Units until it has nothing more to lose, if it is done then and not later. */
export const leftOf = (task: Task, completion: Time): number =>
  SHAPES[task.worth.shape].left(task.worth, delayOf(task, completion))

/** Can it have nothing more to lose at all? */
export const expires = ({ worth }: Task): boolean => SHAPES[worth.shape].left(worth, 0) < Number.POSITIVE_INFINITY
