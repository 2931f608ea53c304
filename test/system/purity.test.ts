import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { register } from '../../lib/core/code-registry.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { IMPORTED, USES } from '../fixtures/actors/clockwork.ts'
import { both, factsOf, fixture, withSystem } from './harness.ts'

const CLOCKWORK = fixture('clockwork.ts')
const EVERY = [
  ...Object.keys(USES).map((what) => ({ type: 'use', what })),
  ...Object.keys(IMPORTED).map((what) => ({ type: 'import', what })),
]

const mendOf = (what: string): string => {
  if (/\bset/.test(what)) return 'timer(id, delay, event)'
  if (what === 'crypto.randomUUID()') return 'newId(key)'
  return /random|Random/.test(what) ? 'draw(purpose, key)' : 'now()'
}

both(
  'a step in virtual time that uses a clock or chance of the process fails, and the error names the mend',
  async (system) => {
    const causes: string[] = []
    system.onDeath(({ cause: { name, message } }) => causes.push(`${name}: ${message}`))
    for (const [i, message] of EVERY.entries()) {
      await system.spawn(`c${i}@m1`, CLOCKWORK)
      await system.tell(`c${i}@m1`, message)
    }
    await system.run()
    assert.equal(
      causes,
      EVERY.map(
        ({ what }) =>
          `ImpureStep: ${what} in a step: in virtual time use ${mendOf(what)}, so that the run can be repeated (option impure lets it pass)`,
      ),
    )
  },
)

both('a step fails for a function of the process that its module has kept, as for any other', async (system) => {
  const causes: string[] = []
  system.onDeath(({ cause: { name, message } }) => causes.push(`${name}: ${message.slice(0, 13)}`))
  await system.spawn('k@m1', fixture('keeps-random.ts'))
  await system.tell('k@m1', { type: 'use' })
  await system.run()
  assert.equal(causes, ['ImpureStep: Math.random()'])
})

both('dates of a given time are no clock', async (system) => {
  const facts = factsOf(system)
  await system.spawn('c@m1', CLOCKWORK)
  await system.tell('c@m1', { type: 'allowed' })
  await system.run()
  assert.equal(facts, [{ type: 'dates', given: 5, isDate: true, parsed: 0, who: 'c@m1', at: 0 }])
})

test('a step that fails for a clock fails in a replay, and one that may use it does not', async () => {
  register({ actors: [CLOCKWORK] })
  for (const impure of [false, true]) {
    const lines = await withSystem({ runtime: 'inline', record: true, impure }, async (system) => {
      system.onDeath(() => {})
      await system.spawn('c@m1', CLOCKWORK)
      await system.tell('c@m1', { type: 'use', what: 'Date.now()' })
      await system.run()
      await system.stop()
      return [...system.recorded()]
    })
    const replay = await Replay.open(traceOf(lines.map((line) => JSON.parse(JSON.stringify(line)))))
    const crashes = [...replay].map(({ record }) => record.crash?.name)
    assert.equal(crashes, [undefined, impure ? undefined : 'ImpureStep'])
  }
})

for (const options of [
  { impure: true, runtime: 'threads' },
  { impure: true, runtime: 'inline' },
  { time: 'real' },
] as const) {
  test(`with ${JSON.stringify(options)} steps may use them`, () =>
    withSystem(options, async (system) => {
      const facts = factsOf(system)
      await system.spawn('c@m1', CLOCKWORK)
      for (const message of EVERY) await system.tell('c@m1', message)
      await system.run()
      assert.is(facts.length, EVERY.length)
    }))
}

test('inline, the process has its clocks between steps, and gets its own functions back when the last system stops', async () => {
  const own = () => [
    Date,
    Date.now,
    Date.prototype.constructor,
    Math.random,
    setTimeout,
    performance.now,
    crypto.randomUUID,
  ]
  const before = own()
  await withSystem({ runtime: 'inline' }, async () => {
    await withSystem({ runtime: 'inline' }, async () => {
      assert.is.not(Math.random, before[3])
    })
    assert.is.not(Math.random, before[3])
    assert.instance(new Date(), Date)
    assert.is(new Date().constructor, Date)
    assert.ok(Date.now() > 0 && performance.now() > 0 && Math.random() < 1 && crypto.randomUUID().length === 36)
    assert.type(Date(), 'string')
    await promisify(setTimeout)(1)
  })
  assert.equal(
    own().map((one, i) => one === before[i]),
    before.map(() => true),
  )
  assert.is(Object.hasOwn(performance, 'now'), false)
})

test.run()
