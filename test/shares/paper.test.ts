/** The paper's numbers as the project has them, compared with theory and with each other. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DEDICATED, dedicatedRate, PAPER, PROGRESS, SLOWDOWNS } from '../../scenarios/shares/paper/converged.ts'
import { FACTS } from '../../scenarios/shares/paper/facts.ts'
import { DEFAULTS, spinOf } from '../../scenarios/shares/paper/parameters.ts'

const test = suite("the paper's values of coscheduling")

const isUnique = (keys: readonly unknown[]) =>
  assert.is(new Set(keys.map((key) => JSON.stringify(key))).size, keys.length)

test('no two rows have the same parameters', () => {
  isUnique(PROGRESS.map(({ parameters }) => parameters))
  isUnique(SLOWDOWNS.map(({ parameters }) => parameters))
  isUnique(DEDICATED.map(({ parameters }) => parameters))
  isUnique(FACTS.map(({ id }) => id))
  assert.equal([FACTS.length, SLOWDOWNS.length, DEDICATED.length], [16, 106, 26])
})

test('the rate of a job alone is its formula to a hundredth', () => {
  for (const { parameters, rate } of DEDICATED)
    assert.ok(Math.abs(dedicatedRate(parameters) / rate - 1) < 0.01, JSON.stringify(parameters))
})

test("the paper's 1.8 is ours, its 2.7 lies between those for the default spin and for half the spread", () => {
  const [second, third] = PROGRESS.find(({ varied }) => JSON.stringify(varied) === '{}')?.progress ?? []
  const half = PROGRESS.find(({ varied: { spin, ...others } }) => {
    return typeof spin === 'object' && spin.spread === 0.5 && Object.keys(others).length === 0
  })?.progress[1]
  assert.ok(second && third && half)
  assert.ok(Math.abs(second[0] - PAPER[0]) <= second[1])
  assert.ok(half[0] - half[1] < PAPER[1] && PAPER[1] < third[0])
})

test('a process spins for 2.52 ms by default', () => {
  assert.ok(Math.abs((spinOf(DEFAULTS) ?? 0) - 2.52) < 1e-12)
  assert.is(spinOf({ ...DEFAULTS, spin: 'block' }), 0)
  assert.is(spinOf({ ...DEFAULTS, spin: 'endless' }), null)
})

test.run()
