import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'

test('runs an order that was cut, although events after the cut may not follow it', async () => {
  const { flags, specification } = scenarioNamed('mesh/run')
  const found = await exhaust({
    specification: specification(collect(flags, []).given),
    reduce: true,
    depth: 2,
    schedules: 20,
  })
  assert.equal([found.schedules, found.failures], [20, []])
})

test.run()
