/** The text of a failing case. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { caseText, foundText } from '../../lib/explore/counterexample.ts'
import { crashed, inSentence } from '../../lib/scenario/oracle.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'

const found = {
  property: 'no job is lost',
  text: 'job 1 is lost',
  runs: 3,
  isCut: false,
  run: 7,
  flags: {},
  schedule: 'b1:0',
  brokenBy: null,
  causes: [],
  deviations: 0,
  faults: 0,
  tasks: 0,
  command: 'npx bourse run jobs.ts --schedule b1:0',
}

test('a failing run with a long schedule is told with its faults, and with a way to get it again', () => {
  const holds = Array.from({ length: 400 }, (_, i) => ({ thing: `6.0.${i}`, until: 1000 + i }))
  const text = foundText(
    { name: 'bidding/market', scenario: biddingMarket },
    { given: [['tasks', ['2']]], limits: {} },
    {
      run: 14,
      violations: [{ property: 'no job is lost', text: 'job 1 is lost' }],
      deviations: { holds, lost: [], doubled: [] },
      faults: ['kill contractor@m1 at 3', 'pause client@c1 for 2 at 9'],
    },
  )
  assert.match(text, /its schedule of \d+ characters is not printed: --corpus FOLDER keeps the run with it/)
  assert.match(text, 'the same search finds it again as run 14')
  assert.match(text, '\n  - kill contractor@m1 at 3\n  - pause client@c1 for 2 at 9')
})

test('a case without a fault and in plain order says so', () => {
  assert.is(
    caseText({ ...found, sentences: [] }),
    [
      'no job is lost: job 1 is lost',
      '  found in run 7, shrunk in 3 runs:',
      '  - it fails without any deviation or fault',
      '  to repeat it, inline or with --runtime threads:',
      '  npx bourse run jobs.ts --schedule b1:0 --runtime inline',
    ].join('\n'),
  )
  assert.match(caseText({ ...found, sentences: ['kill a@m1 at 1'] }), /\n {2}- kill a@m1 at 1\n/)
})

test('a case says which step broke the promise', () => {
  const brokenBy = 'the promise breaks at 3, when a@m1 handles go from b@m2 (2.0.0)'
  const text = caseText({ ...found, brokenBy, sentences: ['kill a@m1 at 1'] })
  assert.ok(text.includes(`\n  - kill a@m1 at 1\n  ${brokenBy}\n`), text)
})

test('a case of hundreds of deviations tells the first and the last of them', () => {
  const sentences = Array.from({ length: 207 }, (_, i) => `kill a@m${i} at 1`)
  const lines = caseText({ ...found, sentences, runs: 1 }).split('\n')
  assert.is(lines[1], '  found in run 7, shrunk in 1 run:')
  assert.equal(lines.slice(11, 14), ['  - kill a@m9 at 1', '  - ... and 187 more', '  - kill a@m197 at 1'])
  assert.is(lines.length, 25)
})

test('a case tells what led to the violation, unless that is the violation alone', () => {
  const [first, last] = [
    { text: 'at 1 a@m1 handles start', isDecision: false },
    { text: 'at 2 a@m1 handles go from b@m2', isDecision: true },
  ]
  const text = caseText({ ...found, sentences: [], causes: [first, last] })
  const told = ['what led to it; * marks what the schedule or a fault decided:', `  ${first.text}`, `* ${last.text}`]
  assert.ok(text.includes(told.map((line) => `\n  ${line}`).join('')), text)
  assert.not.match(caseText({ ...found, sentences: [], causes: [first] }), first.text)
})

test('a crash is told once, with or without numbers', () => {
  for (const text of ['sink@s died of Error: boom', 'sink@s died of Error: 7 left'])
    assert.is(inSentence(crashed(text)), `no actor crashes: ${text}`)
})

test.run()
