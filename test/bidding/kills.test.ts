import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PROTOCOLS } from '../../scenarios/bidding/run.ts'
import { runPlans } from './kills.ts'

for (const protocol of PROTOCOLS) {
  test(`${protocol}: 6 random plans of kills and restarts on threads: every task is done once`, async () => {
    assert.equal(await runPlans(0, 6, protocol, 'threads'), [])
  })

  test(`${protocol}: 60 random plans inline: every task is done once for its client`, async () => {
    assert.equal(await runPlans(0, 60, protocol, 'inline'), [])
  })

  test(`${protocol}: with 5 % loss and 2 % duplication, too, if requests without a bid are repeated`, async () => {
    assert.equal(await runPlans(0, 3, protocol, 'threads', true), [])
    assert.equal(await runPlans(60, 100, protocol, 'inline', true), [])
  })
}

test.run()
