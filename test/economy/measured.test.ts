/** The kept results of the full figures (scenarios/economy/measured.jsonl) took hours. They must be the results of runs now. */
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Checkpoint, keyOf } from '../../lib/experiment/checkpoint.ts'
import { replicationSeed } from '../../lib/experiment/replications.ts'
import manifest from '../../package.json' with { type: 'json' }
import { FULL_SPAN } from '../../scenarios/economy/study/flags.ts'
import { type Point, runPoint, STANDARD } from '../../scenarios/economy/study/point.ts'

const kept = new Checkpoint(fileURLToPath(new URL('../../scenarios/economy/measured.jsonl', import.meta.url)))

const POLICIES: readonly Partial<Point>[] = [
  { policy: 'ECON', preset: 'paper' },
  ...(process.env['BOURSE_FULL'] === undefined
    ? []
    : ([{ policy: 'ECON', preset: 'literal' }, { policy: 'RES' }, { policy: 'FCFS' }] as const)),
]

for (const policy of POLICIES) {
  test(`a kept result of ${policy.policy} equals the result of its run`, async () => {
    const point: Point = { ...STANDARD, ...policy, load: 0.1, span: FULL_SPAN, seed: replicationSeed(1, 0) }
    const study = 'scenarios/economy/study/point.ts#runPoint'
    assert.equal(await runPoint(point), kept.get(keyOf({ study, point, version: manifest.version })))
  })
}

test.run()
