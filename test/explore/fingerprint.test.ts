import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fingerprint } from '../../lib/explore/fingerprint.ts'

class Purse {
  readonly #coins: number
  constructor(coins: number) {
    this.#coins = coins
  }
  get coins(): number {
    return this.#coins
  }
}

test('distinguishes values that JSON does not', () => {
  const values = [
    ...[
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      0,
      -0,
      undefined,
      'undefined',
      '#undefined',
    ],
    ...['#NaN', '##NaN', [], {}, new Map(), new Set(), ['#map'], new Map([[1, 2]]), new Set([1, 2]), [[1, 2]]],
    ...[new Uint8Array(2), Uint8Array.of(0, 1), '#bytes AAA=', [0, 0], { 0: 0, 1: 0 }],
    ...[{ a: undefined }, { a: null }, { a: 'undefined' }, [undefined], [null]],
  ]
  const prints = values.map(fingerprint)
  assert.not(prints.includes(undefined))
  assert.is(new Set(prints).size, values.length)
})

test('is equal for equal values', () => {
  const value = () => ({ list: [1, { two: new Map([['k', new Set([3])]]) }], text: 'x', bytes: new Uint8Array(9) })
  assert.is(fingerprint(value()), fingerprint(value()))
})

test('takes a value with more than its fields for different from all others', () => {
  class Row extends Array {}
  const shown = { toJSON: () => 'a text' }
  for (const opaque of [
    new Purse(1),
    { a: () => 1 },
    [Symbol('s')],
    new Map([[1, new Purse(2)]]),
    new Date(0),
    new Row(),
    shown,
  ])
    assert.is(fingerprint(opaque), undefined)
})

test.run()
