import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'

test('finds every order of two tasks, two clients and three contractors, and runs all that differ in their reports', async () => {
  const { flags, specification } = scenarioNamed('bidding/market')
  const market = specification(collect(flags, '--tasks 2 --speeds 1,1,2 --clients 2 --latency 1'.split(' ')).given)
  const endless = { depth: Number.POSITIVE_INFINITY, schedules: Number.POSITIVE_INFINITY }
  const { outcomes, orders, failures, bound, schedules } = await exhaust({
    specification: market,
    reduce: true,
    ...endless,
  })
  assert.equal([outcomes.size, schedules, orders], [9, 5399, 148_560])
  assert.equal([failures, bound], [[], undefined])
})

test.run()
