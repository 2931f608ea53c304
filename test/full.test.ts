import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FULL_ONLY, isFullOnly } from './full.ts'
import { QUICK, repeats, sampled } from './repeats.ts'
import { named, testFiles } from './suite.ts'

const test = suite('the tests that only the full run has')

test('lists only files that exist', () => {
  const files = testFiles([]).map(named)
  const parts = Object.values(FULL_ONLY).flat()
  assert.equal(
    parts.filter((part) => !files.some((file) => file.startsWith(`test/${part}`))),
    [],
  )
})

for (const [what, pattern, least] of [
  ['the promises of determinism', 'determinism', 3],
  ['the known results of small runs', '/golden', 3],
  ['a mesh on threads', 'mesh/actors', 1],
  ['a cluster on threads', 'shares/coscheduling', 1],
] as const) {
  test(`leaves ${what} to the usual run`, () => {
    const files = testFiles([pattern]).map(named)
    assert.ok(files.length >= least)
    assert.equal(files.filter(isFullOnly), [])
  })
}

test('leaves out three quarters of the cases, unless their number is given', () => {
  const kept = { ...process.env }
  try {
    delete process.env['BOURSE_RUNS']
    delete process.env[QUICK]
    assert.is(repeats(12), 12)
    assert.equal(sampled([1, 2, 3, 4, 5]), [1, 2, 3, 4, 5])
    process.env[QUICK] = '1'
    assert.equal([repeats(12), repeats(6), repeats(1)], [3, 2, 1])
    assert.equal(sampled([1, 2, 3, 4, 5]), [1, 5])
    assert.equal(sampled(['only']), ['only'])
    process.env['BOURSE_RUNS'] = '500'
    assert.is(repeats(12), 500)
  } finally {
    process.env = kept
  }
})

test.run()
