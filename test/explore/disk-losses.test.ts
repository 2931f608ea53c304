/** Disks that lose what was written: drawn by a search, and shrunk. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { shrink } from '../../lib/explore/shrink.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import counters from '../fixtures/log/counters.ts'

test('a loss of written records is drawn, found, and shrunk to the smallest that is enough', async () => {
  const specification = counters.specification(new Map([['most', ['3']]]))
  const allowed = [parseAllowed('restart any a losing 3 torn', '--faults')]
  const strategy = strategyOf('fifo', '--strategy')
  const { failures } = await explore(
    { specification, strategy, seed: 1, allowed, from: 0, until: 60, isEnough: () => false },
    await baselineOf(specification),
  )
  const found = failures.map(({ faults }) => faults.map(printFault).join())
  assert.ok(
    found.some((faults) => / losing [23] torn$/.test(faults)),
    found.join('\n'),
  )
  assert.ok(
    found.some((faults) => / losing \d$/.test(faults)),
    found.join('\n'),
  )
  const failure = failures.find(({ faults }) => faults.some((one) => / losing [23] torn$/.test(printFault(one))))
  assert.ok(failure)
  const { faults, violation } = await shrink(specification, failure)
  assert.is(violation.property, 'a number is counted once by each')
  assert.match(faults.map(printFault).join(), /^restart a@m1 \S.* losing 1$/)
})

test.run()
