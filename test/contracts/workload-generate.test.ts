import { mean, standardDeviation } from 'simple-statistics'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Task } from '../../actors/contracts/values.ts'
import { toUnits } from '../../lib/core/time.ts'
import {
  type Classes,
  type Generated,
  generateTasks,
  type Law,
  type Mix,
  meansOf,
} from '../../scenarios/contracts/workload/generate.ts'
import { FIGURES_6_AND_7, figure3, figures4And5 } from '../../scenarios/contracts/workload/mixes.ts'
import { throwsSaying } from '../throws.ts'

const MIX = FIGURES_6_AND_7
const base: Generated = { seed: 1, tasks: 40_000, processors: 16, load: 0.9, mix: MIX }
const TASKS = generateTasks(base)
/** The share of the high classes, and the least amount as a share of the mean of its class. */
const HIGH = 0.2
const FLOOR = 0.05

const NORMAL: Law = { law: 'normal', cv: 0.25 }

const runtimesOf = (tasks: readonly Task[]): number[] => tasks.map(({ runtime }) => toUnits(runtime))
const rateOf = ({ worth, runtime }: Task): number => worth.value / toUnits(runtime)
const decayOf = ({ worth }: Task): number => worth.decay

/** The gaps from each batch to the next, in units. */
const gapsOf = (tasks: readonly Task[], batch = 1): number[] => {
  const arrivals = tasks.filter((_, i) => i % batch === 0).map(({ arrival }) => toUnits(arrival))
  return arrivals.map((arrival, i) => arrival - (arrivals[i - 1] ?? 0))
}

/** Asserts a value within four standard errors: one false alarm in about 16,000 checks, and the seed is fixed anyway. */
const near = (actual: number, expected: number, standardError: number, what: string): void =>
  assert.ok(
    Math.abs(actual - expected) < 4 * standardError,
    `${what}: expected ${expected} ± ${4 * standardError}, got ${actual}`,
  )

const share = (part: number, whole: number, expected: number, what: string): void =>
  near(part / whole, expected, Math.sqrt((expected * (1 - expected)) / whole), what)

/** Asserts the mean and the coefficient of variation of a normal sample, and its shares within one and two deviations. */
function isNormal(values: readonly number[], expected: number, cv: number, what: string): void {
  const n = values.length
  near(mean(values), expected, (cv * expected) / Math.sqrt(n), `${what}, mean`)
  near(standardDeviation(values) / expected, cv, cv / Math.sqrt(2 * n), `${what}, CV`)
  for (const [deviations, within] of [[1, 0.682_689_5] as const, [2, 0.954_499_7] as const]) {
    const inside = values.filter((x) => Math.abs(x - expected) <= deviations * cv * expected).length
    share(inside, n, within, `${what}, within ${deviations} deviations`)
  }
}

/** Asserts the mean of an exponential sample and, by the delta method, a squared coefficient of variation of 1. */
function isExponential(values: readonly number[], expected: number, what: string): void {
  const n = values.length
  near(mean(values) / expected, 1, 1 / Math.sqrt(n), `${what}, mean`)
  near(mean(values.map((x) => x * x)) / (mean(values) * mean(values)) - 1, 1, Math.sqrt(4 / n), `${what}, CV squared`)
  share(values.filter((x) => x > 2 * expected).length, n, Math.exp(-2), `${what}, beyond two means`)
}

test('runtimes are exponential or normal with a mean of 100 units, and none is shorter than one', () => {
  const exponential = runtimesOf(TASKS)
  assert.is(Math.min(...exponential), 1)
  share(exponential.filter((x) => x === 1).length, TASKS.length, 1 - Math.exp(-0.01), 'those that would be shorter')
  // the lower limit raises the mean by 0.005 and changes the spread as little, which is far within the errors
  isExponential(exponential, 100, 'exponential')
  isNormal(runtimesOf(generateTasks({ ...base, mix: { ...MIX, runtimes: NORMAL } })), 100, 0.25, 'normal')
  const wide = runtimesOf(generateTasks({ ...base, mix: figure3(1) }))
  share(wide.filter((x) => x === 1).length, wide.length, 0.023_852, 'P(Z < -1.98)')
})

test('tasks come one by one or in batches, with exponential or normal gaps, and offer the load', () => {
  for (const load of [0.5, 1, 3]) {
    const gap = 100 / (16 * load)
    isExponential(gapsOf(generateTasks({ ...base, load })), gap, `load ${load}`)
    isNormal(gapsOf(generateTasks({ ...base, load, mix: { ...MIX, gaps: NORMAL } })), gap, 0.25, `normal, load ${load}`)
  }
  const batches = generateTasks({ ...base, load: 1, processors: 1, mix: figure3(1) })
  assert.ok(batches.every(({ arrival }, i) => arrival === batches[i - (i % 16)]?.arrival))
  isNormal(gapsOf(batches, 16), 1600, 0.25, 'batches')
  const work = runtimesOf(TASKS).reduce((sum, runtime) => sum + runtime, 0)
  const span = toUnits(TASKS.at(-1)?.arrival ?? 0)
  near(work / (16 * span), 0.9, 0.9 * Math.sqrt(2 / TASKS.length), 'offered load')
})

test('a skew is the ratio of the class means, and the mean of all or of the high class stays', () => {
  const of = (skew: number, fixed: 'all' | 'high') => meansOf({ skew, mean: { of: fixed, is: 2 }, cv: 0 })
  const close = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-12, `${one}, expected ${other}`)
  for (const skew of [1, 2.15, 4, 9]) {
    for (const { high, low } of [of(skew, 'all'), of(skew, 'high')]) close(high / low, skew)
    const { high, low } = of(skew, 'all')
    close(HIGH * high + (1 - HIGH) * low, 2)
    assert.is(of(skew, 'high').high, 2)
  }
})

test('a fifth of the tasks is high in value and, independently, a fifth in decay; each class is normal', () => {
  const classOf = (classes: Classes, of: (task: Task) => number) => {
    const { high, low } = meansOf(classes)
    // each class lies on its side of the edge up to five deviations
    const edge = low * (1 + 5 * classes.cv)
    assert.ok(high * (1 - 5 * classes.cv) >= edge)
    return { high, low, isHigh: (task: Task) => of(task) > edge }
  }
  const distinct: Mix = {
    ...MIX,
    value: { ...MIX.value, cv: 0.09 },
    decay: { ...MIX.decay, cv: 0.1 },
  }
  const tasks = generateTasks({ ...base, mix: distinct })
  const value = classOf(distinct.value, rateOf)
  const decay = classOf(distinct.decay, decayOf)
  for (const [what, one, of, cv] of [
    ['value', value, rateOf, 0.09] as const,
    ['decay', decay, decayOf, 0.1] as const,
  ]) {
    share(tasks.filter(one.isHigh).length, tasks.length, HIGH, `high ${what}`)
    isNormal(tasks.filter(one.isHigh).map(of), one.high, cv, `high ${what}`)
    isNormal(tasks.filter((task) => !one.isHigh(task)).map(of), one.low, cv, `low ${what}`)
  }
  const both = tasks.filter((task) => value.isHigh(task) && decay.isHigh(task))
  share(both.length, tasks.length, HIGH * HIGH, 'high in both')
  const [one, other] = [both, tasks].map((some) => mean(runtimesOf(some)))
  near(one ?? 0, other ?? 0, 100 / Math.sqrt(both.length), 'those are no longer than others')
})

test('the means over all tasks do not depend on the skews', () => {
  const deviation = (classes: Classes): number => {
    const { high, low } = meansOf(classes)
    const square = (1 + classes.cv * classes.cv) * (HIGH * high * high + (1 - HIGH) * low * low)
    return Math.sqrt(square - (HIGH * high + (1 - HIGH) * low) * (HIGH * high + (1 - HIGH) * low))
  }
  for (const skew of [1, 3, 7]) {
    const tasks = generateTasks({ ...base, mix: figures4And5(skew, null, 16) })
    const { value, decay } = figures4And5(skew, null, 16)
    near(mean(tasks.map(rateOf)), 1, deviation(value) / Math.sqrt(tasks.length), 'value')
    near(mean(tasks.map(decayOf)), 0.2, deviation(decay) / Math.sqrt(tasks.length), `decay, skew ${skew}`)
  }
})

test('no amount is below 5 % of the mean of its class, and without a spread all amounts of a class are equal', () => {
  const wild = generateTasks({ ...base, mix: { ...MIX, decay: { ...MIX.decay, skew: 1, cv: 2 } } })
  const least = FLOOR * 0.1
  assert.is(Math.min(...wild.map(decayOf)), least)
  share(wild.filter((task) => decayOf(task) === least).length, wild.length, 0.317_393, 'P(Z < -0.475)')
  const alike = generateTasks({ ...base, tasks: 1000, mix: figure3(9) })
  assert.ok(alike.every(({ worth }) => worth.decay === 0.3 && worth.bound === 0 && worth.shape === 'linear'))
})

test('the tasks of a class arrive as a thinned Poisson stream', () => {
  const cheap = TASKS.filter((task) => decayOf(task) < 0.1)
  const urgent = TASKS.filter((task) => decayOf(task) >= 0.15)
  const gap = 100 / (16 * 0.9)
  isExponential(gapsOf(cheap), (gap * TASKS.length) / cheap.length, 'low decay')
  isExponential(gapsOf(urgent), (gap * TASKS.length) / urgent.length, 'high decay')
  const meanGap = mean(gapsOf(urgent))
  const gaps = gapsOf(urgent).map((x) => x / meanGap - 1)
  near(mean(gaps.slice(1).map((x, i) => x * (gaps[i] ?? 0))), 0, 1 / Math.sqrt(gaps.length), 'neighbours')
})

test('a task depends on seed and number alone: load stretches arrivals, a skew changes only its own amounts', () => {
  const some = TASKS.slice(0, 300)
  const few = { ...base, tasks: 300 }
  assert.equal(generateTasks(few), some, 'fewer tasks are the first ones')
  for (const [i, { arrival, ...task }] of generateTasks({ ...few, load: 0.45 }).entries()) {
    const { arrival: before = 0, ...same } = some[i] ?? {}
    assert.equal(task, same)
    assert.ok(Math.abs(arrival - 2 * before) <= 2, 'half the load doubles the gaps')
  }
  const skewed = generateTasks({ ...few, mix: { ...MIX, decay: { ...MIX.decay, skew: 9 } } })
  const neutral = (tasks: readonly Task[]) => tasks.map((task) => ({ ...task, worth: { ...task.worth, decay: 0 } }))
  assert.equal(neutral(skewed), neutral(some))
  assert.is.not(skewed[0]?.worth.decay, some[0]?.worth.decay)
  assert.equal(
    generateTasks({ ...few, mix: { ...MIX, bound: 7 } }),
    some.map((task) => ({ ...task, worth: { ...task.worth, bound: 7 } })),
  )
  assert.is.not(generateTasks({ ...few, seed: 2 })[0]?.runtime, some[0]?.runtime)
})

test('tasks are numbered in order of arrival', () => {
  assert.ok(TASKS.every(({ task, arrival }, i) => task === i && arrival >= (TASKS[i - 1]?.arrival ?? 0)))
  const wild = generateTasks({ ...base, tasks: 2000, mix: { ...MIX, gaps: { law: 'normal', cv: 3 } } })
  assert.ok(
    wild.every(({ arrival }, i) => arrival >= (wild[i - 1]?.arrival ?? 0)),
    'though gaps below 0 are drawn',
  )
})

test('arguments that give no tasks in order are refused', () => {
  const refused = (wrong: Partial<Generated>, text: string): void =>
    throwsSaying(() => generateTasks({ ...base, ...wrong }), text)
  const unmixed = (wrong: Partial<Mix>, text: string): void => refused({ mix: { ...MIX, ...wrong } }, text)
  refused({ tasks: -1 }, 'needs 0 to 1000000 tasks, not -1')
  refused({ tasks: 1.5 }, 'needs 0 to 1000000 tasks, not 1.5')
  refused({ tasks: 1_000_001 }, 'needs 0 to 1000000 tasks, not 1000001')
  refused({ processors: 0 }, 'needs a whole number of processors >= 1, not 0')
  refused({ load: 0 }, 'needs a load > 0, not 0')
  refused({ load: Number.NaN }, 'needs a load > 0, not NaN')
  refused({ load: 1e-9 }, 'needs tasks and a load that take at most 1000000000 units to arrive, not ')
  unmixed({ batch: 0 }, 'needs a whole number of tasks >= 1 in a batch, not 0')
  unmixed({ gaps: { law: 'normal', cv: -1 } }, 'needs a coefficient of variation >= 0 of gaps, not -1')
  unmixed({ runtimes: { law: 'normal', cv: Number.NaN } }, 'a coefficient of variation >= 0 of runtimes, not NaN')
  unmixed({ value: { ...MIX.value, skew: 0.5 } }, 'needs a value skew >= 1, not 0.5')
  unmixed({ decay: { ...MIX.decay, skew: Number.POSITIVE_INFINITY } }, 'needs a decay skew >= 1, not Infinity')
  unmixed({ decay: { ...MIX.decay, mean: { of: 'all', is: -0.1 } } }, 'needs a mean decay >= 0, not -0.1')
  unmixed({ decay: { ...MIX.decay, cv: -0.1 } }, 'needs a coefficient of variation >= 0 of decay, not -0.1')
  unmixed({ bound: -1 }, 'needs a bound >= 0, not -1')
  unmixed({ bound: Number.POSITIVE_INFINITY }, 'needs a bound >= 0, not Infinity')
  assert.equal(generateTasks({ ...base, tasks: 0 }), [])
})

test.run()
