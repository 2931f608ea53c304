import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Assignments } from '../../lib/experiment/work-queue/assignments.ts'

test('points are assigned in their order, and the run is over when all have ended', () => {
  const three = new Assignments(3, 5)
  const given = ['a', 'b', 'a'].map((host) => {
    const n = three.next(1, host) ?? -1
    three.give(n, host, 1)
    return n
  })
  assert.equal(given, [0, 1, 2])
  assert.equal([three.end(1), three.end(0), three.isOver, three.end(2), three.isOver], [true, true, false, true, true])
})

test('a run without points is over at once', () => {
  const none = new Assignments(0, 5)
  assert.ok(none.isOver)
  assert.is(none.next(1, 'a'), undefined)
})

test('when all points are assigned, a slow one is assigned a second time, and never a third time', () => {
  const two = new Assignments(2, 5)
  two.give(0, 'slow', 1)
  two.give(1, 'fast', 2)
  assert.is(two.next(5, 'fast'), undefined)
  assert.is(two.next(6, 'slow'), undefined, 'not to the host that has it')
  assert.is(two.next(6, 'fast'), 0)
  two.give(0, 'fast', 6)
  assert.is(two.next(6, 'slow'), undefined)
  assert.is(two.next(7, 'slow'), 1)
  two.give(1, 'slow', 7)
  assert.is(two.next(100, 'third'), undefined)
  assert.ok(two.end(0))
  assert.not(two.end(0), 'the second copy counts for nothing')
})

test('points of a host that is gone wait again, except those that another host also has', () => {
  const three = new Assignments(3, 5)
  for (const n of [0, 1, 2]) three.give(n, 'gone', 1)
  three.give(0, 'other', 1)
  assert.is(three.lose('gone'), 2)
  assert.is(three.lose('gone'), 0)
  const again = [three.next(1, 'other')]
  three.give(again[0] ?? -1, 'other', 1)
  again.push(three.next(1, 'other'))
  assert.equal(again.toSorted(), [1, 2])
})

test('a point that a host has returned waits again, unless it was assigned just now', () => {
  const three = new Assignments(3, 5)
  for (const n of [0, 1]) three.give(n, 'h', 1)
  three.give(2, 'h', 3)
  assert.is(three.keep('h', [1], 3), 1)
  assert.is(three.next(3, 'h'), 0)
  assert.is(three.keep('h', [], 3), 1, 'the second is gone, too; the third may be on its way')
})

test('the result of a host that was taken for dead counts', () => {
  const one = new Assignments(1, 5)
  one.give(0, 'late', 1)
  one.lose('late')
  assert.ok(one.end(0))
  assert.ok(one.isOver)
  assert.is(one.next(1, 'other'), undefined)
})

test('a result that arrives before the acceptance of its point counts, once', () => {
  const two = new Assignments(2, 5)
  assert.ok(two.end(0))
  two.give(0, 'quick', 1)
  assert.is(two.next(100, 'quick'), 1)
  assert.is(two.lose('quick'), 0)
  assert.not(two.end(0))
  assert.not(two.end(2), 'there is no such point')
  assert.not(two.isOver)
  assert.ok(two.end(1))
  assert.ok(two.isOver)
})

test.run()
