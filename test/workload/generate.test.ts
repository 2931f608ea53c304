import { mean, sampleVariance } from 'simple-statistics'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toUnits } from '../../lib/core/time.ts'
import { type Generated, generateJobs } from '../../lib/workload/generate.ts'
import { dealtInTurn, type Job, withClients } from '../../lib/workload/job.ts'
import { throwsSaying } from '../throws.ts'

const SPEEDS = [4, 1, 1, 1, 1]
const base: Generated = { seed: 1, tasks: 50_000, load: 0.5, speeds: SPEEDS, errors: 'perfect' }
const inUnits = (jobs: readonly Job[], field: 'work' | 'estimate' | 'arrival'): number[] =>
  jobs.map((job) => toUnits(job[field]))
const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) < tolerance, `expected ${expected} ± ${tolerance}, got ${actual}`)

/** Squared coefficient of variation. */
const spread = (values: number[]): number => sampleVariance(values) / (mean(values) * mean(values))

test('arrivals are Poisson at the rate that offers the load', () => {
  const arrivals = inUnits(generateJobs(base), 'arrival')
  const gaps = arrivals.map((arrival, i) => arrival - (arrivals[i - 1] ?? 0))
  near(mean(gaps), 60 / (0.5 * 8), 0.3)
  near(spread(gaps), 1, 0.06)
  assert.ok(gaps.every((gap) => gap >= 0))
})

test('work and estimates have the means and spreads of each error model', () => {
  const perfect = generateJobs(base)
  assert.ok(perfect.every(({ work, estimate }) => work === estimate))
  near(mean(inUnits(perfect, 'work')), 60, 1.2)
  near(spread(inUnits(perfect, 'work')), 1, 0.06)

  const gen = generateJobs({ ...base, errors: 'gen' })
  near(mean(inUnits(gen, 'work')), 60, 1.6)
  near(spread(inUnits(gen, 'work')), 5 / 3, 0.15)
  near(spread(inUnits(gen, 'estimate')), 1, 0.06)

  const mult = generateJobs({ ...base, errors: 'mult' })
  near(spread(inUnits(mult, 'work')), 1, 0.06)
  near(spread(inUnits(mult, 'estimate')), 5 / 3, 0.15)
  assert.ok(mult.every(({ work, estimate }) => estimate >= 0 && estimate <= 2 * work + 1))
})

test('a job depends only on seed and number: more tasks add jobs and change none', () => {
  const few = generateJobs({ ...base, tasks: 100 })
  assert.equal(generateJobs({ ...base, tasks: 200 }).slice(0, 100), few)
  assert.is(few[0]?.id, 't1')
  assert.is.not(generateJobs({ ...base, tasks: 1, seed: 2 })[0]?.work, few[0]?.work)
})

test('load and speeds stretch the arrivals and leave work and estimates alone', () => {
  const slow = generateJobs({ ...base, tasks: 1000, errors: 'mult' })
  const fast = generateJobs({ ...base, tasks: 1000, errors: 'mult', load: 0.8, speeds: [5] })
  for (const [i, job] of slow.entries()) {
    assert.is(fast[i]?.work, job.work)
    assert.is(fast[i]?.estimate, job.estimate)
    near(fast[i]?.arrival ?? 0, job.arrival, 2)
  }
})

test('a load or speeds without arrivals are refused', () => {
  for (const wrong of [{ load: 0 }, { speeds: [] }, { load: -1 }, { load: Number.NaN }])
    throwsSaying(() => generateJobs({ ...base, ...wrong }), 'the load and the speeds must be > 0')
})

test('clients get about equal shares under any names, and the jobs stay the same', () => {
  const jobs = generateJobs({ ...base, tasks: 10_000 })
  const two = withClients(jobs, ['c1', 'c2'], 1)
  near(two.filter(({ client }) => client === 'c1').length, 5000, 250)
  const stripped = two.map(({ client, ...job }) => job)
  assert.equal(stripped, jobs)
  assert.equal(withClients(jobs, ['c1', 'c2'], 1), two)
})

test('clients take turns if they shall, but for the jobs that the workload gives to one', () => {
  const [one, two, three] = generateJobs({ ...base, tasks: 3 })
  if (!one || !two || !three) throw new Error('there must be three jobs')
  const dealt = dealtInTurn([one, { ...two, client: 'c9' }, three], ['c1', 'c2'])
  assert.equal(
    dealt.map(({ client }) => client),
    ['c1', 'c9', 'c2'],
  )
  throwsSaying(() => dealtInTurn([one], []), 'at least one client')
})

test('a client that the workload names is kept', () => {
  const job = { id: 'a', arrival: 0, work: 1, estimate: 1, client: 'c9' }
  assert.equal(withClients([job], ['c1'], 1), [job])
  throwsSaying(() => withClients([{ id: 'a', arrival: 0, work: 1, estimate: 1 }], [], 1), 'at least one client')
})

test.run()
