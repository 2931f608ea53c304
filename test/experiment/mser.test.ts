import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stream } from '../../lib/core/random.ts'
import { acrossReplications, mser5 } from '../../lib/experiment/mser.ts'
import { throwsSaying } from '../throws.ts'
import { golden, mm1Waits, take } from './queues.ts'

const test = suite('mser-5')
const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `expected ${expected}, got ${actual}`)

/** A warm-up bias of `height` that fades. */
const fading = (values: readonly number[], height: number, length: number): number[] =>
  values.map((value, i) => value + height * Math.exp(-i / length))

test('cut and z of a fading bias in an M/M/1 queue agree with the golden numbers', () => {
  const { drop, z } = mser5(fading(take(2000, mm1Waits(0.5, golden(1n))), 10, 40))
  assert.is(drop, 85)
  near(z, 0.002819047738509, 1e-14)
})

test('z is the sum of squares over the squared number of remaining batches', () => {
  const values = take(200, stream(5, 'z'))
  const { drop, z } = mser5(values)
  assert.ok(drop !== null)
  const means = Array.from({ length: 40 }, (_, i) => values.slice(5 * i, 5 * i + 5).reduce((a, b) => a + b) / 5)
  const left = means.slice((drop ?? 0) / 5)
  const mean = left.reduce((a, b) => a + b) / left.length
  near(z, left.reduce((sum, y) => sum + (y - mean) * (y - mean), 0) / (left.length * left.length), 1e-15)
})

test('a run that settles in its second half is too short for a decision', () => {
  const values = take(1000, stream(2, 'late')).map((value, i) => (i < 700 ? 100 : 0) + value)
  assert.is(mser5(values).drop, null)
})

test('the last batches are never a cut, even if they are alike', () => {
  const values = [...take(480, stream(4, 'alike')), ...new Array<number>(20).fill(0.5)]
  assert.ok((mser5(values).drop ?? 500) < 250)
})

test('values that never vary have no warm-up, and too few are refused', () => {
  assert.equal(mser5(new Array<number>(40).fill(3)), { drop: 0, z: 0 })
  throwsSaying(() => mser5(take(19, () => 1)), '20 or more observations, not 19')
})

test('replications are judged by the mean at each index, up to the shortest one', () => {
  const average = acrossReplications([
    [1, 2, 3],
    [3, 4],
  ])
  assert.equal(average, [2, 3])
  assert.equal(acrossReplications([]), [])
  const runs = Array.from({ length: 20 }, (_, r) => fading(take(1000, stream(r, 'runs')), 3, 30))
  const { drop } = mser5(acrossReplications(runs))
  assert.ok(drop !== null && drop >= 60 && drop <= 300, String(drop))
})

test.run()
