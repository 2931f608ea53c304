import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bendOf, powerOf } from './curves/fit.ts'
import { growthOf, headsOf, type Measured, pageOf, rowsOf } from './curves/page.ts'

const SIZES = [10, 30, 100, 300, 1000, 3000]
const straight = SIZES.map((size) => ({ size, value: 7 * size ** 1.5 }))
/** A noisy curve that is constant up to 100, and then linear. */
const bent = SIZES.map((size, i) => ({ size, value: (size <= 100 ? 50 : size / 2) * (1 + 0.02 * (-1) ** i) }))

const measured: Measured = {
  subject: { title: 'Cost & <size>', of: 'things', value: 'a thing', unit: 'us', curves: [], why: 'It is so.' },
  curves: [
    { name: 'straight', spots: straight },
    { name: 'bent', spots: bent.slice(1) },
  ],
}

test('a power is found, and a straight line has no bend', () => {
  assert.ok(Math.abs(powerOf(straight) - 1.5) < 1e-9)
  assert.is(bendOf(straight), null)
  assert.is(growthOf(straight), 'as the power 1.50')
})

test('the bend of a curve is found, with the powers on both sides', () => {
  const bend = bendOf(bent)
  assert.is(bend?.at, 100)
  assert.ok(Math.abs(bend?.before ?? 9) < 0.05, `${bend?.before}`)
  assert.ok(Math.abs((bend?.after ?? 9) - 1) < 0.05, `${bend?.after}`)
  assert.match(growthOf(bent), 'bends at 100')
})

test('a noisy line has no bend', () => {
  const uneven = SIZES.map((size, i) => ({ size, value: size * (1 + 0.3 * (-1) ** i) }))
  assert.is(bendOf(uneven), null)
})

test('curves with different sizes share a table, each with the power since its own previous size', () => {
  assert.equal(headsOf(measured), ['things', 'straight', 'power (straight)', 'bent', 'power (bent)'])
  assert.equal(rowsOf(measured)[0], ['10', '221', '', '', ''])
  assert.equal(rowsOf(measured)[1]?.slice(0, 3), ['30', '1150', '1.50'])
})

test('the page has the chart, the growth, the reason and the table of each', () => {
  const page = pageOf([measured, measured], ['a quiet <machine>'])
  assert.is(page.match(/<svg/g)?.length, 2)
  for (const said of ['Cost &amp; &lt;size&gt;', 'a quiet &lt;machine&gt;', 'straight: as the power 1.50', 'It is so.'])
    assert.ok(page.includes(said), said)
})

test.run()
