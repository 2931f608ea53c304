import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FULL_ONLY, isFullOnly } from './full.ts'
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

test.run()
