/** The places of threads in a partition: the simple mapping and the snake of EQUI+. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { equi } from '../../actors/mesh/equi.ts'
import {
  largestLoad,
  leastLoad,
  loadsOf,
  type Mapping,
  placesOf,
  type Shape,
  simple,
  simpleLoad,
  snake,
  snakeOrder,
} from '../../actors/mesh/mapping.ts'
import { columnsOf, isPowerOfTwo, type Mesh, meshOf, processorsOf, rowsOf } from '../../actors/mesh/mesh.ts'
import { rectangleOf } from '../../actors/mesh/rectangle.ts'
import { throwsSaying } from '../throws.ts'
import { SIMPLE_LOADS_ON_3X5, SNAKE_LOADS, SNAKE_PLACES_ON_4X5, SNAKES } from './golden/maps.ts'

const SQUARE: Mesh = { m: 4, n: 4 }

const shape = (text: string): Shape => {
  const rectangle = rectangleOf(`0,0 ${text}`)
  assert.ok(rectangle, text)
  return rectangle
}

/** Every shape that fits on a mesh. */
const shapesOn = (mesh: Mesh): Shape[] =>
  Array.from({ length: rowsOf(mesh) * columnsOf(mesh) }, (_, i) => ({
    rows: 1 + Math.floor(i / columnsOf(mesh)),
    columns: 1 + (i % columnsOf(mesh)),
  }))

const MESHES: readonly Mesh[] = Array.from({ length: 36 }, (_, i) => ({ m: Math.floor(i / 6), n: i % 6 }))

test('8x8 threads on 3x5 have one, two or three columns and rows on a processor (2.4)', () => {
  assert.equal(loadsOf(simple, { m: 3, n: 3 }, shape('3x5')), SIMPLE_LOADS_ON_3X5)
})

test('the snake numbers threads up and down the columns, and turns with every processor row', () => {
  for (const { mesh: text, rows, order } of SNAKES) {
    const mesh = meshOf(text)
    assert.ok(mesh)
    const ours = order.map((line, i) => line.map((_, j) => snakeOrder(rowsOf(mesh) / rows, i, j)))
    assert.equal(ours, order)
  }
})

test('the snake puts threads where the specification says', () => {
  for (const [text, expected] of Object.entries(SNAKE_LOADS)) {
    assert.equal(
      loadsOf(snake, SQUARE, shape(text)).map((row) => row.join(' ')),
      expected,
    )
  }
  const places = placesOf(snake, SQUARE, { row: 0, column: 0, rows: 4, columns: 5 })
  const lines = SNAKE_PLACES_ON_4X5.map((_, i) => places.slice(i * 16, (i + 1) * 16))
  assert.equal(
    lines.map((line) => line.map(({ row, column }) => `${row},${column}`).join(' ')),
    SNAKE_PLACES_ON_4X5,
  )
})

test('places count from the corner of the mesh, not of the partition', () => {
  const [first, , last] = placesOf(simple, { m: 1, n: 1 }, { row: 3, column: 5, rows: 2, columns: 1 })
  assert.equal(
    [first, last],
    [
      { row: 3, column: 5 },
      { row: 4, column: 5 },
    ],
  )
})

test('under the simple mapping the fullest processor has the product of two ceilings, for every shape (4.2 prints floors)', () => {
  for (const mesh of MESHES) {
    for (const one of shapesOn(mesh))
      assert.is(largestLoad(simple, mesh, one), simpleLoad(mesh, one), JSON.stringify({ mesh, one }))
  }
})

const hasPowerSide = ({ rows, columns }: Shape) => isPowerOfTwo(rows) || isPowerOfTwo(columns)

test('the snake has no processor fuller than it must be, wherever a side is a power of two (4.3.2)', () => {
  for (const mesh of MESHES) {
    for (const one of shapesOn(mesh).filter(hasPowerSide)) {
      assert.is(largestLoad(snake, mesh, one), leastLoad(mesh, one), JSON.stringify({ mesh, one }))
    }
  }
})

test('rows and columns of 4x5 have 12 or 13 threads on a processor (4.3.2)', () => {
  const loads = new Set(['4x5', '5x4'].flatMap((text) => loadsOf(snake, SQUARE, shape(text)).flat()))
  assert.equal([...loads].sort(), [12, 13])
})

/** The number of neighbours in the grid of threads, and of those that are more than one hop apart. */
function farEdges(mapping: Mapping, mesh: Mesh, one: Shape): { far: number; all: number } {
  const places = placesOf(mapping, mesh, { row: 0, column: 0, ...one })
  const columns = columnsOf(mesh)
  const edges = places.flatMap((place, i) => [
    ...((i + 1) % columns === 0 ? [] : [[place, places[i + 1] ?? place] as const]),
    ...(i + columns < places.length ? [[place, places[i + columns] ?? place] as const] : []),
  ])
  const hops = edges.map(([a, b]) => Math.abs(a.row - b.row) + Math.abs(a.column - b.column))
  return { far: hops.filter((count) => count > 1).length, all: edges.length }
}

const sumOf = (shapes: readonly Shape[]) =>
  shapes
    .map((one) => farEdges(snake, SQUARE, one))
    .reduce((sum, { far, all }) => ({ far: sum.far + far, all: sum.all + all }), { far: 0, all: 0 })

test('adjacent threads are at most one hop apart under the snake on all shapes of EQUI for up to 32 jobs, not on all others (4.3.2)', () => {
  const shapes = new Map<string, Shape>()
  for (let jobs = 1; jobs <= 32; jobs++) {
    for (const { rows, columns } of equi(SQUARE, jobs)) shapes.set(`${rows}x${columns}`, { rows, columns })
  }
  assert.equal(sumOf([...shapes.values()]), { far: 0, all: 12000 })
  assert.equal(sumOf(shapesOn(SQUARE).filter(({ rows }) => isPowerOfTwo(rows))), { far: 572, all: 38400 })
})

test('the threads of a processor are connected under the snake, on every shape with a power of two', () => {
  for (const mesh of MESHES.filter((one) => processorsOf(one) <= 256)) {
    for (const one of shapesOn(mesh).filter(hasPowerSide)) {
      const places = placesOf(snake, mesh, { row: 0, column: 0, ...one })
      const columns = columnsOf(mesh)
      const keys = places.map(({ row, column }) => row * one.columns + column)
      const seen = new Set<number>()
      let pieces = 0
      for (const start of keys.keys()) {
        if (seen.has(start)) continue
        pieces++
        const open = [start]
        seen.add(start)
        for (let i = open.pop(); i !== undefined; i = open.pop()) {
          const beside = [
            i - columns,
            i + columns,
            ...(i % columns > 0 ? [i - 1] : []),
            ...((i + 1) % columns > 0 ? [i + 1] : []),
          ]
          for (const next of beside) {
            if (keys[next] !== keys[i] || seen.has(next)) continue
            seen.add(next)
            open.push(next)
          }
        }
      }
      assert.is(pieces, one.rows * one.columns, JSON.stringify({ mesh, one }))
    }
  }
})

test('the snake is refused where neither side is a power of two', () => {
  throwsSaying(
    () => placesOf(snake, SQUARE, { row: 0, column: 0, rows: 3, columns: 5 }),
    'a side must be a power of two, but the sides are 3x5',
  )
})

test.run()
