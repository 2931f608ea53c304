/** Random arrivals, departures and rotations by actors; `mesh/events` has more. And what rotation is fair to, by actors. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Step } from '../../actors/mesh/operator.ts'
import { exchangesOf, periodOf, sizesOf } from '../../actors/mesh/rotations.ts'
import { type Policy, randomScript, runScript, type ScriptRun } from '../../scenarios/mesh/scripted.ts'

const CASES: readonly (readonly [Policy, m: number, n: number, most: number])[] = [
  ['fold', 4, 4, 20],
  ['fold', 2, 3, 16],
  ['equi', 4, 3, 24],
]

const wrongIn = ({ watch, crashes, end }: ScriptRun) => [
  ...watch.broken.map(({ property, text }) => `${property}: ${text}`),
  ...crashes,
  ...(end.ended === 'idle' ? [] : [end.ended]),
]

for (const [policy, m, n, most] of CASES) {
  test(`${policy}: after any arrival, departure and rotation all is as it should be on ${1 << m}x${1 << n}`, async () => {
    const script = randomScript(most, 120, most)
    const run = await runScript(policy, { m, n }, script, { runtime: 'inline', rounds: 1_000_000 })
    assert.equal(wrongIn(run), [])
    assert.is(run.watch.steps.length, script.length)
  })
}

test('in N(J) rotations each job takes part in f(J) exchanges, and all have had exactly the same', async () => {
  for (const jobs of [3, 5, 6, 7, 11, 12, 13]) {
    const [period, { small, large }] = [periodOf(jobs), sizesOf(jobs)]
    const warm = Math.min(small, large)
    const script: Step[] = [
      ...Array.from({ length: jobs }, (_, i): Step => ({ type: 'arrive', job: i + 1 })),
      ...Array.from({ length: warm + period }, (): Step => ({ type: 'rotate' })),
    ]
    const run = await runScript('fold', { m: 3, n: 3 }, script, { runtime: 'inline', rounds: 1_000_000 })
    assert.equal(wrongIn(run), [])
    const sizes = run.watch.steps
      .slice(-period - 1)
      .map(({ rings }) => new Map(rings.flat().map((of) => [of.job, of.size])))
    for (let job = 1; job <= jobs; job++) {
      const own = sizes.map((of) => of.get(job))
      const changes = own.filter((size, i) => i > 0 && size !== own[i - 1]).length
      assert.is(changes, exchangesOf(jobs), `exchanges of ${job} of ${jobs}`)
      assert.is(own.slice(1).filter((size) => size === 's').length * jobs, small * period, `share of ${job} of ${jobs}`)
    }
  }
})

test.run()
