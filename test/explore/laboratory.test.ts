/** The laboratory as functions: `explore` and `replay` in a test of one's own. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { parentOf } from '../../lib/core/address.ts'
import { BrokenUndisturbed, explore, PromiseBroken, replay, replayCorpus } from '../../lib/lab.ts'
import { always, defineScenario, promises } from '../../lib/scenario.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import adding from '../fixtures/adding/adding.ts'
import prompt from '../fixtures/prompt.ts'
import punctual from '../fixtures/punctual.ts'
import undying from '../fixtures/undying.ts'
import { does, later, note, PUPPET } from '../system/harness.ts'

/** The error that a promise is rejected with. */
const caught = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )

const FILE = new URL('../fixtures/adding/adding.ts', import.meta.url)

test('explore throws the smallest run that breaks a promise, with the command that repeats it', async () => {
  const error = await caught(explore(adding, { schedules: 100, file: FILE }))
  assert.instance(error, PromiseBroken)
  assert.match(error.message, 'no addition is lost: the register has 1 after 2 additions')
  assert.match(
    error.message,
    /npx tsx scenarios\/lab\/run\.ts test\/fixtures\/adding\/adding\.ts .*--schedule b1:\S+ --runtime inline/,
  )
  assert.ok(error instanceof PromiseBroken && error.case.deviations <= 2)
})

test('explore also fails if the scenario breaks a promise without a search, and no run of the search does', async () => {
  const file = new URL('../fixtures/prompt.ts', import.meta.url)
  const error = await caught(explore(prompt, { schedules: 10, file }))
  assert.ok(error instanceof BrokenUndisturbed)
  assert.equal(error.broken, ['an addition takes no time: it came late'])
  assert.match(
    error.message,
    /came late\n {2}to repeat it, without a schedule:\n {2}npx tsx scenarios\/lab\/run\.ts test\/fixtures\/prompt\.ts$/,
  )
})

test('explore also fails if faults alone break a promise about times, with the fewest that do', async () => {
  const file = new URL('../fixtures/punctual.ts', import.meta.url)
  assert.is((await explore(punctual, { schedules: 100 })).schedules, 100)
  const error = await caught(
    explore(punctual, { schedules: 200, faults: ['pause any register 2', 'kill any client'], file }),
  )
  assert.ok(error instanceof BrokenUndisturbed, String(error))
  assert.equal(error.broken, ['an addition comes at 1: it came late'])
  assert.match(
    error.message,
    /without a schedule:\n {2}npx tsx scenarios\/lab\/run\.ts test\/fixtures\/punctual\.ts --fault 'pause register@r for [\d.]+ at [\d.]+'$/,
  )
  assert.match(error.message, /\n {2}what led to it; \* marks what the schedule or a fault decided:\n/)
  assert.match(error.message, /\n {2}\* at [\d.]+ the fault "pause register@r .*" strikes\n/)
})

test('explore tells a failing run as it was found if its repetition does not fail', async () => {
  const file = new URL('../fixtures/undying.ts', import.meta.url)
  const error = await caught(explore(undying, { schedules: 10, faults: ['kill any register'], file, inevitable: 5 }))
  assert.ok(error instanceof PromiseBroken, String(error))
  assert.match(
    error.message,
    /^run \d+ fails\nnobody dies: register@r is dead\n {2}not shrunk; to repeat it:\n {2}npx tsx scenarios\/lab\/run\.ts test\/fixtures\/undying\.ts .*--fault 'kill register@r .*--runtime inline\n {2}its repetition did not fail: nobody dies: the shrunk run does not break it/,
  )
  const { property, text, faults, notReproduced, runs, command } = error.case
  assert.equal([property, text, faults, runs], ['nobody dies', 'register@r is dead', 1, 0])
  assert.match(notReproduced ?? '', /^nobody dies: the shrunk run does not break it/)
  assert.ok(error.message.includes(command))
})

test('explore tells the smallest run so far when the time for shrinking is up', async () => {
  const error = await caught(explore(adding, { schedules: 100, shrinkSeconds: 0.001 }))
  assert.ok(error instanceof PromiseBroken)
  assert.is(error.case.isCut, true)
  assert.match(error.message, 'found in run')
})

test('replay runs a printed schedule, and tells the promises that it breaks', async () => {
  const error = await caught(explore(adding, { schedules: 100 }))
  assert.ok(error instanceof PromiseBroken)
  const broken = ['no addition is lost: the register has 1 after 2 additions']
  assert.equal(await replay(adding, error.case.schedule), broken)
  assert.match(
    String(await caught(replay(adding, 'fifo'))),
    /replay: schedule must be a schedule that the explorer printed/,
  )
  assert.match(String(await caught(replay(adding, error.case.schedule, { latency: '2' }))), /--schedule/)
})

test('explore tells from which step on the run fails whatever comes next, unless 0 continuations are asked for', async () => {
  const failing = async (inevitable?: number) => {
    const search = { schedules: 100, strategy: 'random', ...(inevitable !== undefined && { inevitable }) }
    const error = await caught(explore(adding, search))
    assert.ok(error instanceof PromiseBroken)
    return error
  }
  for (const [inevitable, runs] of [
    [undefined, 50],
    [20, 20],
  ] as const) {
    const { message, case: found } = await failing(inevitable)
    assert.is(found.inevitable?.step, 7)
    assert.ok(found.inevitable?.curve.every((share) => share.runs === runs))
    assert.match(
      message,
      /\n {2}the failure is inevitable from step 7 on: at 8 register@r handles read from client@c2 \(3\.0\.0\)\n/,
    )
  }
  const { message, case: found } = await failing(0)
  assert.is(found.inevitable, undefined)
  assert.not.match(message, 'inevitable')
  assert.match(message, 'what led to it')
  assert.match(
    String(await caught(explore(adding, { inevitable: -1 }))),
    /explore: option inevitable must be an integer from 0 to 10000/,
  )
  assert.match(String(await caught(explore(adding, { shrinkSeconds: 0 }))), /option shrinkSeconds must be seconds > 0/)
})

test('explore tells what it did when all promises were kept, also with faults', async () => {
  const flags = { tasks: 3, clients: '2', reliable: true }
  const found = await explore(biddingMarket, { schedules: 20, flags, faults: ['kill any contractor 1'] })
  assert.is(found.schedules, 20)
  assert.ok(found.struck > 0 && found.struck < 20, `${found.struck} of 20`)
  assert.ok(found.outcomes >= 1 && found.steps > 20)
  assert.ok(Array.isArray(found.neverSeen))
})

const family = defineScenario({
  name: 'family',
  open: async (system) => {
    await system.spawn('boss@m1', PUPPET)
    const spawning = { act: 'spawn', name: '1' } as const
    const noting = [2, 3].map((t) => later(units(t), does(note('boss.1@m1', t)), { id: `at ${t}` }))
    await system.tell('boss@m1', does(spawning, ...noting))
  },
  oracle: promises(
    always('no child dies', ({ deaths }) => deaths.flatMap(({ who }) => (parentOf(who) ? [`${who} died`] : []))),
  ),
})

test('the faults of explore strike children, by their role and as the children of a role', async () => {
  for (const fault of ['kill any boss.1', 'kill any boss.*']) {
    const error = await caught(explore(family, { schedules: 20, faults: [fault] }))
    assert.match(error.message, 'no child dies: boss.1@m1 died')
    assert.match(error.message, /--fault 'kill boss\.1@m1 (at|after|when) /)
  }
  const strange = await caught(explore(family, { faults: ['kill any worker'] }))
  assert.match(
    strange.message,
    'unknown role "worker" in explore: option faults "kill any worker"; known: boss, boss.1, ',
  )
})

test('explore refuses options and flags that do not exist, and names those that do', async () => {
  assert.match(String(await caught(explore(adding, { schedules: 0 }))), /schedules/)
  assert.match(String(await caught(explore(adding, { flags: { latencies: '1' } }))), /latenc/)
  assert.match(
    String(await caught(explore(adding, { flags: { reliable: 'false' } }))),
    /reliable of adding must be true or false/,
  )
  assert.match(String(await caught(explore(adding, { strategy: 'best' }))), /explore: option strategy/)
  assert.match(String(await caught(explore(adding, { faults: ['burn any client'] }))), /explore: option faults/)
})

test('refuses a value that is no scenario, in each function', async () => {
  const refused = (started: Promise<unknown>) => started.catch((error: unknown) => String(error))
  for (const [name, started] of [
    ['explore', explore(JSON.parse('{}'))],
    ['replay', replay(JSON.parse('{}'), 'b1:0')],
    ['replayCorpus', replayCorpus(JSON.parse('{}'), '.')],
  ] as const) {
    assert.is(await refused(started), `UsageError: ${name} needs a scenario that defineScenario made`)
  }
})

test.run()
