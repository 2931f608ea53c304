import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runFile, type Verdict } from './runner.ts'

const runner = suite('the test runner')

/** The behaviour of each fixture is the name of its file. */
const expected: [name: string, passed: number, failed: number, fault: RegExp | undefined][] = [
  ['passes', 2, 0, undefined],
  ['fails', 1, 1, undefined],
  ['throws', 0, 1, /ended before its tests did \(exit 1\)/],
  ['exits', 0, 1, /ended before its tests did/],
  ['never', 0, 1, /ended before its tests did/],
  ['rejects', 1, 1, /exit 1 after 1 of 1 tests passed/],
  ['hangs', 0, 1, /hangs: it was ended after 6 s/],
  ['left-open', 1, 1, /something was left open/],
  ['left-process', 1, 1, /left a process behind/],
  ['empty', 0, 1, /has no tests/],
  ['no-suite', 0, 1, /ended before its tests did/],
  ['skips', 1, 1, /skips 1/],
]

const verdicts = new Map<string, Verdict>()

runner.before(async () => {
  const waiting = expected.map(([name]) => name)
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const file = fileURLToPath(new URL(`./fixtures/runner/${name}.ts`, import.meta.url))
      verdicts.set(name, await runFile(file, { seconds: name === 'hangs' ? 6 : 60, graceSeconds: 1 }))
    }
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, work))
})

for (const [name, passed, failed, fault] of expected) {
  runner(`judges a file that is called '${name}'`, () => {
    const verdict = verdicts.get(name)
    assert.equal([verdict?.passed, verdict?.failed], [passed, failed], verdict?.faults.join('; '))
    if (fault === undefined) assert.equal(verdict?.faults, [])
    else assert.match(verdict?.faults.join('; ') ?? '', fault)
  })
}

runner('counts a file that cannot be run here apart, and takes its word only if it ran nothing', async () => {
  const judged = (name: string) =>
    runFile(fileURLToPath(new URL(`./fixtures/runner/${name}.ts`, import.meta.url)), { seconds: 60, graceSeconds: 1 })
  const [honest, boastful] = [await judged('not-run'), await judged('not-run-and-fails')]
  assert.equal([honest.passed, honest.failed, honest.notRun], [0, 0, 'there is no browser'])
  assert.equal([boastful.passed, boastful.failed, boastful.notRun], [0, 1, undefined])
})

runner.run()
