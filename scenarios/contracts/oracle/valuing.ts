/**
 * Values, ranks and slacks of tasks (Irwin, Grit and Chase 2004, sections 3 to 5), computed from scratch. An oracle compares decisions
 * with them, so they share no code with the actors.
 */
import type { Heuristic } from '../../../actors/contracts/ranks.ts'
import type { Task } from '../../../actors/contracts/values.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import { sum } from '../../../lib/core/tally.ts'

/** The relative error of sums that is allowed for. */
export const MARGIN = 1e-9

/** The shapes of values that are known here. */
const SHAPES: readonly string[] = ['linear', 'cliff']

export const isValued = ({ worth }: Task): boolean => SHAPES.includes(worth.shape)

/** A task that may run, with the runtime that is left. */
export interface Part {
  readonly of: Task
  readonly left: Time
}

const delayAt = ({ arrival, runtime }: Task, completion: Time): number =>
  toUnits(Math.max(0, completion - arrival - runtime))

/** The delay after which a value falls no further. */
const lastDelay = ({ worth: { value, decay, bound } }: Task): number =>
  bound === null || decay === 0 ? Number.POSITIVE_INFINITY : (value + bound) / decay

/** The dollars for a task that is done at `completion`. */
export function worthAt(task: Task, completion: Time): number {
  const { shape, value, decay, bound } = task.worth
  const delay = delayAt(task, completion)
  const least = bound === null ? Number.NEGATIVE_INFINITY : -bound
  if (shape === 'cliff') return delay < lastDelay(task) ? value : least
  return Math.max(value - decay * delay, least)
}

/** A rank, and the size of the numbers whose difference it is: it bounds the error by rounding. */
export interface Rank {
  readonly value: number
  readonly size: number
}

/** Ranks a task among the tasks that compete with it, itself included, if all began now. */
export function rankOf(part: Part, field: readonly Part[], { name, alpha, discount }: Heuristic, now: Time): Rank {
  const { of, left } = part
  const time = toUnits(left)
  const gain = worthAt(of, now + left)
  const parts = Math.abs(gain) + Math.abs(of.worth.value) + of.worth.decay * delayAt(of, now + left)
  switch (name) {
    case 'FCFS':
      return { value: -of.arrival, size: 0 }
    case 'SRPT':
      return { value: -left, size: 0 }
    case 'SWPT':
      return { value: of.worth.decay / time, size: of.worth.decay / time }
    case 'FirstPrice':
      return { value: gain / time, size: parts / time }
    case 'PV':
      return { value: gain / (1 + discount * time) / time, size: parts / time }
    case 'FirstReward': {
      const present = gain / (1 + discount * time)
      const cost = sum(field, (other) => (other === part ? 0 : lossOf(other, time, now)))
      const size = alpha * parts + time * sum(field, (other) => other.of.worth.decay)
      return { value: (alpha * present - (1 - alpha) * cost) / time, size: size / time }
    }
  }
}

/** The dollars that a task loses if it waits for a time from now on (equation 4). */
function lossOf({ of, left }: Part, time: number, now: Time): number {
  const { decay } = of.worth
  if (decay === 0) return 0
  return decay * Math.min(time, Math.max(0, lastDelay(of) - delayAt(of, now + left)))
}

/** Compares ranks: above 0 if the first is higher, 0 if they are equal or too near to tell. */
export function compare(one: Rank, other: Rank): number {
  const difference = one.value - other.value
  return Math.abs(difference) <= MARGIN * Math.max(one.size, other.size) ? 0 : difference
}

/** The slack of a promise: how much longer the task could wait before it would be a loss (equations 7 and 8). */
export interface Slack {
  readonly gain: number
  readonly size: number
  readonly decay: number
}

export function slackOf(task: Task, price: number, behind: readonly Part[], discount: number): Slack {
  const time = toUnits(task.runtime)
  const value = price / (1 + discount * time)
  const cost = time * sum(behind, ({ of }) => of.worth.decay)
  return { gain: value - cost, size: Math.abs(value) + cost, decay: task.worth.decay }
}

/** Compares a slack with one in units: above 0 if it is greater, 0 if they are equal or too near to tell. */
export function compareSlack({ gain, size, decay }: Slack, units: number): number {
  if (decay === 0 || Math.abs(units) === Number.POSITIVE_INFINITY) {
    // without decay the sign of the gain decides, and rounding may change the sign of a gain near 0
    if (Math.abs(gain) <= MARGIN * size) return 0
    const slack = decay === 0 ? Math.sign(gain) * Number.POSITIVE_INFINITY : gain / decay
    return slack === units ? 0 : slack - units
  }
  const [rest, scale] = [gain - units * decay, size + Math.abs(units * decay)]
  return Math.abs(rest) <= MARGIN * scale ? 0 : rest
}

/** Whether two amounts of dollars are equal but for rounding. */
export const isAmount = (one: number, other: number): boolean =>
  one === other || Math.abs(one - other) <= MARGIN * Math.max(1, Math.abs(one), Math.abs(other))
