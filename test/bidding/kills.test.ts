import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runPlans } from './kills.ts'

test('20 random plans of kills and restarts on threads: every task is done once for its client', async () => {
  assert.equal(await runPlans(0, 20, 'threads'), [])
})

test('200 random plans inline: every task is done once for its client', async () => {
  assert.equal(await runPlans(0, 200, 'inline'), [])
})

test('with 5 % loss and 2 % duplication nothing is done twice and nothing hangs', async () => {
  assert.equal(await runPlans(0, 5, 'threads', true), [])
  assert.equal(await runPlans(0, 100, 'inline', true), [])
})

test.run()
