/**
 * The generated workload of Irwin, Grit and Chase 2004, section 4.1: tasks of two classes of value and, independently, two
 * classes of decay. Means, variances and floors, which the paper does not give, are parameters or constants here.
 */
import type { Task } from '../../../actors/contracts/values.ts'
import { MAX_UNITS } from '../../../lib/core/format.ts'
import { exponential, keyed, normal } from '../../../lib/core/random.ts'
import { toUnits, units } from '../../../lib/core/time.ts'
import { MAX_ROWS } from '../../../lib/workload/reading.ts'

/** The distribution of a number around its mean. */
export type Law = { readonly law: 'exponential' } | { readonly law: 'normal'; readonly cv: number }

/** An amount that is high for a fifth of the tasks, and normal within each class. */
export type Classes = {
  /** The mean of the high class over that of the low class, >= 1. */
  readonly skew: number
  /** The mean of all tasks, or of the high class for every skew. */
  readonly mean: { readonly of: 'all' | 'high'; readonly is: number }
  /** Coefficient of variation within a class, >= 0. */
  readonly cv: number
}

export type Mix = {
  /** The number of tasks that arrive together. */
  readonly batch: number
  /** The distribution of the gaps between batches. */
  readonly gaps: Law
  readonly runtimes: Law
  /** Dollars for a unit of runtime. */
  readonly value: Classes
  /** Dollars for a unit of delay. */
  readonly decay: Classes
  /** The largest penalty in dollars, of every task; null: no limit. */
  readonly bound: number | null
}

export interface Generated {
  readonly seed: number
  readonly tasks: number
  /** The processors of all sites, >= 1. */
  readonly processors: number
  /** The mean work that arrives in a unit, over the processors; > 0. */
  readonly load: number
  readonly mix: Mix
}

/** The mean runtime in units, without the lower limit. */
const MEAN_RUNTIME = 100

/** The shortest runtime in units. */
const SHORTEST = 1

/** Probability of the high class. */
const HIGH = 0.2

/** No amount is below this share of the mean of its class. */
const FLOOR = 0.05

/** The mean of each class. */
export function meansOf({ skew, mean: { of, is } }: Classes): { readonly high: number; readonly low: number } {
  const low = of === 'high' ? is / skew : is / (1 - HIGH + HIGH * skew)
  return { high: of === 'high' ? is : low * skew, low }
}

const drawn = (law: Law, u: number, mean: number): number =>
  law.law === 'exponential' ? exponential(u, mean) : normal(u, mean, law.cv * mean)

function amountOf(classes: Classes, ofClass: number, u: number): number {
  const { high, low } = meansOf(classes)
  const mean = ofClass < HIGH ? high : low
  return Math.max(FLOOR * mean, normal(u, mean, classes.cv * mean))
}

function check({ tasks, processors, load, mix }: Generated): void {
  const expect = (holds: boolean, expected: string, got: number): void => {
    if (!holds) throw new RangeError(`generateTasks needs ${expected}, not ${got}`)
  }
  const isAmount = (amount: number): boolean => amount >= 0 && Number.isFinite(amount)
  expect(Number.isSafeInteger(tasks) && tasks >= 0 && tasks <= MAX_ROWS, `0 to ${MAX_ROWS} tasks`, tasks)
  expect(Number.isSafeInteger(processors) && processors >= 1, 'a whole number of processors >= 1', processors)
  expect(load > 0, 'a load > 0', load)
  expect(Number.isSafeInteger(mix.batch) && mix.batch >= 1, 'a whole number of tasks >= 1 in a batch', mix.batch)
  for (const [what, law] of [['gaps', mix.gaps] as const, ['runtimes', mix.runtimes] as const]) {
    if (law.law === 'normal') expect(isAmount(law.cv), `a coefficient of variation >= 0 of ${what}`, law.cv)
  }
  for (const [what, { skew, mean, cv }] of [['value', mix.value] as const, ['decay', mix.decay] as const]) {
    expect(skew >= 1 && Number.isFinite(skew), `a ${what} skew >= 1`, skew)
    expect(isAmount(mean.is), `a mean ${what} >= 0`, mean.is)
    expect(isAmount(cv), `a coefficient of variation >= 0 of ${what}`, cv)
  }
  if (mix.bound !== null) expect(isAmount(mix.bound), 'a bound >= 0', mix.bound)
  const span = (MEAN_RUNTIME * tasks) / (load * processors)
  expect(span <= MAX_UNITS, `tasks and a load that take at most ${MAX_UNITS} units to arrive`, span)
}

/**
 * Generates the tasks. The numbers of task k are drawn for k alone, and the gap of a batch for that batch alone (common random
 * numbers): they do not depend on the heuristic, the threshold or the number of tasks. Load and processors only stretch the
 * arrivals, and a skew changes only its own amounts. Normal gaps below 0 are 0.
 *
 * @returns tasks 0, 1, 2, ... in order of arrival
 * @throws RangeError for arguments that give no tasks in order
 */
export function generateTasks(generated: Generated): Task[] {
  check(generated)
  const { seed, tasks, processors, load, mix } = generated
  const { batch, gaps, runtimes, value, decay, bound } = mix
  const meanGap = (batch * MEAN_RUNTIME) / (load * processors)
  let passed = 0
  return Array.from({ length: tasks }, (_, task) => {
    const draw = (purpose: string): number => keyed(seed, purpose, task)
    if (task % batch === 0) passed += Math.max(0, drawn(gaps, keyed(seed, 'gap', task / batch), 1))
    const runtime = units(Math.max(SHORTEST, drawn(runtimes, draw('runtime'), MEAN_RUNTIME)))
    return {
      task,
      arrival: units(passed * meanGap),
      runtime,
      worth: {
        shape: 'linear',
        value: amountOf(value, draw('value class'), draw('value')) * toUnits(runtime),
        decay: amountOf(decay, draw('decay class'), draw('decay')),
        bound,
      },
    }
  })
}
