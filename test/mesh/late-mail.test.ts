/**
 * Messages in a ring that arrive twice, too late or too early: a job checks the number of their change (section 8).
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { newBook } from '../../actors/mesh/job/book.ts'
import {
  belonging,
  deciding,
  hearing,
  type Membership,
  offering,
  parting,
  ticking,
} from '../../actors/mesh/job/membership.ts'
import { isOrder, onTaken } from '../../actors/mesh/job/ring.ts'
import type { ToAllocator } from '../../actors/mesh/messages.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Rectangle } from '../../actors/mesh/rectangle.ts'
import { ref } from '../../lib/actor.ts'

const [PREV, NEXT] = ['job@j1', 'job@j3'] as const
const cell = (column: number): Rectangle => ({ row: 0, column, rows: 2, columns: 2 })

const ringOf = (cells: readonly Rectangle[]): Membership =>
  belonging({ type: 'link', cells, prev: PREV, next: NEXT, change: 4 })

const SMALL = ringOf([cell(0)])
const LARGE = ringOf([cell(0), cell(2)])

const told = (ring: Membership, change: number, before: 's' | 'b', behind: 's' | 'b') =>
  hearing(hearing(ring, change, PREV, before), change, NEXT, behind)

test('messages about an earlier change are ignored', () => {
  const heard = told(SMALL, 5, 's', 'b')
  assert.is(hearing(heard, 4, NEXT, 's'), heard)
  assert.is(hearing(heard, 4, NEXT, cell(2)), heard)
})

test('sizes and a cell that arrive before the tick are kept until then', () => {
  const early = hearing(told(SMALL, 5, 's', 'b'), 5, NEXT, cell(2))
  assert.equal(deciding(early, 4), { ring: early, from: null })
  const { ring, from } = deciding(ticking(early, 5), 5)
  assert.equal([ring.cells, ring.due, from], [[cell(0), cell(2)], null, NEXT])
})

test('a cell that arrives twice is taken once, and an unexpected cell is not taken', () => {
  const { ring } = deciding(hearing(told(ticking(SMALL, 5), 5, 's', 'b'), 5, NEXT, cell(2)), 5)
  assert.equal(deciding(hearing(ring, 5, NEXT, cell(2)), 5), { ring: hearing(ring, 5, NEXT, cell(2)), from: null })
  const still = deciding(hearing(told(ticking(SMALL, 5), 5, 's', 's'), 5, NEXT, cell(2)), 5)
  assert.equal([still.ring.cells, still.from], [[cell(0)], null])
})

test('a size that arrives twice decides once, and a cell changes owner when the neighbour that it was offered to takes it', () => {
  const { ring } = deciding(told(ticking(LARGE, 5), 5, 's', 'b'), 5)
  const again = deciding(hearing(ring, 5, PREV, 's'), 5).ring
  assert.equal([again.gift, again.cells], [ring.gift, LARGE.cells])
  assert.is(parting(again, PREV), again)
  const offered = offering(again)
  assert.is(parting(offered, NEXT), offered)
  const parted = parting(offered, PREV)
  assert.equal([parted.cells, parted.gift], [[cell(2)], null])
  assert.is(parting(parted, PREV), parted)
})

test('an order is carried out once, and `taken` for an earlier cell does not count for this one', () => {
  const input = {
    model: { ...BASELINE, mesh: { m: 1, n: 2 } },
    mapping: 'simple',
    detail: 'coarse',
    allocator: ref<ToAllocator>('allocator@a'),
    patience: null,
  } as const
  const offered = offering(deciding(told(ticking(LARGE, 5), 5, 's', 'b'), 5).ring)
  const context = { ...newBook(input), ring: offered, change: 5 }
  assert.equal(
    [4, 5, 6].map((change) => isOrder({ context, event: { change } })),
    [false, false, true],
  )
  assert.equal(onTaken(context, { type: 'taken', change: 4 }, { from: PREV, request: null }), [{}])
  assert.equal(onTaken(context, { type: 'taken', change: 5 }, { from: PREV, request: null })[0], {
    ring: parting(offered, PREV),
  })
})

test.run()
