import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exponential, keyed } from '../../lib/core/random.ts'
import { digestOf } from '../../lib/experiment/digest.ts'
import { tInterval } from '../../lib/experiment/interval.ts'
import { ratioOfSums, replicate, replicationSeed } from '../../lib/experiment/replications.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('replications')
const near = (actual: number | null, expected: number, tolerance: number): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `expected ${expected}, got ${actual}`)

/** A study with a value per replication, and a list of the requested ones. */
const experiment = (value: (r: number) => number) => {
  const asked: number[][] = []
  const run = async (replications: readonly number[]): Promise<number[]> => {
    asked.push([...replications])
    return replications.map(value)
  }
  return { asked, run }
}

test('the interval is that of the t distribution', () => {
  // variance 2.5, t(0.975, 4) = 2.776445
  const { mean, halfWidth } = tInterval([1, 2, 3, 4, 5])
  assert.is(mean, 3)
  near(halfWidth, 2.7764451051977987 * Math.sqrt(0.5), 1e-12)
  assert.equal(tInterval([7]), { mean: 7, halfWidth: null })
  throwsSaying(() => tInterval([]), 'at least one value')
  throwsSaying(() => tInterval([1, 2], 1), 'confidence must be in (0, 1), not 1')
})

test('it stops at the smallest number that is precise enough, at any parallelism', async () => {
  const value = (r: number) => exponential(keyed(9, 'value', r), 20)
  const results = []
  for (const atOnce of [1, 7, 500]) results.push(await replicate(experiment(value).run, { relative: 0.1 }, atOnce))
  const [first] = results
  assert.equal(results, [first, first, first])
  assert.ok(first?.reached && first.replications > 100)
  const n = first?.replications ?? 0
  const precise = (count: number) => {
    const { mean, halfWidth } = tInterval(Array.from({ length: count }, (_, r) => value(r)))
    return (halfWidth ?? 0) / mean <= 0.1 / 1.1
  }
  assert.ok(precise(n))
  for (let count = 10; count < n; count++) assert.not(precise(count))
})

test('at least ten replications are run, each once and in order', async () => {
  const { asked, run } = experiment((r) => 100 + (r % 2))
  const result = await replicate(run)
  assert.is(result.replications, 10)
  assert.equal(asked, [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
})

test('a cap that is reached first is reported', async () => {
  const { asked, run } = experiment((r) => (r % 2 === 0 ? 1 : -1))
  const { replications, reached } = await replicate(run, { cap: 25 })
  assert.is(replications, 25)
  assert.is(reached, false)
  assert.equal(asked.flat(), [...Array(25).keys()])
})

test('an absolute precision is a half-width', async () => {
  const value = (r: number) => keyed(1, 'absolute', r)
  const { halfWidth, replications, reached } = await replicate(experiment(value).run, { absolute: 0.05 })
  assert.ok(reached && halfWidth !== null && halfWidth <= 0.05 && replications > 100)
})

test('a precision out of range and a run that loses values are refused', async () => {
  const refused = async (precision: object, message: string) => {
    const error = await replicate(async () => [], precision).catch((reason: unknown) => reason)
    assert.match(String(error), message)
  }
  await refused({ relative: 0 }, 'precision must be > 0, not 0')
  await refused({ least: 1 }, 'least must be >= 2, not 1')
  await refused({ cap: 5 }, 'cap must be >= 10, not 5')
  await refused({}, 'the run must return 10 values, not 0')
})

test('a ratio is the ratio of sums, not the mean of ratios', () => {
  assert.is(
    ratioOfSums([
      [1, 1],
      [1, 9],
    ]),
    0.2,
  )
  assert.is(ratioOfSums([]), null)
})

test('replications have distinct arrivals, and so has the next seed', () => {
  const digests = [1, 2].flatMap((seed) =>
    Array.from({ length: 100 }, (_, r) => {
      const of = { tasks: 20, load: 0.5, speeds: [1], errors: 'perfect' } as const
      return digestOf(generateJobs({ ...of, seed: replicationSeed(seed, r) }).map(({ arrival }) => arrival))
    }),
  )
  assert.is(new Set(digests).size, 200)
})

test('the seed of a replication is valid, and differs from those of its neighbours', () => {
  const seeds = [1, 2, 3].flatMap((seed) => [0, 1, 2].map((r) => replicationSeed(seed, r)))
  assert.ok(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0))
  assert.is(new Set(seeds).size, 9)
  assert.is(replicationSeed(1, 0), replicationSeed(1, 0))
})

test('the digest of arrivals has 16 characters, and depends on order and length', () => {
  assert.match(digestOf([1, 2, 3]), /^[0-9a-f]{16}$/)
  assert.is(digestOf([1, 2, 3]), digestOf([1, 2, 3]))
  assert.is(new Set([[1, 2, 3], [1, 3, 2], [12, 3], [], [0]].map((values) => digestOf(values))).size, 5)
  throwsSaying(() => digestOf([1, 0.5]), 'the numbers must be integers, not 0.5')
})

test.run()
