/** Runs that never come to rest: they fill the memory for mail, reach the limit of rounds, or have a step that never ends. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DeviationScheduler, NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { execute } from '../../lib/explore/execution.ts'
import { baselineOf, explore as search } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { shrunkRun } from '../../lib/explore/shrunk-run.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { runFaultsAlone } from '../../lib/explore/undisturbed.ts'
import { explore, PromiseBroken } from '../../lib/lab.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { runScenario } from '../bidding/command.ts'
import storming from '../fixtures/storming/storming.ts'

const test = suite('a run that storms')

const FILE = new URL('../fixtures/storming/storming.ts', import.meta.url)
const NOT_TOLD = 'when the failure became inevitable is not known: the run does not end by itself'

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
    assert.ok(error.message.includes(`\n  ${NOT_TOLD}\n`), error.message)
    assert.equal([error.case.inevitable?.step, error.case.inevitable?.curve], [null, []])
    assert.is(error.case.deviations, 1)
    const [, words = ''] = /npx tsx scenarios\/lab\/run\.ts \S+ (.*)$/m.exec(error.message) ?? []
    assert.match(
      words,
      new RegExp(`^--max-rounds 1000 --max-memory 1 --storm ${storm} --schedule b1:\\S+ --runtime inline$`),
    )
  })
}

test('is a failing run if a step never ends, and later runs in the process are as before', async () => {
  const plain = storming.specification(new Map([['storm', ['step']]]))
  const specification = { ...plain, options: { ...plain.options, watchdogMs: 300 } }
  const strategy = strategyOf('portfolio', 'strategy')
  const quest = { specification, strategy, seed: 1, allowed: [], from: 0, until: 100, isEnough: () => true }
  const [failure] = (await search(quest, await baselineOf(specification))).failures
  const text = 'a step of door@d took longer than 300 ms (option watchdogMs): it handled open from client@c0'
  const broken = [{ property: 'every step ends', text }]
  assert.equal(failure?.violations, broken)
  const again = await execute(specification, new DeviationScheduler(failure?.deviations ?? NO_DEVIATIONS))
  assert.equal(again.violations, broken)
  const { deviations, faults } = failure ?? { deviations: NO_DEVIATIONS, faults: [] }
  const small = {
    deviations,
    faults,
    tasks: [],
    violation: { property: 'every step ends', text },
    runs: 0,
    isCut: false,
  }
  const inevitable = await (await shrunkRun(specification, small)).inevitable({ runs: 2 })
  assert.equal(inevitable?.sentences, [NOT_TOLD])
  const undisturbed = await execute(specification, new DeviationScheduler(NO_DEVIATIONS))
  assert.equal(undisturbed.violations, [])
})

/** A search of storming runs whose door is closed first in some of them. */
const stormingSearch = (specification: Specification, late: AbortSignal) => {
  const strategy = strategyOf('portfolio', 'strategy')
  return { specification, strategy, seed: 1, allowed: [], from: 0, until: 100, late }
}

test('is cut off when the time of its search is up, and the search tells how far it was', async () => {
  const plain = storming.specification(new Map([['storm', ['knocks']]]))
  const late = new AbortController()
  const open: Specification['open'] = (system) => {
    system.afterRounds(3000, () => late.abort())
    return plain.open(system)
  }
  const found = await search(stormingSearch({ ...plain, open }, late.signal), await baselineOf(plain))
  const { cut, failures } = found
  assert.equal(failures, [])
  assert.is(cut?.run, found.schedules)
  assert.ok(cut && cut.steps > 1000 && cut.now > 1000 && cut.deviations.holds.length > 0)
})

test('fails if a step never ends, even if the time of its search is up meanwhile', async () => {
  const plain = storming.specification(new Map([['storm', ['step']]]))
  const specification = { ...plain, options: { ...plain.options, watchdogMs: 300 } }
  const deviations = { ...NO_DEVIATIONS, holds: [{ thing: '2.0.t0', until: 2 }] }
  const late = new AbortController()
  const run = async (open: Specification['open']) =>
    await execute({ ...specification, open }, new DeviationScheduler(deviations), [], late.signal)
  const { result } = await run(plain.open)
  // the time is up during the endless step, which keeps the event loop from seeing it
  const { isCut, violations } = await run((system) => {
    system.at(result.end.now, async () => void setTimeout(() => late.abort(), 0))
    return plain.open(system)
  })
  assert.equal([late.signal.aborted, isCut], [true, false])
  assert.equal(
    violations.map(({ property }) => property),
    ['every step ends'],
  )
})

test('fails also under faults alone, where no schedule makes a step go on for ever', async () => {
  const plain = storming.specification(new Map([['storm', ['step']]]))
  const { options } = plain
  const specified = (faults: readonly Fault[]) => ({ ...plain, faults, options: { ...options, watchdogMs: 300 } })
  const allowed = [parseAllowed('pause any client', 'faults')]
  const baseline = await baselineOf(plain)
  const { failure } = await runFaultsAlone({ specified, planned: [], allowed, baseline, seed: 1, runs: 50 })
  assert.equal(failure?.broken, [
    'every step ends: a step of door@d took longer than 300 ms (option watchdogMs): it handled open from client@c0',
  ])
  assert.match(failure?.faults.join() ?? '', /^pause client@c0 for \d+ at \d+$/)
  assert.equal([failure?.brokenBy, failure?.causes], [null, []], 'a run whose step never ends has no causes')
})

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
