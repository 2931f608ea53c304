/** The specification's small runs, job by job, on threads and inline. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toUnits } from '../../lib/actor.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { sampled } from '../repeats.ts'
import { economyOf } from './golden/economy.ts'
import type { Ran } from './golden/vector.ts'
import { VECTORS } from './golden/vectors.ts'

const CASES = VECTORS.flatMap((vector) =>
  vector.expect.flatMap(({ policies, ran }) => policies.map((policy) => ({ vector, policy, ran }))),
)

/** All inline, on both engines together; on threads all in the full run. */
const WAYS = [
  ['inline', 'shadow', CASES],
  ['threads', 'compiled', sampled(CASES)],
] as const

/** Times are exact; amounts are as exact as doubles. */
const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-12 * Math.max(1, Math.abs(other))

function check(job: string, ours: Ran, theirs: Ran): void {
  for (const key of ['start', 'finish', 'kind', 'decided', 'wasted'] as const) {
    if (theirs[key] !== undefined) assert.is(ours[key], theirs[key], `${job}: ${key}`)
  }
  for (const key of ['price', 'paid'] as const) {
    const expected = theirs[key]
    const got = ours[key] ?? Number.NaN
    if (expected !== undefined) assert.ok(isNear(got, expected), `${job}: ${key} ${got}, expected ${expected}`)
  }
}

for (const [runtime, engine, cases] of WAYS) {
  for (const { vector, policy, ran } of cases) {
    test(`${vector.name} ${policy} ${runtime}: each job starts, ends and pays as it should`, async () => {
      const run = await economyRun.run(economyOf(vector, policy), { runtime, engine })
      assert.equal(run.broken, [])
      assert.equal(run.crashes, [])
      assert.is(run.oracle.ledger.jobs.size, vector.jobs.length)
      for (const theirs of ran) {
        const story = run.oracle.ledger.jobs.get(theirs.job)
        assert.ok(story?.started && story.end)
        const { at, kind, decided, wasted, price, paid } = story.started
        const ours = {
          job: theirs.job,
          start: toUnits(at),
          finish: toUnits(story.end.at),
          kind,
          decided: toUnits(decided),
          wasted: toUnits(wasted),
          price,
          paid,
        }
        check(`job ${theirs.job}`, ours, theirs)
      }
    })
  }
}

test.run()
