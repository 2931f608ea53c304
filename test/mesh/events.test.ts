/**
 * Random arrivals, departures and rotations by actors (`mesh/events` runs more), and the fairness of rotation.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Policy, randomScript, runScript, type ScriptRun } from '../../scenarios/mesh/scripted.ts'
import { unevenIn } from '../../scenarios/mesh/turns.ts'

const CASES: readonly (readonly [Policy, m: number, n: number, most: number])[] = [
  ['fold', 4, 4, 20],
  ['fold', 2, 3, 16],
  ['equi', 4, 3, 24],
]

const wrongIn = ({ oracle: watch, crashes, end }: ScriptRun) => [
  ...watch.broken.map(({ property, text }) => `${property}: ${text}`),
  ...crashes,
  ...(end.ended === 'idle' ? [] : [end.ended]),
]

for (const [policy, m, n, most] of CASES) {
  test(`${policy}: the rules of partitions hold after any arrival, departure and rotation on ${1 << m}x${1 << n}`, async () => {
    const script = randomScript(most, 120, most)
    const run = await runScript(policy, { m, n }, script, { runtime: 'inline', rounds: 1_000_000 })
    assert.equal(wrongIn(run), [])
    assert.is(run.oracle.steps.length, script.length)
  })
}

test('in N(J) rotations each job takes part in f(J) exchanges, and all jobs have exactly the same share', async () => {
  for (const jobs of [3, 5, 6, 7, 11, 12, 13]) {
    const how = { runtime: 'inline', rounds: 1_000_000 } as const
    assert.equal(await unevenIn({ m: 3, n: 3 }, jobs, how), [])
  }
})

test.run()
