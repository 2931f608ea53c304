import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  decimal,
  listed,
  nearest,
  parseUnits,
  printUnits,
  quoted,
  shortTimes,
  shortUnits,
} from '../../lib/core/format.ts'

test('only decimal numbers are numbers', () => {
  for (const [text, value] of [
    ['4', 4],
    ['-2.5', -2.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
  ] as const)
    assert.is(decimal(text), value)
  for (const text of ['', ' ', ' 4', '4 ', '0x10', 'Infinity', 'NaN', '1e999', '4,5', '1_000', '--4', 'e5'])
    assert.is(decimal(text), undefined, text)
})

test('any time up to the limit is printed and read back exactly', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 1e15 }), (time) => parseUnits(printUnits(time)) === time))
  assert.is(printUnits(2_500_000), '2.5')
  assert.is(printUnits(-1), '-0.000001')
  assert.is(printUnits(0), '0')
})

test('a time for reading has two decimals, and below one unit three digits', () => {
  assert.equal([89_360_106, 837_325_610, 60_000_000, 999_999, 560_000, 5_612, 0, -1_005].map(shortUnits), [
    '89.36',
    '837.33',
    '60',
    '1',
    '0.56',
    '0.00561',
    '0',
    '-0.00101',
  ])
})

test('negative and infinite times are refused', () => {
  for (const text of ['-1', '-0.1', '1e10', 'soon', '']) assert.is(parseUnits(text), undefined, text)
  assert.is(Object.is(parseUnits('-0'), 0), true)
})

test('times in a text are rounded for reading, and none becomes 0', () => {
  assert.is(
    shortTimes('pause a@m1 for 0.000004 at 1.23456789 (b1.234567)'),
    'pause a@m1 for 0.000004 at 1.23 (b1.234567)',
  )
})

test('quoted text stays on one line and is cut when long', () => {
  assert.is(quoted('a\nb'), '"a\\nb"')
  assert.ok(quoted('x'.repeat(1000)).length < 80)
})

test('words are listed with commas and a final or', () => {
  assert.is(listed(['a']), 'a')
  assert.is(listed(['a', 'b']), 'a or b')
  assert.is(listed(['a', 'b', 'c']), 'a, b or c')
})

test('a typing error suggests the word that was meant, and another word suggests none', () => {
  const flags = ['--seed', '--latency', '--loss', '--time', '--ca', '--tasks', '--reliable', '--hosts', '--jobs-out']
  for (const [typed, meant] of [
    ['--sede', '--seed'],
    ['--latncy', '--latency'],
    ['--tesks', '--tasks'],
    ['--relaible', '--reliable'],
    ['--LOSS', '--loss'],
    ['seed', '--seed'],
    ['--no-loss', '--loss'],
  ] as const)
    assert.is(nearest(typed, flags), meant, typed)
  for (const typed of ['--x', '--runs', '--size', '--mix', '--jobs', '--', ''])
    assert.is(nearest(typed, flags), undefined, typed)
})

test.run()
