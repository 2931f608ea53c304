/** The statistics that compare the strategies of a search. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type CostOf, costRange, meanCost, nearByChance, nearnessOf, ratioRange, type Trial } from '../bugs/trials.ts'

const test = suite('trials of strategies')

const schedulesOf: CostOf = ({ schedules }) => schedules
const found = (schedules: number): Trial => ({ schedules, cpu: 0, isFound: true })
const vain = (schedules: number): Trial => ({ schedules, cpu: 0, isFound: false })

test('the mean cost counts the schedules of searches in vain, as if they were repeated until one finds it', () => {
  assert.is(meanCost([found(10), found(20)], schedulesOf), 15)
  assert.is(meanCost([found(10), vain(200)], schedulesOf), 210)
  assert.is(meanCost([vain(200)], schedulesOf), Number.POSITIVE_INFINITY)
})

test('an interval holds the mean and has no width for equal trials; a ratio goes by the trials of the same seeds', () => {
  const trials = Array.from({ length: 20 }, (_, i) => found(i + 1))
  const [low, high] = costRange(trials, schedulesOf)
  assert.ok(low < 10.5 && high > 10.5 && low >= 1 && high <= 20, `${low} to ${high}`)
  assert.equal(costRange([found(7), found(7)], schedulesOf), [7, 7])
  const halves = trials.map(({ schedules }) => found(schedules / 2))
  assert.equal(ratioRange(trials, halves, schedulesOf), [2, 2])
  assert.equal(ratioRange([vain(5)], [vain(5)], schedulesOf), [1, 1])
  assert.equal(ratioRange([vain(5)], [found(5)], schedulesOf), [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
})

test('a strategy is near the best only if all intervals say so, and far from it if one does', () => {
  assert.is(nearnessOf([[0.5, 1.2]]), 'near')
  assert.is(nearnessOf([[0.5, 1.3]]), 'open')
  assert.is(
    nearnessOf([
      [0.5, 1.1],
      [1.21, 2],
    ]),
    'far',
  )
  assert.is(nearnessOf([]), 'near')
})

test('of equal strategies one is seldom near the best by means of few trials, and always if their costs do not vary', () => {
  const geometric = Array.from({ length: 20 }, (_, i) => found(Math.ceil(-8 * Math.log((i + 0.5) / 20))))
  const share = nearByChance(geometric, 5, schedulesOf)
  assert.ok(share > 0.25 && share < 0.55, String(share))
  assert.ok(nearByChance(geometric, 1, schedulesOf) > share)
  assert.is(nearByChance([found(7), found(7)], 5, schedulesOf), 1)
})

test.run()
