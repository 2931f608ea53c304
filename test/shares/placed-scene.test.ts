/** The scene of a parallel job that a placer places, searched as it is: a failing run would be a false alarm. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { hunt, stageOf } from '../bugs/hunt.ts'

const test = suite('a parallel job with a placer')

test('runs for ever or is refused, under any schedule and with restarts of its barrier', async () => {
  const allowed = [parseAllowed('restart any barrier 2', 'a test')]
  const property = 'a parallel job runs for ever'
  const { broken } = await hunt(
    stageOf({ scenario: 'parallel, placed', args: '' }),
    { allowed, property },
    'portfolio',
    20,
  )
  assert.equal(broken, [])
})

test.run()
