/** Protocols that never rest: the disturbed part of a run, and its calm part. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HOLD_BOUNDS, NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { units } from '../../lib/core/time.ts'
import { execute } from '../../lib/explore/execution.ts'
import { random } from '../../lib/explore/strategies/random.ts'
import { BrokenUndisturbed, explore, PromiseBroken, replay } from '../../lib/lab.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { parseSchedule } from '../../lib/scenario/schedule-string.ts'
import { runScenario } from '../bidding/command.ts'
import election from '../fixtures/election/election.ts'
import { repeats, sampled } from '../repeats.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('a protocol that never rests')

const FAULTS = ['kill any member', 'restart any member', 'lose 2', 'double']
const PROMISE = 'all living members follow the greatest of them'

for (const strategy of ['random', 'pct:3', 'delay:2']) {
  test(`keeps what it promises in the end, whatever disturbs it before its calm part (${strategy})`, async () => {
    const { schedules } = await explore(election, { schedules: repeats(60), strategy, faults: FAULTS })
    assert.is(schedules, repeats(60))
  })
}

test('breaks it with a mistake, and the printed schedule says when the calm part begins', async () => {
  const flags = { slip: true }
  const error = await explore(election, { schedules: 60, flags, faults: FAULTS }).catch((thrown: unknown) => thrown)
  if (!(error instanceof PromiseBroken)) throw new Error('no run broke the promise')
  assert.is(error.case.property, PROMISE)
  const { bounds } = parseSchedule(error.case.schedule, 'schedule').deviations
  assert.equal(bounds, { ...HOLD_BOUNDS, calm: units(300) })
  assert.match((await replay(election, error.case.schedule, { ...flags, fault: error.case.sentences })).join(), PROMISE)
})

test('is disturbed by no deviation and no fault in its calm part', async () => {
  const specification = election.specification(new Map())
  const { deviations, result } = await execute(specification, random({ seed: 1, run: 0, decisions: 0 }))
  assert.is(result.end.now, units(600))
  assert.ok(result.isSettled && !result.isIdle)
  const early = await execute({ ...specification, calm: 0 }, random({ seed: 1, run: 0, decisions: 0 }))
  assert.equal(early.deviations, { ...NO_DEVIATIONS, bounds: { longest: units(250), calm: 0 } })
  assert.ok(deviations.holds.length > 0)
  const late = 'kill member@m1 after 90 coordinator'
  const { result: calm } = await execute(
    election.specification(collect(election.flags, ['--fault', late]).given),
    random({ seed: 1, run: 0, decisions: 0 }),
  )
  assert.equal([calm.missed.length, calm.dead.size], [1, 0])
})

test('refuses a fault that is planned for its calm part', () => {
  const given = (fault: string) => collect(election.flags, ['--fault', fault]).given
  throwsSaying(
    () => election.specification(given('pause member@m1 for 100 at 250')),
    '--fault "pause member@m1 for 100 at 250" must be over before 300, when the calm of election begins',
  )
  election.specification(given('kill random every 100'))
})

test('ends as a command, too', async () => {
  const { code, stdout, stderr } = await runScenario('../test/fixtures/election/election', ['--runtime', 'inline'])
  assert.is(code, 0, stderr)
  assert.match(stdout, /^ok {5}the run went on to its end: yes/m)
})

test('needs an end: a search fails before its first schedule, and a run that has gone on for long', async () => {
  const says = /^every run comes to rest: without a disturbance it .* an end \(`until`\) and a calm part \(`calm`\)/
  for (const schedules of [1, 10_000]) {
    const error = await explore(election, { schedules, livelock: 3000, flags: { endless: true } }).catch(
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof BrokenUndisturbed)) throw new Error('the search ran')
    assert.match(error.message, says)
  }
  const file = '../test/fixtures/election/election'
  for (const strategy of sampled(['random', 'exhaustive'])) {
    const args = [`${file}.ts`.slice(3), '--endless', '--livelock', '3000', '--strategy', strategy]
    const { code, stderr } = await runScenario('lab/explore', args)
    assert.is(code, 1, stderr)
    assert.match(stderr, /^bourse: every run comes to rest: without a disturbance it went on for 3000 steps /m)
  }
  const run = await runScenario(file, ['--endless', '--runtime', 'inline', '--max-rounds', '100100'])
  assert.is(run.code, 1, run.stderr)
  assert.match(
    run.stderr,
    /^election is at [\d.]+ units after 100000 rounds\. If its actors go on for ever, end the run: /m,
  )
  assert.match(run.stdout, /^FAILED the run ended by itself: no; 100100 rounds \(option rounds\)/m)
})

test.run()
