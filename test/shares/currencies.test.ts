/** The values of tickets, by hand and as a property: no value is lost or created. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BASE, baseValueOf, closesCycle, isKnown, type View, worth } from '../../actors/processor/currencies.ts'
import type { Backing } from '../../actors/processor/jobs.ts'
import { PROJECT, TWO_JOBS } from './golden/currencies.ts'

const test = suite('currencies')

const NOTHING: View = { funding: {}, issued: {}, backing: [] }

test("a user's jobs share what funds the user", () => {
  const view = { ...NOTHING, funding: { user: TWO_JOBS.funding } }
  const own = { user: TWO_JOBS.held.reduce((sum, amount) => sum + amount, 0) }
  assert.equal(
    TWO_JOBS.held.map((amount) => worth(view, own, { currency: 'user', amount })),
    TWO_JOBS.values,
  )
})

test("a user's jobs also share it when some of them are on other machines", () => {
  const [here, elsewhere] = TWO_JOBS.held
  const view = { ...NOTHING, funding: { user: TWO_JOBS.funding }, issued: { user: elsewhere } }
  assert.is(worth(view, { user: here }, { currency: 'user', amount: here }), TWO_JOBS.values[0])
})

test('two users back a project', () => {
  const { funding, backing, jobs, values } = PROJECT
  const own: Record<string, number> = {}
  for (const { currency, amount } of jobs) own[currency] = (own[currency] ?? 0) + amount
  const view = { ...NOTHING, funding, backing }
  for (const [currency, value] of Object.entries(values)) assert.is(baseValueOf(view, own, currency), value, currency)
  for (const { job, value, ...ticket } of jobs) assert.is(worth(view, own, ticket), value, job)
})

test('base tickets are worth what they say, and can back a currency', () => {
  const view = { ...NOTHING, backing: [{ holder: 'user', currency: BASE, amount: 60 }] }
  assert.is(worth(view, {}, { currency: BASE, amount: 7 }), 7)
  assert.is(worth(view, { user: 3 }, { currency: 'user', amount: 1 }), 20)
})

test('tickets of a currency without funding are worth nothing', () => {
  assert.is(worth(NOTHING, { user: 3 }, { currency: 'user', amount: 3 }), 0)
  assert.is(
    worth({ ...NOTHING, funding: { user: 9 } }, {}, { currency: 'user', amount: 3 }),
    0,
    'nor if none is issued',
  )
})

test('a currency is known when it is base, funded or backed', () => {
  const { funding, backing } = PROJECT
  const view = { ...NOTHING, funding, backing }
  for (const known of [BASE, 'alice', 'proj']) assert.ok(isKnown(view, known), known)
  for (const unknown of ['carol', '', 'constructor', '__proto__']) assert.not(isKnown(view, unknown), unknown)
  assert.is(worth(view, {}, { currency: 'constructor', amount: 1 }), 0)
})

test('a currency cannot come to hold itself', () => {
  const backing = [
    { holder: 'b', currency: 'a', amount: 1 },
    { holder: 'c', currency: 'b', amount: 1 },
  ]
  const closes = (holder: string, currency: string) => closesCycle(backing, { holder, currency, amount: 1 })
  assert.ok(closes('a', 'a'))
  assert.ok(closes('a', 'b'))
  assert.ok(closes('a', 'c'))
  assert.not(closes('c', 'a'), 'twice is no cycle')
  assert.not(closes('d', 'c'))
  assert.not(closes('a', 'd'))
})

const NAMES = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'] as const
const amounts = fc
  .array(fc.integer({ min: 0, max: 400 }), { minLength: NAMES.length, maxLength: NAMES.length })
  .map((list) => Object.fromEntries(list.map((amount, i) => [`c${i}`, amount])))
/** A currency is held only by later ones: no cycles. */
const backing: fc.Arbitrary<Backing> = fc
  .tuple(fc.uniqueArray(fc.nat(NAMES.length - 1), { minLength: 2, maxLength: 2 }), fc.integer({ min: 1, max: 50 }))
  .map(([pair, amount]) => ({ currency: `c${Math.min(...pair)}`, holder: `c${Math.max(...pair)}`, amount }))

test('the values of all jobs, here and elsewhere, add up to the funding of the currencies that reach a job', () => {
  fc.assert(
    fc.property(amounts, amounts, amounts, fc.array(backing, { maxLength: 10 }), (funding, own, issued, tickets) => {
      const reaching = new Set<string>(NAMES.filter((name) => (own[name] ?? 0) + (issued[name] ?? 0) > 0))
      // holders come later in the list, so from its end
      for (const name of [...NAMES].reverse())
        if (tickets.some(({ currency, holder }) => currency === name && reaching.has(holder))) reaching.add(name)
      const view = { funding, issued, backing: tickets.filter(({ holder }) => reaching.has(holder)) }
      const values = NAMES.flatMap((currency) =>
        [own, issued].map((held) => ({ currency, amount: held[currency] ?? 0 })),
      )
      const sum = values.reduce((sum, ticket) => sum + worth(view, own, ticket), 0)
      const funded = NAMES.reduce((sum, name) => (reaching.has(name) ? sum + (funding[name] ?? 0) : sum), 0)
      assert.ok(Math.abs(sum - funded) <= 1e-12 * funded, `${sum} of ${funded}`)
    }),
    { numRuns: 1000 },
  )
})

test('a currency is valued once, even if many paths lead to it', () => {
  // two currencies to a layer, each held by both of the next: more than a thousand million million ways
  const layers = 50
  const ladder = Array.from({ length: layers }, (_, i) =>
    ['a', 'b'].flatMap((from) =>
      ['a', 'b'].map((to) => ({ currency: `${from}${i}`, holder: `${to}${i + 1}`, amount: 1 })),
    ),
  ).flat()
  const view = { funding: { a0: 6, b0: 2 }, issued: {}, backing: ladder }
  const own = { [`a${layers}`]: 1, [`b${layers}`]: 3 }
  assert.is(worth(view, own, { currency: `b${layers}`, amount: 3 }), 4)
  assert.ok(closesCycle(ladder, { currency: `a${layers}`, holder: 'b0', amount: 1 }))
  assert.not(closesCycle(ladder, { currency: 'a0', holder: 'b7', amount: 1 }))
})

test('deeply nested currencies can be valued, and a cycle through all of them is detected', () => {
  const depth = 5000
  const backing = Array.from({ length: depth }, (_, i) => ({ currency: `c${i}`, amount: 1, holder: `c${i + 1}` }))
  const last = { currency: `c${depth}`, amount: 1 }
  assert.is(worth({ funding: { c0: 100 }, issued: {}, backing }, { [last.currency]: 1 }, last), 100)
  assert.is(closesCycle(backing, { ...last, holder: 'c0' }), true)
})

test.run()
