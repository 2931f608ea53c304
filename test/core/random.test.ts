import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { normalQuantile } from '../../lib/core/normal-quantile.ts'
import {
  exponential,
  hyperexponential,
  idFrom,
  keyed,
  keyedDraws,
  mix,
  normal,
  splitMix64,
  stream,
  type Uniform,
  uniform,
} from '../../lib/core/random.ts'
import { throwsSaying } from '../throws.ts'

const COUNT = 100_000
const numbers = (next: (i: number) => number, count = COUNT): number[] =>
  Array.from({ length: count }, (_, i) => next(i))
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length

/** Correlation of two series of uniform numbers; its standard error is 1 / sqrt(length). */
const correlation = (a: readonly number[], b: readonly number[]): number =>
  12 * mean(a.map((x, i) => (x - 0.5) * ((b[i] ?? 0.5) - 0.5)))

const chiSquare = (values: readonly number[], cells: number): number => {
  const counts = new Array<number>(cells).fill(0)
  for (const u of values) {
    const cell = Math.floor(u * cells)
    counts[cell] = (counts[cell] ?? 0) + 1
  }
  const expected = values.length / cells
  return counts.reduce((sum, n) => sum + ((n - expected) * (n - expected)) / expected, 0)
}

/** All bounds are 4.5 standard errors: one false alarm in about 150,000 checks, and the seeds are fixed anyway. */
const looksUniform = (values: readonly number[], name: string, bits = 53): void => {
  const error = 4.5 / Math.sqrt(values.length)
  const cells = 256
  assert.ok(Math.abs(mean(values) - 0.5) < error * Math.sqrt(1 / 12), `${name}: mean ${mean(values)}`)
  const square = mean(values.map((u) => (u - 0.5) * (u - 0.5)))
  assert.ok(Math.abs(square - 1 / 12) < error * Math.sqrt(1 / 180), `${name}: variance ${square}`)
  const lag = correlation(values, values.slice(1))
  assert.ok(Math.abs(lag) < error, `${name}: lag-1 correlation ${lag}`)
  const high = Math.abs(chiSquare(values, cells) - (cells - 1)) / Math.sqrt(2 * (cells - 1))
  assert.ok(high < 4.5, `${name}: high bits, chi-square off by ${high} standard deviations`)
  const shift = bits === 53 ? 35_184_372_088_832 : 16_777_216
  const shifted = values.map((u) => (u * shift) % 1)
  const low = Math.abs(chiSquare(shifted, cells) - (cells - 1)) / Math.sqrt(2 * (cells - 1))
  assert.ok(low < 4.5, `${name}: low bits, chi-square off by ${low} standard deviations`)
}

test('keyed draws are uniform and uncorrelated over neighbouring keys, for neighbouring seeds', () => {
  for (const seed of [0, 1, 2, 3]) {
    looksUniform(
      numbers((key) => keyed(seed, 'work', key)),
      `seed ${seed}, numbers`,
    )
    looksUniform(
      numbers((key) => keyed(seed, 'work', `t${key}`)),
      `seed ${seed}, texts`,
    )
  }
})

test('keyed draws are uniform over neighbouring seeds and over ordinals', () => {
  looksUniform(
    numbers((seed) => keyed(seed, 'work', 1)),
    'seeds',
  )
  looksUniform(numbers(keyedDraws(1, 'work', 1)), 'ordinals')
})

test('keyed draws of two seeds, purposes or ordinals are uncorrelated', () => {
  const base = numbers((key) => keyed(1, 'work', key))
  const others = {
    'seed 0': numbers((key) => keyed(0, 'work', key)),
    'seed 2': numbers((key) => keyed(2, 'work', key)),
    'seed 3': numbers((key) => keyed(3, 'work', key)),
    purpose: numbers((key) => keyed(1, 'worl', key)),
    ordinal: numbers((key) => keyed(1, 'work', key, 1)),
    text: numbers((key) => keyed(1, 'work', String(key))),
  }
  for (const [name, other] of Object.entries(others))
    assert.ok(Math.abs(correlation(base, other)) < 4.5 / Math.sqrt(COUNT), name)
})

test('a keyed draw depends on its arguments alone, and never changes between versions', () => {
  const first = keyed(1, 'work', 17)
  keyed(2, 'other', 'x')
  assert.is(keyed(1, 'work', 17), first)
  assert.equal(
    [keyed(0, 'work', 0), keyed(1, 'work', 'contractor@m1'), keyed(-5, '', 2.5), mix(1, 2, 3), stream(1, 'arrivals')()],
    [0.09256707222285876, 0.08788742358958557, 0.5700060594045565, 4220201068, 0.7047969817988151],
  )
})

test('a keyed draw of any arguments lies in [0, 1)', () => {
  fc.assert(
    fc.property(
      fc.double(),
      fc.string(),
      fc.oneof(fc.string(), fc.double(), fc.integer()),
      fc.nat(),
      (seed, purpose, key, n) => {
        const u = keyed(seed, purpose, key, n)
        return u >= 0 && u < 1
      },
    ),
  )
})

test('arguments of a draw are kept apart: a, bc and ab, c give different draws', () => {
  const draws = [
    keyed(1, 'ab', 'c'),
    keyed(1, 'a', 'bc'),
    keyed(1, 'abc', ''),
    keyed(1, '', 'abc'),
    keyed(1, 'ab', 1),
    keyed(1, 'ab', '1'),
    keyed(1, 'ab', 1, 1),
    keyed(1, 'ab', 1 + 4_294_967_296),
    keyed(1, 'ab', -1),
    keyed(1 + 4_294_967_296, 'ab', 1),
  ]
  assert.is(new Set(draws).size, draws.length)
})

test('a million keys give a million different draws', () => {
  const seen = new Set<number>()
  for (let key = 0; key < 1_000_000; key++) seen.add(keyed(1, 'work', key))
  assert.is(seen.size, 1_000_000)
})

test('mix spreads message orders evenly in every argument, and the order of arguments counts', () => {
  const fraction = (n: number): number => n / 4_294_967_296
  looksUniform(
    numbers((i) => fraction(mix(i, 0, 0, 1, 2))),
    'schedule',
    32,
  )
  looksUniform(
    numbers((i) => fraction(mix(1, i * 1_000_000, 0, 1, 2))),
    'instant',
    32,
  )
  looksUniform(
    numbers((i) => fraction(mix(1, 9_000_000_000, i, 1, 2))),
    'round',
    32,
  )
  looksUniform(
    numbers((i) => fraction(mix(1, 0, 0, i % 317, Math.floor(i / 317)))),
    'pairs',
    32,
  )
  assert.is.not(mix(1, 2), mix(2, 1))
  assert.is.not(mix(1), mix(1, 0))
})

test('mix puts two senders in either order about equally often', () => {
  const first = numbers((instant) => (mix(1, instant, 0, 1, 9) < mix(1, instant, 0, 2, 9) ? 1 : 0))
  assert.ok(Math.abs(mean(first) - 0.5) < (4.5 * 0.5) / Math.sqrt(COUNT))
})

test('streams are uniform from their first number, differ by seed and purpose, and can be repeated', () => {
  for (const seed of [0, 1, 2, 3]) looksUniform(numbers(stream(seed, 'arrivals')), `stream ${seed}`)
  looksUniform(
    numbers((seed) => stream(seed, 'arrivals')(), 20_000),
    'first numbers',
  )
  const firsts = [0, 1, 2, 3].flatMap((seed) => [stream(seed, 'arrivals')(), stream(seed, 'work')()])
  assert.is(new Set(firsts).size, 8)
  assert.equal(numbers(stream(7, 'x'), 100), numbers(stream(7, 'x'), 100))
})

test('SplitMix64 gives its published numbers', () => {
  const next = splitMix64(1n)
  assert.equal([next(), next(), next()], [10451216379200822465n, 13757245211066428519n, 17911839290282890590n])
})

test('ids have ten characters of the URL alphabet, every character equally often, and differ', () => {
  const ids = numbers((i) => i, 20_000).map((i) => idFrom(keyedDraws(1, 'id', i)))
  assert.ok(ids.every((id) => /^[\w-]{10}$/.test(id)))
  assert.is(new Set(ids).size, ids.length)
  assert.is(new Set(ids.join('')).size, 64)
  assert.is(idFrom(keyedDraws(1, 'id', 3)), ids[3])
})

const moments = (draw: (u: number) => number, next: Uniform): { mean: number; cv2: number } => {
  const values = numbers(() => draw(next()), 400_000)
  const m = mean(values)
  return { mean: m, cv2: mean(values.map((x) => (x - m) * (x - m))) / (m * m) }
}

test('each distribution has the stated mean and spread', () => {
  const e = moments((u) => exponential(u, 60), stream(1, 'e'))
  assert.ok(Math.abs(e.mean - 60) < 0.45 && Math.abs(e.cv2 - 1) < 0.03, JSON.stringify(e))
  const u = moments((x) => uniform(x, 0, 2), stream(1, 'u'))
  assert.ok(Math.abs(u.mean - 1) < 0.005 && Math.abs(u.cv2 - 1 / 3) < 0.005, JSON.stringify(u))
  const n = moments((x) => normal(x, 60, 15), stream(1, 'n'))
  assert.ok(Math.abs(n.mean - 60) < 0.12 && Math.abs(n.cv2 - 1 / 16) < 0.001, JSON.stringify(n))
  const h = moments((x) => hyperexponential(x, 60), stream(1, 'h'))
  assert.ok(Math.abs(h.mean - 60) < 0.9 && Math.abs(h.cv2 - 4) < 0.25, JSON.stringify(h))
})

test('distributions stay finite and in range at the ends of [0, 1)', () => {
  const last = 1 - Number.EPSILON / 2
  for (const u of [0, last])
    for (const x of [exponential(u, 60), hyperexponential(u, 60), uniform(u, 0, 2)])
      assert.ok(Number.isFinite(x) && x >= 0, `${u}`)
  assert.is(exponential(0, 60) + 0, 0)
  assert.ok(normal(0, 0, 1) < -8.2 && normal(0, 0, 1) > -8.3 && normal(last, 0, 1) > 8.2 && normal(last, 0, 1) < 8.3)
  const p = (1 + Math.sqrt(3 / 5)) / 2
  assert.ok(Number.isFinite(hyperexponential(p - Number.EPSILON / 2, 60)) && hyperexponential(p, 60) === 0)
})

/** Quantiles from Python 3.11, `statistics.NormalDist().inv_cdf`. */
const QUANTILES = [
  [5.551115123125783e-17, -8.292361075813595],
  [1e-12, -7.034483825301132],
  [1e-6, -4.753424308822899],
  [0.001, -3.090232306167813],
  [0.02425, -1.9729610513118845],
  [0.074, -1.4466320671589785],
  [0.076, -1.4325027208258114],
  [0.1, -1.2815515655446008],
  [0.425, -0.1891184262727925],
  [0.5, 0.0],
  [0.8, 0.8416212335729144],
  [0.924, 1.4325027208258119],
  [0.926, 1.4466320671589785],
  [0.975, 1.9599639845400536],
  [0.9999, 3.7190164854557084],
  [0.9999999999999999, 8.209536151601386],
] as const

test('quantiles of the normal distribution are exact to the last digits, in the middle and in the tails', () => {
  for (const [p, z] of QUANTILES) {
    const ours = normalQuantile(p)
    assert.ok(Math.abs(ours - z) <= 4e-16 * Math.max(1, Math.abs(z)), `${p}: ${ours}, expected ${z}`)
  }
  assert.equal([normalQuantile(0), normalQuantile(1)], [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
})

test('a spread that a hyperexponential cannot have is refused', () => {
  throwsSaying(() => hyperexponential(0.5, 60, 0.5), 'cv2 must be >= 1, not 0.5')
})

test.run()
