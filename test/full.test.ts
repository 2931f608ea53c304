import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FULL_ONLY, isFullOnly } from './full.ts'
import { QUICK, repeats } from './repeats.ts'
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

test('leaves the promises of determinism to the usual run', () => {
  const files = testFiles(['determinism']).map(named)
  assert.ok(files.length > 2)
  assert.equal(files.filter(isFullOnly), [])
})

test('leaves out three quarters of the random cases, unless their number is given', () => {
  const kept = { ...process.env }
  try {
    delete process.env['BOURSE_RUNS']
    delete process.env[QUICK]
    assert.is(repeats(12), 12)
    process.env[QUICK] = '1'
    assert.equal([repeats(12), repeats(6), repeats(1)], [3, 2, 1])
    process.env['BOURSE_RUNS'] = '500'
    assert.is(repeats(12), 500)
  } finally {
    process.env = kept
  }
})

test.run()
