/** BUDDY and EQUI-EPOCH: schedules of jobs with a minimum number of processors. */

import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { compare, fraction, fractionText, ONE, sum, toNumber, ZERO } from '../../actors/mesh/fraction.ts'
import { isPowerOfTwo } from '../../actors/mesh/mesh.ts'
import { coverFault, textOf } from '../../actors/mesh/rectangle.ts'
import { type Block, blockOn, buddy, type Epoch, epochs, swapped, swappedBy } from '../../actors/mesh/timetable.ts'
import { throwsSaying } from '../throws.ts'
import { EPOCHS, ON_4X4, PACKED } from './golden/schedules.ts'
import { cheapestSchedule, everyMinima, fewestEpochs, largestFirst } from './golden/search.ts'

/** A block as text, such as `7(8) 0+8 1/4+1/4`: job, minimum, processors, time. */
const blockText = ({ job, minimum, x, width, y, height }: Block): string =>
  `${job}(${minimum}) ${x}+${width} ${fractionText(y)}+${fractionText(height)}`

const epochText = (minima: readonly number[]) => (one: Epoch) =>
  `${one.jobs.map((job) => minima[job]).join(' ')}: ${one.width} for ${fractionText(one.duration)}`

test('fractions are in lowest terms, and add and compare exactly', () => {
  assert.equal(fraction(6, -4), { numerator: -3, denominator: 2 })
  assert.is(fractionText(sum(fraction(1, 3), fraction(1, 6))), '1/2')
  assert.ok(compare(fraction(1, 3), fraction(33, 100)) > 0)
})

for (const { processors, minima, buddy: expected, cost, epochs: those, epochCost } of PACKED) {
  test(`${minima.join(' ')} on ${processors}: blocks, epochs and their cost (6.3, 6.6)`, () => {
    assert.equal(buddy(processors, minima).map(blockText), expected)
    assert.is(swapped(buddy(processors, minima)), cost)
    const all = epochs(processors, minima)
    assert.equal(all.map(epochText(minima)), those)
    assert.is(swappedBy(processors, all), epochCost)
  })
}

test('on a mesh a block is a cell of repeated halving', () => {
  const mesh = { m: 2, n: 2 }
  const ours = buddy(16, PACKED.at(-1)?.minima ?? []).map((block) => {
    const { job, minimum, y, height } = block
    return `${job}(${minimum}) ${textOf(blockOn(mesh, block))} ${fractionText(y)}+${fractionText(height)}`
  })
  assert.equal(ours, ON_4X4)
})

for (const { processors, minima, epochs: expected, fewest } of EPOCHS) {
  test(`${minima.join(' ')} on ${processors}: epochs, and the least number of epochs (6.5)`, () => {
    assert.equal(epochs(processors, minima).map(epochText(minima)), expected)
    assert.is(fewestEpochs(processors, minima), fewest)
  })
}

const anyInstance = fc
  .record({ exponent: fc.integer({ min: 0, max: 7 }), count: fc.integer({ min: 1, max: 40 }) })
  .chain(({ exponent, count }) =>
    fc.record({
      processors: fc.constant(1 << exponent),
      minima: fc.array(fc.integer({ min: 1, max: 1 << exponent }), { minLength: count, maxLength: count }),
    }),
  )

const end = ({ y, height }: Block) => sum(y, height)

test('every job has its share in one aligned block of sufficient width, and at each instant each processor has one job', () => {
  fc.assert(
    fc.property(anyInstance, ({ processors, minima }) => {
      const blocks = buddy(processors, minima)
      assert.equal(
        blocks.map(({ job }) => job).sort((one, other) => one - other),
        [...minima.keys()],
      )
      for (const { job, minimum, x, width, height } of blocks) {
        assert.is(minimum, minima[job])
        assert.ok(width >= minimum && isPowerOfTwo(width) && x % width === 0, 'width')
        assert.is(compare(height, fraction(processors, minima.length * width)), 0, 'area')
      }
      // in ticks of the smallest height, time is a second dimension of whole numbers
      const ticks =
        blocks.reduce((most, { y, height }) => Math.max(most, y.denominator, height.denominator), 1) * minima.length
      const whole = { row: 0, column: 0, rows: ticks, columns: processors }
      const cells = blocks.map(({ x, width, y, height }) => ({
        row: toNumber(y) * ticks,
        column: x,
        rows: toNumber(height) * ticks,
        columns: width,
      }))
      const rounded = cells.map((cell) => ({ ...cell, row: Math.round(cell.row), rows: Math.round(cell.rows) }))
      for (const [i, cell] of cells.entries()) assert.ok(Math.abs(cell.row - (rounded[i]?.row ?? 0)) < 1e-6)
      assert.is(coverFault(whole, rounded), null)
    }),
    { numRuns: 200 },
  )
})

test('with a power of two of jobs each block rests on one other, but the number that rest on one may be no power of two (6.7)', () => {
  fc.assert(
    fc.property(anyInstance, ({ processors, minima }) => {
      if (!isPowerOfTwo(minima.length)) return
      const blocks = buddy(processors, minima)
      for (const block of blocks.filter(({ y }) => compare(y, ZERO) > 0)) assert.is(below(blocks, block).length, 1)
    }),
  )
  const blocks = buddy(8, [1, 1, 1, 4, 4, 8, 8, 8])
  const resting = blocks.map((one) => blocks.filter((block) => below(blocks, block).includes(one)))
  assert.ok(resting.some((some) => some.map(({ width }) => width).join() === '4,2,2'))
})

const below = (blocks: readonly Block[], { x, width, y }: Block): readonly Block[] =>
  blocks.filter((one) => compare(end(one), y) === 0 && one.x < x + width && x < one.x + one.width)

for (const [processors, jobs] of [
  [2, 2],
  [4, 4],
  [4, 8],
  [8, 4],
  [8, 8],
  [16, 8],
] as const) {
  test(`no schedule in powers of two of ${jobs} jobs on ${processors} processors is cheaper than BUDDY (6.3)`, () => {
    for (const minima of everyMinima(processors, jobs)) {
      assert.is(swapped(buddy(processors, minima)), cheapestSchedule(processors, minima), minima.join(' '))
    }
  })
}

for (const processors of [1, 2, 4, 8, 16]) {
  test(`no choice of epochs on ${processors} processors needs fewer epochs, for up to 8 jobs (6.5.2)`, () => {
    for (let jobs = 1; jobs <= 8; jobs++) {
      for (const minima of everyMinima(processors, jobs)) {
        assert.is(epochs(processors, minima).length, fewestEpochs(processors, minima), minima.join(' '))
      }
    }
  })
}

test('a single epoch exchanges nothing, and neither does BUDDY for the same jobs', () => {
  const minima = [1, 2, 2, 1]
  assert.is(swappedBy(8, epochs(8, minima)), 0)
  assert.is(swapped(buddy(8, minima)), 0)
})

test('epochs give every job its share and its minimum of processors, on any machine', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }).chain((processors) =>
        fc.record({
          processors: fc.constant(processors),
          minima: fc.array(fc.integer({ min: 1, max: processors }), { minLength: 1, maxLength: 20 }),
        }),
      ),
      ({ processors, minima }) => {
        const all = epochs(processors, minima)
        assert.equal(
          all.flatMap(({ jobs }) => jobs).sort((one, other) => one - other),
          [...minima.keys()],
        )
        assert.is(compare(all.map(({ duration }) => duration).reduce(sum, ZERO), ONE), 0)
        for (const { jobs, width, duration } of all) {
          assert.is(width * jobs.length, processors)
          assert.ok(jobs.every((job) => (minima[job] ?? 0) <= width))
          assert.is(compare(duration, fraction(jobs.length, minima.length)), 0)
        }
      },
    ),
  )
})

test('largest minima first would need three epochs where smallest minima first need two (6.5.2)', () => {
  assert.is(epochs(16, [4, 4, 4, 4, 8]).length, 2)
  assert.is(largestFirst(16, [4, 4, 4, 4, 8]), 3)
})

test('minima that do not fit are refused', () => {
  throwsSaying(() => buddy(12, [1]), 'the number of processors must be a power of two, but is 12')
  throwsSaying(() => buddy(8, [1, 9]), 'the minimum of job 1 must be from 1 to 8 processors, but is 9')
  throwsSaying(() => epochs(12, [13]), 'the minimum of job 0 must be from 1 to 12 processors, but is 13')
  throwsSaying(() => epochs(12, [0.5]), 'the minimum of job 0 must be from 1 to 12 processors, but is 0.5')
  assert.equal(buddy(8, []), [])
  assert.equal(epochs(8, []), [])
})

test.run()
