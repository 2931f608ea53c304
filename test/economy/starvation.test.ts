/** The bound on waiting, as printed and as corrected, and the output of its scenario. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EQUAL } from '../../actors/economy/coefficients.ts'
import { units } from '../../lib/actor.ts'
import { Purses } from '../../scenarios/economy/starvation/purses.ts'
import { runScenario } from '../bidding/command.ts'

test('the scenario shows that the printed bound fails for rich jobs, and that the corrected one holds', async () => {
  const { code, stdout, stderr } = await runScenario('economy/starvation', ['--span', '2000', '--quiet'])
  assert.is(code, 0, stderr)
  const rows = stdout.split('\n').flatMap((line) => {
    const found = /^(.*\S) +(paper|literal) +([\d.]+) +([\d.]+) +(holds|fails) +([\d.]+) +(holds|fails)$/.exec(line)
    return found ? [found.slice(1)] : []
  })
  assert.is(rows.length, 12)
  assert.equal(rows[0]?.slice(1), ['paper', '300.0', '106.0', 'fails', '40110.0', 'holds'])
  assert.equal(rows[1]?.slice(1), ['literal', '300.0', '106.0', 'fails', '40110.0', 'holds'])
  // 40 jobs of 100 minutes come first, and the printed bound (2 + 1) * (8 + 7 * 100) / 1 + 100 is less
  assert.equal(rows[2]?.slice(2, 5), ['4000.0', '2224.0', 'fails'])
  // at 2124 minutes 18 of them wait, with what they had and a minute's dollar shared by first 39 and then ever fewer
  const shared = Array.from({ length: 21 }, (_, i) => 100 / (39 - i)).reduce((sum, share) => sum + share, 24 / 18)
  assert.is(rows[2]?.[5], (2224 + (18 * (400_000 + shared)) / (1 + 1 * 1)).toFixed(1))
  assert.ok(rows.slice(4).every((row) => row[4] === 'holds'))
  assert.ok(rows.every((row) => row[6] === 'holds'))
  assert.match(stdout, /M of equation 7 counts savings alone/)
})

test('a span of 0 is refused', async () => {
  for (const [args, says] of [
    [['--span', '0'], /--span must be a time > 0/],
    [['--margin', '0'], /--margin must be a number/],
  ] as const) {
    const { code, stderr } = await runScenario('economy/starvation', args)
    assert.is(code, 2)
    assert.match(stderr, says)
    assert.is(stderr.trim().split('\n').length, 1)
  }
})

const USER = { income: 2, savings: 10, cap: 50, coefficients: EQUAL, targets: null }

const booked = (what: string, savings: number, expenses: number) => ({
  type: 'booked',
  user: 'u1',
  what,
  job: 0,
  amount: 0,
  received: 0,
  savings,
  expenses,
  paid: 0,
  forfeited: 0,
})

test('between bookings the income goes to the savings up to the cap, or to expenses while a job waits', () => {
  const purses = new Purses({ u1: USER }, units(100))
  assert.equal(purses.of('u1'), { savings: 50, expenses: 0 })
  purses.fold(booked('opened', 10, 5), 'bank@hub', units(20))
  assert.equal(purses.of('u1'), { savings: 10, expenses: 165 })
  purses.fold(booked('charge', 10, 0), 'bank@hub', units(90))
  assert.equal(purses.of('u1'), { savings: 30, expenses: 0 })
  purses.fold(booked('opened', 0, 30), 'bank@hub', units(101))
  assert.equal(purses.of('u1'), { savings: 30, expenses: 0 })
  purses.fold(booked('opened', 0, 30), 'scheduler@hub', units(95))
  assert.equal(purses.of('u1'), { savings: 30, expenses: 0 })
})

test.run()
