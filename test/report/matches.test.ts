/** The matches of a page's filter: their number, the selected one, and the next one. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { matchesIn, matchesText, nextMatch } from '../../lib/report/matches.ts'

const order = Int32Array.of(0, 1, 3, 2, 4, 5)
const matches = matchesIn(order, Uint8Array.of(0, 1, 1, 0, 1, 0))
const places = [0, 10, 30, 20, 40, 50]
const next = (by: 1 | -1, event: number, begin = 0): number =>
  nextMatch(matches, by, event, (one) => places[one] ?? 0, begin)

test('the matches of a filter are in the order of the picture', () => {
  assert.equal([...matches], [1, 2, 4])
})

test('a jump goes to the next match, and after the last one to the first', () => {
  assert.is(next(1, 1), 2)
  assert.is(next(1, 4), 1)
  assert.is(next(-1, 1), 4)
  assert.is(next(-1, 2), 1)
})

test('from an event that does not match, a jump goes to the nearest match on that side', () => {
  assert.is(next(1, 3), 2)
  assert.is(next(-1, 3), 1)
  assert.is(next(1, 5), 1)
  assert.is(next(-1, 0), 4)
})

test('without a selection, a jump goes to the first match in the window', () => {
  assert.is(next(1, -1, 25), 2)
  assert.is(next(1, -1, 30), 2)
  assert.is(next(-1, -1, 25), 1)
  assert.is(next(1, -1, 45), 1)
})

test('a filter says how many events match, and which of them is selected', () => {
  assert.is(matchesText(matches, -1), '3 matches')
  assert.is(matchesText(matches, 2), '2 of 3 matches')
  assert.is(matchesText(matches, 3), '3 matches')
  assert.is(matchesText(Int32Array.of(7), 7), '1 of 1 match')
  assert.is(matchesText(Int32Array.of(), 7), 'No event matches the filter.')
  assert.is(
    nextMatch(Int32Array.of(), 1, -1, () => 0, 0),
    -1,
  )
})

test.run()
