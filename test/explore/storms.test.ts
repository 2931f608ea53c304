/** Runs that never come to rest, because they fill the memory for mail or reach the limit of rounds. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { explore, PromiseBroken } from '../../lib/lab.ts'
import { runScenario } from '../bidding/command.ts'
import storming from '../fixtures/storming/storming.ts'

const test = suite('a run that storms')

const FILE = new URL('../fixtures/storming/storming.ts', import.meta.url)

for (const [storm, says] of [
  [
    'mail',
    /every run comes to rest: mail memory full: .* \(option memoryMB, --max-memory\).*; most mail waits for door@d: \d{2,} messages\n/,
  ],
  ['knocks', /every run comes to rest: it did not end within its limit of 1000 rounds \(option rounds\)/],
] as const) {
  test(`is a failing run like any other, with its schedule and its number (${storm})`, async () => {
    const error = await explore(storming, {
      schedules: 100,
      flags: { storm, maxMemory: 1, maxRounds: 1000 },
      file: FILE,
    }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.instance(error, PromiseBroken)
    if (!(error instanceof PromiseBroken)) return
    assert.is(error.case.property, 'every run comes to rest')
    assert.match(error.message, says)
    assert.is(error.case.deviations, 1)
    const [, words = ''] = /npx tsx scenarios\/lab\/run\.ts \S+ (.*)$/m.exec(error.message) ?? []
    assert.match(
      words,
      new RegExp(`^--max-rounds 1000 --max-memory 1 --storm ${storm} --schedule b1:\\S+ --runtime inline$`),
    )
  })
}

test('fails the command that runs it, in a line', async () => {
  const error = await explore(storming, { schedules: 100, file: FILE }).catch((thrown: unknown) => thrown)
  const [, words = ''] = /npx tsx scenarios\/lab\/run\.ts \S+ (.*)$/m.exec(String(error)) ?? []
  const { code, stdout, stderr } = await runScenario('../test/fixtures/storming/storming', words.split(' '))
  assert.is(code, 1, stderr)
  assert.match(
    stdout,
    /^FAILED the run ended by itself: no; mail memory full: .* \(option memoryMB, --max-memory\).*; most mail waits for door@d: \d{2,} messages/m,
  )
  assert.match(words, '--max-memory 16')
  assert.not.match(stderr, /\n {4}at /)
})

test.run()
