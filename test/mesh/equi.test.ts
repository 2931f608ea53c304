/** EQUI: the partitions of every number of jobs, on every mesh. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dealt, EQUI_RULES, type EquiRules, equi, sharesOf } from '../../actors/mesh/equi.ts'
import { largestLoad, simple, snake } from '../../actors/mesh/mapping.ts'
import { isPowerOfTwo, type Mesh, meshText, processorsOf, wholeOf } from '../../actors/mesh/mesh.ts'
import { areaOf, coverFault, textOf } from '../../actors/mesh/rectangle.ts'
import { sampled } from '../repeats.ts'
import { throwsSaying } from '../throws.ts'
import { NEVER_DOUBLED, ON_8X8, ON_16X16, SHARES, TIES_TO_REGULAR } from './golden/equi.ts'

const SQUARE: Mesh = { m: 4, n: 4 }

const FAMILIES = [
  { name: '16x16', mesh: SQUARE, rules: EQUI_RULES.standard, expected: ON_16X16 },
  { name: '8x8', mesh: { m: 3, n: 3 }, rules: EQUI_RULES.standard, expected: ON_8X8 },
  { name: '16x16, never doubled', mesh: SQUARE, rules: EQUI_RULES.R, expected: NEVER_DOUBLED },
  { name: '16x16, ties to the regular section', mesh: SQUARE, rules: EQUI_RULES.H, expected: TIES_TO_REGULAR },
] as const

const text = (mesh: Mesh, jobs: number, rules?: EquiRules) => equi(mesh, jobs, rules).map(textOf).join(' | ')

for (const { name, mesh, rules, expected } of FAMILIES) {
  test(`${name}: the partitions are those of the specification`, () => {
    assert.ok(Object.keys(expected).length > 2)
    for (const [jobs, partitions] of Object.entries(expected))
      assert.is(text(mesh, Number(jobs), rules), partitions, jobs)
  })
}

test('the two variants differ from the rule for these numbers of jobs up to 32 and no others', () => {
  for (let jobs = 1; jobs <= 32; jobs++) {
    assert.is(text(SQUARE, jobs, EQUI_RULES.R) !== text(SQUARE, jobs), jobs in NEVER_DOUBLED, `R ${jobs}`)
    assert.is(text(SQUARE, jobs, EQUI_RULES.H) !== text(SQUARE, jobs), jobs in TIES_TO_REGULAR, `H ${jobs}`)
  }
})

/** The shapes of the partitions with their counts, such as `2*8x10,1*16x6`. */
function shapesOf(jobs: number): string {
  const shapes = new Map<string, number>()
  for (const { rows, columns } of equi(SQUARE, jobs)) {
    const shape = `${rows}x${columns}`
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1)
  }
  return [...shapes].map(([shape, count]) => `${count}*${shape}`).join()
}

test('the partitions of 1 to 32 jobs are derived as the specification says', () => {
  assert.is(SHARES.length, 32)
  for (const expected of SHARES) {
    const jobs = Number(expected['jobs'])
    const ours = sharesOf(SQUARE, jobs)
    const { x, y, w, zg, zm, leftover, columns, remainder } = ours
    const most = (mapping: typeof simple) =>
      Math.max(...equi(SQUARE, jobs).map((one) => largestLoad(mapping, SQUARE, one)))
    const got = { jobs, bands: ours.bands, x, y, w, zg, zm, left: leftover, columns, remainder, shapes: shapesOf(jobs) }
    const all = { ...got, simple: most(simple), snake: most(snake) }
    assert.equal(
      Object.entries(all).map(([name, value]) => [name, String(value)]),
      Object.entries(expected),
    )
  }
})

test('11 jobs: 8 are in two columns of four, 3 in the remainder; 5 and 4 columns are certain, 2 are left over (4.3.1)', () => {
  const { x, y, w, zg, zm, leftover } = sharesOf(SQUARE, 11)
  assert.equal([y << x, y, w], [8, 2, 3])
  assert.equal([zg, zm, leftover], [5, 4, 2])
})

test('11 jobs: the remainder has 5x4, 5x4 and 6x4, where 4.3.1 prints 5x6, 5x6 and 4x6, of 276 processors in all', () => {
  assert.is(shapesOf(11), '8*4x6,2*5x4,1*6x4')
  assert.is(8 * 24 + 2 * 30 + 24, 276)
})

test('13 jobs have partitions of 4x5 (figure 4.3)', () => assert.ok(shapesOf(13).split(',').includes('8*4x5')))

const MESHES: readonly Mesh[] = sampled(Array.from({ length: 36 }, (_, i) => ({ m: Math.floor(i / 6), n: i % 6 })))

test('on every mesh up to 32x32 every number of jobs gets disjoint partitions that cover it', () => {
  for (const mesh of MESHES) {
    for (let jobs = 1; jobs <= processorsOf(mesh); jobs++) {
      const partitions = equi(mesh, jobs)
      const where = `${jobs} jobs on ${meshText(mesh)}`
      assert.is(partitions.length, jobs, where)
      assert.is(coverFault(wholeOf(mesh), partitions), null, where)
    }
  }
})

test('a side of every partition is a power of two on every mesh up to 32x32', () => {
  for (const mesh of MESHES) {
    for (let jobs = 1; jobs <= processorsOf(mesh); jobs++) {
      for (const one of equi(mesh, jobs)) {
        assert.ok(
          isPowerOfTwo(one.rows) || isPowerOfTwo(one.columns),
          `${jobs} jobs on ${meshText(mesh)}: ${textOf(one)}`,
        )
      }
    }
  }
})

test('a power of two of jobs have equal shares', () => {
  for (const mesh of MESHES) {
    for (let jobs = 1; jobs <= processorsOf(mesh); jobs *= 2) {
      assert.ok(
        equi(mesh, jobs).every((one) => areaOf(one) === processorsOf(mesh) / jobs),
        `${jobs} on ${meshText(mesh)}`,
      )
    }
  }
})

test('on 8x16 a partition is 1.52 times as long as it is wide, on average of 2 to 32 jobs', () => {
  const ratios = Array.from({ length: 31 }, (_, i) => equi({ m: 3, n: 4 }, i + 2))
    .flat()
    .map(({ rows, columns }) => Math.max(rows, columns) / Math.min(rows, columns))
  assert.is((ratios.reduce((sum, one) => sum + one, 0) / ratios.length).toFixed(2), '1.52')
})

test('more jobs than processors, or no jobs, are refused', () => {
  throwsSaying(() => equi({ m: 1, n: 1 }, 5), '2x2 holds 1 to 4 jobs, not 5')
  throwsSaying(() => equi({ m: 1, n: 1 }, 0), '2x2 holds 1 to 4 jobs, not 0')
  throwsSaying(() => equi({ m: 1, n: 1 }, 1.5), '2x2 holds 1 to 4 jobs, not 1.5')
})

test('the newest jobs have the last partitions, unless they are assigned at random', () => {
  assert.equal(
    dealt(['a', 'b', 'c'], 'arrival', () => 0),
    ['a', 'b', 'c'],
  )
  const draws = [0.1, 0.9, 0.4]
  assert.equal(
    dealt(['a', 'b', 'c'], 'random', () => draws.shift() ?? 0),
    ['a', 'c', 'b'],
  )
})

test('assigned at random, every job has every partition equally often', () => {
  const counts = new Map<string, number>()
  for (let u = 0; u < 24; u++) {
    const draws = [(u + 0.5) / 24, ((u % 6) + 0.5) / 6, ((u % 2) + 0.5) / 2]
    const order = dealt(['a', 'b', 'c', 'd'], 'random', () => draws.shift() ?? 0).join('')
    counts.set(order, (counts.get(order) ?? 0) + 1)
  }
  assert.is(counts.size, 24)
})

test.run()
