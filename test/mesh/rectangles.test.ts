/** Rectangles and meshes: text, neighbours, halves, and partitions of the machine. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cutsOf, halvesOf, type Mesh, meshOf, meshText, SIDE_MAX, wholeOf } from '../../actors/mesh/mesh.ts'
import {
  areaOf,
  areEqual,
  contains,
  coverFault,
  joined,
  overlap,
  type Rectangle,
  rectangleOf,
  textOf,
  touch,
  transposed,
} from '../../actors/mesh/rectangle.ts'

function of(text: string): Rectangle {
  const rectangle = rectangleOf(text)
  assert.ok(rectangle, text)
  return rectangle
}

const anyRectangle = fc.record({
  row: fc.nat(6),
  column: fc.nat(6),
  rows: fc.integer({ min: 1, max: 6 }),
  columns: fc.integer({ min: 1, max: 6 }),
})

/** The processors of a rectangle as `row,column`. */
function processorsIn({ row, column, rows, columns }: Rectangle): string[] {
  return Array.from({ length: rows * columns }, (_, i) => `${row + Math.floor(i / columns)},${column + (i % columns)}`)
}

const next = (text: string): string[] => {
  const [row = 0, column = 0] = text.split(',').map(Number)
  return [`${row + 1},${column}`, `${row - 1},${column}`, `${row},${column + 1}`, `${row},${column - 1}`]
}

test('the text of a rectangle is read back as the same rectangle', () => {
  assert.equal(of('8,0 8x16'), { row: 8, column: 0, rows: 8, columns: 16 })
  fc.assert(fc.property(anyRectangle, (one) => assert.ok(areEqual(of(textOf(one)), one))))
  for (const text of ['', '0,0 0x4', '0,0 4', '-1,0 4x4', '0,0 4x4 ', '0, 0 4x4'])
    assert.is(rectangleOf(text), null, text)
})

test('rectangles overlap and touch exactly as their processors do', () => {
  fc.assert(
    fc.property(anyRectangle, anyRectangle, (one, other) => {
      const [all, others] = [processorsIn(one), new Set(processorsIn(other))]
      const isShared = all.some((processor) => others.has(processor))
      assert.is(overlap(one, other), isShared)
      assert.is(
        contains(other, one),
        all.every((processor) => others.has(processor)),
      )
      assert.is(
        touch(one, other),
        !isShared && all.some((processor) => next(processor).some((beside) => others.has(beside))),
      )
      assert.is(areEqual(one, other), textOf(one) === textOf(other))
      const both = joined(one, other)
      if (both) assert.equal(processorsIn(both).sort(), [...all, ...others].sort())
    }),
  )
})

test('two rectangles form one rectangle if they share a whole side', () => {
  assert.equal(joined(of('0,0 2x4'), of('2,0 1x4')), of('0,0 3x4'))
  assert.equal(joined(of('0,4 2x1'), of('0,0 2x4')), of('0,0 2x5'))
  assert.is(joined(of('0,0 2x4'), of('2,0 1x3')), null)
  assert.is(joined(of('0,0 2x2'), of('2,2 2x2')), null)
  assert.is(joined(of('0,0 2x2'), of('3,0 2x2')), null)
})

test('a partition of the machine has every processor exactly once', () => {
  const whole = of('0,0 4x4')
  assert.is(coverFault(whole, [of('0,0 4x2'), of('0,2 2x2'), of('2,2 2x2')]), null)
  assert.is(coverFault(whole, [of('0,0 4x2'), of('0,2 2x2')]), '2,2 is in none')
  assert.is(coverFault(whole, [of('0,0 4x4'), of('3,3 1x1')]), '3,3 is in 0,0 4x4 and in 3,3 1x1')
  assert.is(coverFault(whole, [of('0,0 4x5')]), '0,0 4x5 is not within 0,0 4x4')
  assert.is(coverFault(of('2,0 2x4'), [of('2,0 2x3')]), '2,3 is in none')
})

test('transposing exchanges rows and columns', () => {
  assert.equal(transposed(of('1,2 3x4')), of('2,1 4x3'))
})

test('a mesh has powers of two on its sides', () => {
  assert.equal(meshOf('16x8'), { m: 4, n: 3 })
  assert.is(meshText({ m: 0, n: 5 }), '1x32')
  assert.equal(meshOf(`${SIDE_MAX}x1`), { m: 10, n: 0 })
  for (const text of ['', '16', '15x16', '16x0', '16x16x16', ' 16x16', `${2 * SIDE_MAX}x2`])
    assert.is(meshOf(text), null, text)
})

const cut = (mesh: Mesh) =>
  cutsOf(mesh, mesh.m + mesh.n)
    .map((dimension) => dimension[0])
    .join('')

test('cuts halve the long side and the other in turn, until a side has length 1', () => {
  assert.is(cut({ m: 2, n: 2 }), 'rcrc')
  assert.is(cut({ m: 1, n: 3 }), 'crcc')
  assert.is(cut({ m: 3, n: 0 }), 'rrr')
})

test('two halves form the whole rectangle', () => {
  const whole = wholeOf({ m: 2, n: 3 })
  assert.equal(halvesOf(whole, 'rows').map(textOf), ['0,0 2x8', '2,0 2x8'])
  assert.equal(halvesOf(whole, 'columns').map(textOf), ['0,0 4x4', '0,4 4x4'])
  assert.is(areaOf(whole), 32)
})

test.run()
