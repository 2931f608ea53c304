import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/core/time.ts'
import { againstBaseline } from '../../lib/experiment/compare.ts'
import { replicate } from '../../lib/experiment/replications.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { planFaults } from '../../lib/scenario/fault-injector.ts'
import { System } from '../../lib/system.ts'
import { throwsSaying } from '../throws.ts'
import { both, does, errorOf, later, PUPPET, spawnPuppets } from './harness.ts'

const TIME = 'must be a time >= 0 in whole millionths of a unit, as units(5) makes of 5 units, not'
const NO_TIMES = [Number.NaN, -1, 0.5, '5']

/** Passes any value, as JavaScript code can: the result of JSON.parse has no type to check. */
const untyped = (fields: object) => Object.assign(JSON.parse('{}'), fields)

test('units takes numbers only', () => {
  assert.is(units(0.0000014), 1)
  throwsSaying(() => units(Number.NaN), 'units takes a number of units, not NaN')
  throwsSaying(() => units(untyped({}).amount), 'units takes a number of units, not undefined')
})

both('an invalid time is refused in every call, the error names it, and the run continues', async (system) => {
  await spawnPuppets(system, 'a@m1')
  const ping = { type: 'question', n: 1 }
  for (const value of NO_TIMES) {
    const { time } = untyped({ time: value })
    const got = typeof value === 'string' ? `'${value}'` : String(value)
    throwsSaying(() => system.at(time, async () => {}), `at: the instant ${TIME} ${got}`)
    for (const [refused, what] of [
      [() => system.ask('a@m1', ping, { deadline: time }), 'ask: option deadline'],
      [() => system.pause('a@m1', time), 'pause: the duration'],
      [() => system.run({ until: time }), 'run: option until'],
    ] as const) {
      assert.is((await errorOf(refused())).message, `${what} ${TIME} ${got}`)
    }
  }
  const never = await errorOf(system.ask('a@m1', ping, { deadline: Infinity }))
  assert.is(never.message, `ask: option deadline ${TIME} Infinity`)
  assert.is((await errorOf(system.ask('a@m1', ping, untyped({})))).message, `ask: option deadline ${TIME} undefined`)
  throwsSaying(() => planFaults(system, [{ type: 'kill random', every: 0 }]), 'kill random: every must be a time > 0')
  assert.is((await system.run({ until: Infinity })).ended, 'idle')
})

both('a timer without a proper delay or kind fails the step that sets it, and the error says why', async (system) => {
  const told: string[] = []
  system.onDeath(({ cause }) => told.push(cause.message))
  await spawnPuppets(system, 'a@m1', 'b@m1')
  // a message that carries NaN
  await system.tell('a@m1', does(later(Number.NaN, { type: 'stop' })))
  await system.tell('b@m1', does(later(1, { type: 'stop' }, untyped({ kind: 'protocal' }))))
  await system.run()
  assert.ok(told[0]?.endsWith(`as effect 1: timer stop: the delay ${TIME} NaN`), told[0])
  assert.ok(told[1]?.endsWith("timer stop: the kind must be completion, arrival or protocol, not 'protocal'"), told[1])
})

test('an unknown option is refused, and the error suggests the nearest one', async () => {
  for (const [options, message] of [
    [{ sede: 1 }, 'System has no option sede; did you mean seed?'],
    [{ MemoryMb: 1 }, 'System has no option MemoryMb; did you mean memoryMB?'],
    [{ network: { latancy: 1 } }, 'option network has no option latancy; did you mean latency?'],
    [{ network: { speed: 1 } }, 'option network has no option speed; its options are latency, jitter, loss, duplicate'],
    [{ reliable: { tries: 1 } }, 'option reliable has no option tries; its options are timeout, cap, attempts, window'],
  ] as const) {
    throwsSaying(() => new System(untyped(options)), message)
  }
  throwsSaying(() => new System(JSON.parse('5')), 'System takes its options in an object, not 5')
  const module = new URL(import.meta.url)
  const study = { module, export: 'none', points: [] }
  const sweeping = await errorOf(sweep(Object.assign(study, { kep: 'file' })))
  assert.is(sweeping.message, 'sweep has no option kep; did you mean keep?')
  const replicating = await errorOf(replicate(async () => [], untyped({ absolut: 1 })))
  assert.is(replicating.message, 'replicate has no option absolut; did you mean absolute?')
  const policy = { name: 'one', values: [1, 2] }
  throwsSaying(
    () => againstBaseline(policy, [], untyped({ paired: false })),
    'againstBaseline has no option paired; did you mean arePaired?',
  )
})

both('a call with an unknown option is refused, and the error suggests the nearest one', async (system) => {
  await spawnPuppets(system, 'a@m1')
  for (const [refused, message] of [
    [
      () => system.spawn('b@m1', PUPPET, null, untyped({ restarts: 'permanent' })),
      'spawn has no option restarts; did you mean restart?',
    ],
    [
      () => system.spawn('b@m1', PUPPET, null, untyped({ resourceLimits: { oldSize: 1 } })),
      'spawn: option resourceLimits has no option oldSize; its options are',
    ],
    [
      () => system.spawn('b@m1', PUPPET, null, untyped({ restart: 'always' })),
      "spawn: option restart must be temporary, transient or permanent, not 'always'",
    ],
    [() => system.spawn('b@m1', PUPPET, null, { period: 0 }), 'spawn: option period must be a time > 0'],
    [
      () => system.spawn('b@m1', PUPPET, null, { intensity: Number.NaN }),
      'spawn: option intensity must be an integer >= 0, not NaN',
    ],
    [() => system.run(untyped({ til: 5 })), 'run has no option til; did you mean until?'],
    [
      () => system.ask('a@m1', { type: 'x' }, untyped({ timeout: 5 })),
      'ask has no option timeout; its options are deadline',
    ],
    [
      () => system.partition(JSON.parse('["m1", "m2"]')),
      "partition: the sides must be two lists of machines, not [ 'm1', 'm2' ]",
    ],
  ] as const) {
    const { message: said } = await errorOf(refused())
    assert.ok(said.startsWith(message), said)
  }
  assert.is(system.actors.length, 1)
})

test('an option with an unknown value is refused, and the error lists the values', () => {
  for (const [options, message] of [
    [{ time: 'reel' }, "option time must be virtual or real, not 'reel'"],
    [{ runtime: 'thread' }, "option runtime must be threads, pool or inline, not 'thread'"],
    [{ engine: 'xtate' }, "option engine must be compiled, xstate or shadow, not 'xtate'"],
    [{ order: 'casual' }, "option order must be fifo or causal, not 'casual'"],
    [{ schedule: 'lifo' }, "option schedule must be fifo, an integer >= 0 or deviations, not 'lifo'"],
    [{ record: 'no' }, "option record must be true or false, not 'no'"],
    [{ trace: 1 }, 'option trace must be a file, true or false, not 1'],
    [{ reliable: 'yes' }, "option reliable must be true, false, null or an object, not 'yes'"],
    [{ scale: '1' }, "option scale must be milliseconds > 0, not '1'"],
    [{ count: 'bid' }, "option count must be 16 different types at most, not 'bid'"],
    [{ watchdogMs: Infinity }, 'option watchdogMs must be milliseconds > 0 and <= 2147483647, not Infinity'],
    [{ seed: Number.NaN }, 'option seed must be an integer >= 0, not NaN'],
    [{ network: { latency: Number.NaN } }, `option network.latency ${TIME} NaN`],
    [{ network: { loss: '1' } }, "option network.loss must be a probability, from 0 to 1, not '1'"],
    [{ reliable: { timeout: Number.NaN } }, 'option reliable.timeout must be a time > 0'],
  ] as const) {
    throwsSaying(() => new System(untyped(options)), message)
  }
})

test.run()
