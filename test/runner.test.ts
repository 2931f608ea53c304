import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runFile, type Verdict } from './runner.ts'
import { grouped, named, runFiles, testFiles } from './suite.ts'

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

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/runner/${name}.ts`, import.meta.url))

runner.before(async () => {
  const waiting = expected.map(([name]) => name)
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      verdicts.set(name, await runFile(fixture(name), { seconds: name === 'hangs' ? 6 : 60, graceSeconds: 1 }))
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
  const judged = (name: string) => runFile(fixture(name), { seconds: 60, graceSeconds: 1 })
  const [honest, boastful] = [await judged('not-run'), await judged('not-run-and-fails')]
  assert.equal([honest.passed, honest.failed, honest.notRun], [0, 0, 'there is no browser'])
  assert.equal([boastful.passed, boastful.failed, boastful.notRun], [0, 1, undefined])
})

for (const [names, expected] of [
  [['passes', 'passes-too'], [[3, 0, 1]]],
  [
    ['passes', 'fails'],
    [
      [2, 0, 0],
      [1, 1, 0],
    ],
  ],
  [
    ['not-run', 'skips'],
    [
      [0, 0, 0],
      [1, 1, 0],
    ],
  ],
] as const) {
  runner(`runs ${names.join(' and ')} in one process, and each in its own unless all tests pass`, async () => {
    const limits = { seconds: 60, graceSeconds: 1 }
    const all = await runFiles(names.map(fixture), { parallel: 1, isShared: true, limits })
    assert.equal(
      all.map(({ passed, failed, others }) => [passed, failed, others.length]),
      expected,
    )
  })
}

runner('shows the failure of a shared process, which may not come again in a process of its own', async () => {
  const told: string[] = []
  const { log } = console
  console.log = (text: string) => void told.push(text)
  try {
    await runFiles(['passes', 'fails'].map(fixture), { parallel: 1, isShared: true })
  } finally {
    console.log = log
  }
  const again = told.findIndex((text) => text.startsWith('once more, each file in a process of its own'))
  assert.match(told[again - 1] ?? '', 'FAIL')
})

runner('groups the files of a folder, at most ten in each group', () => {
  const files = testFiles([])
  const groups = grouped(files)
  assert.equal(groups.flat().sort(), [...files].sort())
  assert.ok(groups.length < files.length / 3, `${groups.length} groups`)
  for (const group of groups) {
    assert.ok(group.length <= 10)
    assert.is(new Set(group.map(dirname)).size, 1, group.join(' '))
  }
  const alone = groups.filter(({ length }) => length === 1).flatMap((group) => group.map(named))
  for (const file of ['test/runner.test.ts', 'test/system/notices.test.ts']) assert.ok(alone.includes(file), file)
})

runner.run()
