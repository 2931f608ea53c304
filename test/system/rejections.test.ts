import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TYPESCRIPT } from '../typescript.ts'

const script = fileURLToPath(new URL('../fixtures/actors/rejecting.ts', import.meta.url))

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [...TYPESCRIPT, script, ...args], { encoding: 'utf8', timeout: 30_000 })

const ALL_WENT_ON = `a@m1 rejected
b@m2 rejected
a@m1 pinged
b@m2 pinged
c@m3 pinged
alive,alive,alive
`

for (const [runtime, time] of [
  ['threads', 'virtual'],
  ['inline', 'virtual'],
  ['threads', 'real'],
] as const) {
  test(`an unhandled rejection in an actor ends neither the actor nor the process, and is reported with the address (${runtime}, ${time} time)`, () => {
    const { status, stdout, stderr } = run(runtime, time)
    assert.is(status, 0, stderr)
    assert.equal(stdout.split('\n').sort(), ALL_WENT_ON.split('\n').sort())
    for (const said of [
      /unhandled rejection in a@m1 .*: RangeError: at once\n/,
      /in b@m2 .*: RangeError: after a promise\n/,
    ]) {
      assert.match(stderr, said)
    }
    assert.match(stderr, /rejects\.ts:\d+:\d+/)
  })
}

test('an unhandled rejection of the program itself ends the process as usual, also with inline actors', () => {
  const { status, stderr } = run('inline', 'virtual', 'of the program')
  assert.is(status, 1)
  assert.match(stderr, /Error: of the program\n/)
})

test.run()
