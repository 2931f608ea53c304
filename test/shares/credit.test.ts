/** System credit, compared with values worked out by hand and with exact fractions. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { adaptiveCatchUp, type Claim, systemCredit } from '../../actors/processor/credit.ts'
import { Fraction, whole } from './fraction.ts'
import { CREDITS } from './golden/credit.ts'

const test = suite('system credit')

const shareOf = ({ tickets, total }: Claim, extra: number) => (tickets + extra) / (total + extra)

for (const { extra, lasts, share, uncapped, ...claim } of CREDITS) {
  const { tickets, total, slept, catchUp } = claim
  test(`${tickets} of ${total} tickets, asleep for ${slept}, to catch up in ${catchUp}`, () => {
    const given = { ...claim, cap: 95 }
    const credit = systemCredit(given)
    assert.equal(credit, { extra: extra[0] / extra[1], lasts: lasts[0] / lasts[1] })
    assert.ok(Math.abs(shareOf(given, credit.extra) - share[0] / share[1]) < 1e-15)
    const denominator = catchUp * total - (slept + catchUp) * tickets
    assert.is(denominator === 0 ? null : (tickets * total * slept) / denominator, uncapped)
    const isWithin = uncapped !== null && uncapped >= 0 && shareOf(given, uncapped) <= 0.95
    assert.is(uncapped === credit.extra, isWithin, 'the formula alone gives it where its share is from 0 to the cap')
  })
}

/** System credit in exact fractions: the cap on the share stretches the catch-up time. */
function exact({ tickets, total, slept, catchUp, cap }: Claim) {
  const [t, T, S, C] = [whole(tickets), whole(total), whole(slept), whole(catchUp)]
  const sigma = new Fraction(BigInt(cap), 100n)
  const room = sigma.times(T).minus(t)
  if (room.compare(whole(0)) <= 0 || slept === 0) return { extra: whole(0), lasts: whole(0), share: t.over(T) }
  const shortest = S.times(t).over(room)
  const lasts = C.compare(shortest) > 0 ? C : shortest
  const extra = t
    .times(T)
    .times(S)
    .over(lasts.times(T).minus(S.plus(lasts).times(t)))
  return { extra, lasts, share: t.plus(extra).over(T.plus(extra)) }
}

const claims: fc.Arbitrary<Claim> = fc
  .record({
    tickets: fc.integer({ min: 1, max: 400 }),
    others: fc.integer({ min: 0, max: 1000 }),
    slept: fc.integer({ min: 0, max: 2_000_000 }),
    catchUp: fc.integer({ min: 1, max: 4_000_000 }),
    cap: fc.integer({ min: 50, max: 99 }),
  })
  .map(({ others, ...claim }) => ({ ...claim, total: claim.tickets + others }))

test('is the double nearest to the exact value, is never negative and keeps the share below the cap', () => {
  fc.assert(
    fc.property(claims, (claim) => {
      const credit = systemCredit(claim)
      const { extra, lasts, share } = exact(claim)
      assert.equal(credit, { extra: extra.toNumber(), lasts: lasts.toNumber() })
      assert.ok(credit.extra >= 0 && credit.extra < Infinity)
      if (credit.extra > 0) assert.ok(share.compare(new Fraction(BigInt(claim.cap), 100n)) <= 0)
    }),
    { numRuns: 2000 },
  )
})

test('makes up for the whole sleep: the share while credited is that of sleep and catch-up together', () => {
  fc.assert(
    fc.property(claims, (claim) => {
      const { extra, lasts, share } = exact(claim)
      if (extra.compare(whole(0)) === 0) return
      const wanted = whole(claim.slept)
        .plus(lasts)
        .times(whole(claim.tickets))
        .over(lasts.times(whole(claim.total)))
      assert.is(share.compare(wanted), 0)
    }),
    { numRuns: 500 },
  )
})

test('that adapts catches up in one burst like the last, not in less than the cap allows, nor longer than the sleep', () => {
  const claim = { tickets: 1, total: 5, slept: 700, cap: 95 }
  assert.is(adaptiveCatchUp(claim, 190), 250)
  assert.is(systemCredit({ ...claim, catchUp: 250 }).lasts, 250)
  const share = shareOf({ ...claim, catchUp: 250 }, systemCredit({ ...claim, catchUp: 250 }).extra)
  assert.ok(Math.abs(share - 190 / 250) < 1e-15)
  assert.is(adaptiveCatchUp(claim, 19), 20, 'at 95 %')
  assert.is(adaptiveCatchUp(claim, 1000), 700)
})

test.run()
