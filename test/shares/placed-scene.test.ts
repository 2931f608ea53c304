/** The scene of a parallel job that a placer places, searched as it is: a failing run would be a false alarm. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { portfolio } from '../../lib/explore/strategies/portfolio.ts'
import { stageOf } from '../bugs/hunt.ts'

const test = suite('a parallel job with a placer')

test('runs for ever or is refused, under any schedule and with restarts of its barrier', async () => {
  const specification = stageOf({ scenario: 'parallel, placed', args: '' })
  const search = {
    specification,
    strategy: portfolio,
    seed: 1,
    allowed: [parseAllowed('restart any barrier 2', 'a test')],
  }
  const { failures } = await explore({ ...search, from: 0, until: 40 }, await baselineOf(specification))
  // a barrier that is dead for a while hears nothing, and its job may wait for ever
  const broken = failures.filter(({ faults }) => faults.every(({ type }) => type !== 'kill'))
  assert.equal(broken, [])
})

test.run()
