/**
 * The workload of Irwin, Grit and Chase 2004, section 4.1: tasks of two classes of value and, independently of them, two
 * classes of decay. What it does not say (means, variances, floors) is a parameter or a constant here.
 */
import type { Task } from '../../../actors/contracts/values.ts'
import { MAX_UNITS } from '../../../lib/core/format.ts'
import { exponential, keyed, normal } from '../../../lib/core/random.ts'
import { toUnits, units } from '../../../lib/core/time.ts'
import { MAX_ROWS } from '../../../lib/workload/reading.ts'

/** How numbers spread around their mean. */
export type Law = { readonly law: 'exponential' } | { readonly law: 'normal'; readonly cv: number }

/** An amount that is high for a fifth of the tasks, and normal within each class. */
export type Classes = {
  /** High mean over low mean, >= 1. */
  readonly skew: number
  /** Of all tasks or, whatever the skew, of the high class. */
  readonly mean: { readonly of: 'all' | 'high'; readonly is: number }
  /** Coefficient of variation within a class, >= 0. */
  readonly cv: number
}

export type Mix = {
  /** So many tasks arrive together. */
  readonly batch: number
  /** From one batch to the next. */
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
  /** Of all sites, >= 1. */
  readonly processors: number
  /** Mean work that arrives in a unit, over the processors; > 0. */
  readonly load: number
  readonly mix: Mix
}

/** Of a task, in units, without regard to the shortest. */
const MEAN_RUNTIME = 100

/** A task that would need fewer units needs so many. */
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
    if (!holds) throw new RangeError(`generateTasks: expected ${expected}, got ${got}`)
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
 * Task k's numbers are drawn for k alone and its batch's gap for that batch (common random numbers): they do not depend on
 * heuristic, thresholds or number of tasks. Load and processors only stretch the arrivals, and a skew changes only the
 * amounts of its own. Normal gaps below 0 are 0.
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
