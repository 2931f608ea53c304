import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { labelWithin } from '../../lib/report/bar-label.ts'

/** Each letter takes one unit. */
const within = (label: string, room: number) => labelWithin(label, room, (text) => text.length)

test('the label of a bar never shows a part of a number', () => {
  assert.equal(
    [7, 6, 3, 2].map((room) => within('task 108', room + 1)),
    ['task 108', '108', '108', '108'],
  )
  assert.is(within('task 108', 2), '')
})

test('the label of a bar leaves out words at its end, and says that it does', () => {
  const shown = (room: number) => within('job 1 moves to 0,0 4x8', room)
  assert.equal([22, 21, 18, 14, 9, 2, 1, 0].map(shown), [
    'job 1 moves to 0,0 4x8',
    '1 moves to 0,0 4x8',
    '1 moves to 0,0 4x8',
    '1 moves to…',
    '1 moves…',
    '1…',
    '1',
    '',
  ])
})

test('a label of one word is shown whole or not at all', () => {
  assert.is(within('computing', 9), 'computing')
  assert.is(within('computing', 8), '')
})

test.run()
