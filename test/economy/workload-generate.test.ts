import { mean } from 'simple-statistics'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hyperexponential } from '../../lib/core/random.ts'
import { toUnits } from '../../lib/core/time.ts'
import {
  classesOf,
  type Generated,
  generateEconomyJobs,
  type Mix,
  meanWork,
} from '../../scenarios/economy/workload/generate.ts'
import type { EconomyJob } from '../../scenarios/economy/workload/job.ts'
import { throwsSaying } from '../throws.ts'
import { PHASES } from './golden/scalars.ts'

const base: Generated = { seed: 1, processors: 128, users: 10, load: 0.9, span: 500_000, tmin: 0 }
const { tmin: _, ...withoutFloor } = base
const JOBS = generateEconomyJobs(base)
const PAPER = classesOf(128)

/** Asserts a value within four standard errors: one false alarm in about 16,000 checks, and the seed is fixed anyway. */
const near = (actual: number, expected: number, standardError: number, what: string): void =>
  assert.ok(
    Math.abs(actual - expected) < 4 * standardError,
    `${what}: expected ${expected} ± ${4 * standardError}, got ${actual}`,
  )

const share = (part: number, whole: number, expected: number, what: string): void =>
  near(part / whole, expected, Math.sqrt((expected * (1 - expected)) / whole), what)

const ofClass = (jobs: readonly EconomyJob[], one: Mix): EconomyJob[] => jobs.filter((job) => job.class === one.class)

/** E[X], E[X^2], E[X^3], E[X^4] of the service of a class, from the phases. */
function momentsOf({ mean: m, cv }: Mix): [number, number, number, number] {
  const c2 = cv * cv
  const p = (1 + Math.sqrt((c2 - 1) / (c2 + 1))) / 2
  const first = m / (2 * p)
  const second = m / (2 * (1 - p))
  const moment = (k: number, factorial: number): number => factorial * (p * first ** k + (1 - p) * second ** k)
  return [moment(1, 1), moment(2, 2), moment(3, 6), moment(4, 24)]
}

test('the phases of the hyperexponential are those of balanced means', () => {
  const close = (actual: number, expected: number): void =>
    assert.ok(Math.abs(actual / expected - 1) < 1e-12, `expected ${expected}, got ${actual}`)
  // an exponential has its mean there
  const u = 1 - Math.exp(-1)
  for (const { mean: m, cv, p1, first, second } of PHASES) {
    close(hyperexponential(p1 * u, m, cv * cv), first)
    close(hyperexponential(p1 + (1 - p1) * u, m, cv * cv), second)
    assert.ok(hyperexponential(p1 - 1e-9, m, cv * cv) > first * 15, 'the last of the first phase')
    assert.ok(hyperexponential(p1 + 1e-9, m, cv * cv) < second / 1e6, 'the first of the second phase')
  }
})

test('a job of the paper has a mean work of 1737.5 processor-minutes', () => {
  assert.is(meanWork(PAPER), 1737.5)
  assert.is(meanWork(classesOf(512)), 1737.5)
})

test('a smaller machine has jobs that fit, and the same load', () => {
  const widths = (processors: number) => classesOf(processors).map((one) => one.processors)
  assert.equal(widths(8), [
    [1, 1],
    [1, 2],
    [2, 4],
  ])
  assert.equal(widths(64), [
    [1, 8],
    [8, 16],
    [16, 32],
  ])
  for (let n = 1; n <= 128; n++)
    for (const [fewest, most] of widths(n)) assert.ok(fewest >= 1 && fewest <= most && most <= n)
  assert.is(meanWork(classesOf(1)), 75)
  assert.equal(
    classesOf(8, 5).map((one) => one.processors),
    [
      [1, 5],
      [1, 5],
      [1, 5],
    ],
    'as wide as is wanted',
  )
  const jobs = generateEconomyJobs({ ...base, processors: 8, span: 100_000 })
  assert.is(Math.max(...jobs.map(({ processors }) => processors)), 4)
  offersItsLoad(jobs, { ...base, processors: 8, span: 100_000 })
})

/** The work that arrives is a compound Poisson sum, of variance (number of jobs) * E[work^2]. */
function offersItsLoad(jobs: readonly EconomyJob[], { processors, span, load }: Generated): void {
  const classes = classesOf(processors)
  const square = classes.reduce((sum, one) => {
    const [fewest, most] = one.processors
    const widths = Array.from({ length: most - fewest + 1 }, (_, i) => (fewest + i) * (fewest + i))
    return sum + (one.ofTen / 10) * mean(widths) * momentsOf(one)[1]
  }, 0)
  const expected = (load * processors * span) / meanWork(classes)
  near(jobs.length, expected, Math.sqrt(expected), 'number of jobs')
  const work = jobs.reduce((sum, job) => sum + job.processors * toUnits(job.service), 0)
  near(work / (processors * span), load, Math.sqrt(expected * square) / (processors * span), 'offered load')
}

test('the jobs of the paper offer the load, from 0.1 to 0.9', () => {
  for (const load of [0.1, 0.5, 0.9]) offersItsLoad(generateEconomyJobs({ ...base, load }), { ...base, load })
})

test('classes, users and widths are drawn as the paper says', () => {
  for (const one of PAPER) {
    const jobs = ofClass(JOBS, one)
    share(jobs.length, JOBS.length, one.ofTen / 10, `class ${one.class}`)
    const [fewest, most] = one.processors
    for (let width = fewest; width <= most; width++) {
      const some = jobs.filter(({ processors }) => processors === width).length
      share(some, jobs.length, 1 / (most - fewest + 1), `class ${one.class}, ${width} processors`)
    }
    assert.ok(jobs.every(({ processors }) => processors >= fewest && processors <= most))
  }
  for (let user = 1; user <= 10; user++)
    share(JOBS.filter((job) => job.user === `u${user}`).length, JOBS.length, 1 / 10, `u${user}`)
})

test('the service of each class has its mean and coefficient of variation', () => {
  for (const one of PAPER) {
    const services = ofClass(JOBS, one).map(({ service }) => toUnits(service))
    const [m1, m2, m3, m4] = momentsOf(one)
    near(mean(services), m1, Math.sqrt((m2 - m1 * m1) / services.length), `class ${one.class}, mean`)
    // the squared coefficient of variation is a function of two means: the delta method
    const [byFirst, bySecond] = [(-2 * m2) / (m1 * m1 * m1), 1 / (m1 * m1)]
    const variance =
      byFirst * byFirst * (m2 - m1 * m1) +
      2 * byFirst * bySecond * (m3 - m1 * m2) +
      bySecond * bySecond * (m4 - m2 * m2)
    const spread = mean(services.map((x) => x * x)) / (mean(services) * mean(services)) - 1
    near(spread, one.cv * one.cv, Math.sqrt(variance / services.length), `class ${one.class}, CV squared`)
  }
})

test('arrivals are Poisson: all of them, those of one user, and those of one class of a user', () => {
  const poisson = (jobs: readonly EconomyJob[], perMinute: number, what: string): void => {
    const gaps = jobs.map(({ arrival }, i) => toUnits(arrival - (jobs[i - 1]?.arrival ?? 0)))
    const n = gaps.length
    near(mean(gaps) * perMinute, 1, 1 / Math.sqrt(n), `${what}, mean gap`)
    // the delta method of services, with the moments 1, 2, 6, 24
    const spread = mean(gaps.map((x) => x * x)) / (mean(gaps) * mean(gaps)) - 1
    near(spread, 1, Math.sqrt(4 / n), `${what}, CV squared`)
    const late = gaps.filter((gap) => gap * perMinute > 2).length
    share(late, n, Math.exp(-2), `${what}, gaps beyond two means`)
    const centred = gaps.map((gap) => gap * perMinute - 1)
    near(mean(centred.slice(1).map((x, i) => x * (centred[i] ?? 0))), 0, 1 / Math.sqrt(n), `${what}, neighbours`)
  }
  const rate = (0.9 * 128) / 1737.5
  poisson(JOBS, rate, 'all')
  const own = JOBS.filter(({ user }) => user === 'u3')
  poisson(own, rate / 10, 'u3')
  poisson(ofClass(own, PAPER[1]), (rate / 10) * 0.2, 'class 2 of u3')
})

test('a job depends on seed and number alone', () => {
  const some = JOBS.slice(0, 300)
  const span = toUnits(((JOBS[299]?.arrival ?? 0) + (JOBS[300]?.arrival ?? 0)) / 2)
  assert.equal(generateEconomyJobs({ ...base, span }), some, 'a shorter span has the same jobs up to its end')
  assert.equal(
    generateEconomyJobs({ ...base, span, users: 3 }).map((job) => ({ ...job, user: '' })),
    some.map((job) => ({ ...job, user: '' })),
    'the number of users only decides on the user of a job',
  )
  const half = generateEconomyJobs({ ...base, load: 0.45 }).slice(0, 300)
  for (const [i, { arrival, ...job }] of half.entries()) {
    const { arrival: before = 0, ...same } = some[i] ?? {}
    assert.equal(job, same)
    assert.ok(Math.abs(arrival - 2 * before) <= 2, 'half the load doubles the gaps')
  }
  assert.is.not(generateEconomyJobs({ ...base, seed: 2, span })[0]?.service, some[0]?.service)
})

test('a shortest service raises shorter ones and leaves the others; no service is 0', () => {
  const floored = generateEconomyJobs({ ...base, tmin: 1, span: 100_000 })
  assert.ok(JOBS.some(({ service }) => service < 1_000_000))
  assert.equal(
    floored.map(({ service }) => service),
    JOBS.slice(0, floored.length).map(({ service }) => Math.max(1_000_000, service)),
  )
  assert.equal(generateEconomyJobs({ ...withoutFloor, span: 100_000 }), floored, 'one minute is the default')
  assert.ok(JOBS.every(({ service }) => service >= 1))
})

test('ids number the jobs in order of arrival', () => {
  assert.ok(JOBS.every(({ id, arrival }, i) => id === i && arrival >= (JOBS[i - 1]?.arrival ?? 0)))
  assert.ok(JOBS.every(({ arrival }) => toUnits(arrival) <= base.span))
})

test('arguments that give no jobs in order are refused', () => {
  const refused = (wrong: Partial<Generated>, text: string): void =>
    throwsSaying(() => generateEconomyJobs({ ...base, ...wrong }), text)
  refused({ processors: 0 }, 'needs a whole number of processors >= 1, not 0')
  refused({ processors: 1.5 }, 'needs a whole number of processors >= 1, not 1.5')
  refused({ users: 0 }, 'needs a whole number of users >= 1, not 0')
  refused({ load: 0 }, 'needs a load > 0, not 0')
  refused({ load: Number.NaN }, 'needs a load > 0, not NaN')
  refused({ load: Number.POSITIVE_INFINITY }, 'about 1000000 jobs or fewer, not Infinity')
  refused({ span: -1 }, 'needs a span of 0 to 1000000000 minutes, not -1')
  refused({ span: 1e9 }, 'needs a load and span that give about 1000000 jobs or fewer')
  refused({ tmin: -1 }, 'needs a shortest service of 0 to 1000000000 minutes, not -1')
  assert.equal(generateEconomyJobs({ ...base, span: 0 }), [])
})

test.run()
