/** The deltas that a page gets of a running run. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Plain } from '../../lib/core/data.ts'
import { changed, deltaOf } from '../../lib/report/delta.ts'

const sent = (value: unknown) => JSON.parse(JSON.stringify(value ?? null))

const lists = fc.array(fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 6 }), { maxLength: 5 })
const values = fc.oneof(fc.jsonValue(), lists).map((value): Plain => sent(value))

test('for any two values, the first and the delta give the second', () => {
  fc.assert(
    fc.property(values, values, (from, to) => {
      const before = JSON.stringify(from)
      const delta = deltaOf(from, to)
      assert.equal(changed(from, delta === undefined ? undefined : sent(delta)), to)
      assert.is(JSON.stringify(from), before)
      assert.is(deltaOf(to, sent(to)), undefined)
    }),
    { numRuns: 1000 },
  )
})

test('the delta of a value with few additions and changes has only these', () => {
  const from = { lane: Array.from({ length: 1000 }, (_, i) => i % 7), name: 'a', texts: ['', 'x'] }
  const to = { ...from, lane: [...from.lane.with(3, 99), 5, 6] }
  assert.equal(deltaOf(from, to), { fields: { lane: { length: 1002, items: [[3, { is: 99 }]], more: [5, 6] } } })
})

test('a field may have any name, also __proto__', () => {
  const to: Plain = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}')
  assert.equal(JSON.stringify(changed({}, sent(deltaOf({}, to)))), JSON.stringify(to))
})

test.run()
