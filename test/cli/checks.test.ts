/** The checks of a run. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { is, none, noneViolated, within } from '../../lib/cli/index.ts'
import { checkLine } from '../../lib/scenario/checks.ts'

test('`is` compares two values', () => {
  assert.equal(is('ended', 'idle', 'idle'), {
    name: 'ended',
    ok: true,
    measured: 'idle',
    expected: 'idle',
    tolerance: null,
  })
  assert.not(is('left', 1, 0).ok)
})

test('`none` fails if anything is broken, names the first three and counts the others', () => {
  assert.equal(none('deaths', []), {
    name: 'deaths',
    ok: true,
    measured: 'none',
    expected: 'none',
    tolerance: null,
  })
  assert.equal(none('deaths', ['a', 'b', 'c', 'd']), {
    name: 'deaths',
    ok: false,
    measured: 'a; b; c; and 1 more',
    expected: 'none',
    tolerance: null,
  })
  assert.is(none('deaths', ['a', 'b', 'c']).measured, 'a; b; c')
  assert.not(none('deaths', ['']).ok)
})

test('`within` takes a number that is near another, on either side; NaN is never near', () => {
  assert.ok(within('share', 2.5, 2, 0.5).ok)
  assert.ok(within('share', 1.5, 2, 0.5).ok)
  assert.not(within('share', 2.6, 2, 0.5).ok)
  assert.not(within('share', Number.NaN, 2, 0.5).ok)
  assert.is(within('share', 2.6, 2, 0.5).tolerance, 0.5)
})

test('a check line says the expected value if it is a number, or if the check failed', () => {
  assert.is(checkLine(noneViolated([], 'in 100 schedules')), 'ok     invariants: none violated in 100 schedules')
  assert.is(checkLine(noneViolated(['a task ended twice'])), 'FAILED invariants: a task ended twice')
  assert.is(checkLine(is('ended', 'idle', 'idle')), 'ok     ended: idle')
  assert.is(checkLine(is('ended', 'rounds', 'idle')), 'FAILED ended: rounds, expected idle')
  assert.is(checkLine(is('tasks', 3, 3)), 'ok     tasks: 3, expected 3')
  assert.is(checkLine(within('share', 2.5, 2, 0.5)), 'ok     share: 2.5, expected 2 ± 0.5')
})

test('a check line cuts a long measured value, and says where all of it is', () => {
  const long = noneViolated(['x'.repeat(1000)])
  assert.is(checkLine(long), `FAILED invariants: ${'x'.repeat(240)}... (--json prints all of it)`)
  assert.is(long.measured, 'x'.repeat(1000))
})

test.run()
