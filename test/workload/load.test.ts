import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { generateJobs } from '../../lib/workload/generate.ts'
import { offeredLoad } from '../../lib/workload/load.ts'

test('the offered load is all work over the capacity of the machines between the first arrival and the last', () => {
  const jobs = [
    { arrival: 110, work: 30 },
    { arrival: 100, work: 10 },
    { arrival: 120, work: 0 },
  ]
  assert.is(offeredLoad(jobs, 4), 40 / (4 * 20))
})

test('jobs that all arrive at once, one job and none offer no load', () => {
  assert.is(offeredLoad([{ arrival: 5, work: 1 }], 1), null)
  assert.is(
    offeredLoad(
      [
        { arrival: 5, work: 1 },
        { arrival: 5, work: 1 },
      ],
      1,
    ),
    null,
  )
  assert.is(offeredLoad([], 1), null)
})

test('a generated workload offers about the requested load', () => {
  const speeds = [4, 1, 1]
  const jobs = generateJobs({ seed: 1, tasks: 50_000, load: 0.7, speeds, errors: 'perfect' })
  const offered = offeredLoad(jobs, 6) ?? 0
  assert.ok(Math.abs(offered - 0.7) < 0.02, String(offered))
})

test.run()
