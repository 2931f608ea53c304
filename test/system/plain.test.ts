import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { faultOf } from '../../lib/core/data.ts'
import { poolOf } from '../../lib/experiment/pool.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { System } from '../../lib/system.ts'
import { LOSSES, lossy } from '../fixtures/lossy.ts'
import { throwsSaying } from '../throws.ts'
import { both, does, errorOf, fixture, PUPPET, withSystem } from './harness.ts'

const LOSSY = fixture('lossy.ts')
const study = new URL('../fixtures/lossy.ts', import.meta.url)

test('data that would be lost on the way is found, with its path', () => {
  for (const [what, said] of LOSSES) assert.is(faultOf(lossy(what), 'data'), `data${said}`)
  const holed = Object.assign(new Array<number>(2), { 1: 5, extra: 6 })
  assert.is(faultOf({ 'a b': [holed] }, 'data'), 'data["a b"][0] would lose the field "extra" beside its items')
  assert.is(faultOf({ left: undefined, list: [], n: Number.NaN, deep: { at: [null, 'x', true] } }, 'data'), undefined)
  const long = Array.from({ length: 5000 }, (_, i) => i)
  assert.is(faultOf([long], 'data'), undefined)
  assert.is(faultOf(long.with(4000, Number.NaN), 'data', Number.isFinite), 'data[4000] is NaN')
})

for (const [how, path] of [
  ['tell', 'message.data'],
  ['timer', 'event.data'],
  ['observe', 'fact.data'],
  ['persist', 'record.data'],
  ['compute', 'call.args[0]'],
] as const) {
  both(`a step whose ${how} would lose data on the way fails, and the error names the path`, async (system) => {
    const causes: string[] = []
    system.onDeath(({ cause }) => causes.push(`${cause.name} ${cause.message}`))
    for (const [i, [what]] of LOSSES.entries()) {
      await system.spawn(`a@m${i}`, LOSSY)
      await system.tell(`a@m${i}`, { type: 'send', how, what })
    }
    await system.run()
    const rest = ': only plain data travels (null, booleans, numbers, strings, arrays, plain objects, Uint8Array)'
    for (const [i, [, said]] of LOSSES.entries()) {
      assert.ok(causes[i]?.endsWith(`${path}${said}${rest}`), `${causes[i]}`)
    }
    assert.is(causes.length, LOSSES.length)
  })
}

both('messages, asks and inputs from outside that would lose data on the way are refused', async (system) => {
  await system.spawn('a@m1', PUPPET)
  for (const [what, said] of LOSSES) {
    const message = { type: 'x', data: lossy(what) }
    for (const [asked, path] of [
      [() => system.tell('a@m1', message), 'message.data'],
      [() => system.ask('a@m1', message, { deadline: 5 }), 'message.data'],
      [() => system.spawn('b@m2', PUPPET, message), 'input.data'],
    ] as const) {
      assert.ok((await errorOf(asked())).message.startsWith(path + said))
    }
  }
  const untyped = await errorOf(system.tell('a@m1', JSON.parse('{"n":1}')))
  assert.is(untyped.message, 'a message needs a type: put a text in its field type')
  assert.is((await system.run()).ended, 'idle')
  assert.is(system.actors.length, 1)
})

test('a trace is not begun with settings that would lose data', () => {
  const [[what, said] = ['', '']] = LOSSES
  throwsSaying(() => new System({ about: lossy(what) }), `option about${said}`)
})

test('a computation whose result would lose data on the way ends with an error', async () => {
  await withSystem({ time: 'real', scale: 1 }, async (system) => {
    const errors: string[] = []
    system.onFact(({ type, outcome }) => {
      if (type === 'computed') errors.push(JSON.stringify(outcome))
    })
    await system.spawn('a@m1', PUPPET)
    const call = { module: study.href, export: 'study', args: ['beside'] }
    await system.tell('a@m1', does({ act: 'compute', id: 'c', call }))
    await system.run()
    assert.is(errors.length, 1)
    assert.match(
      errors[0] ?? '',
      /NotPlainError.*result\.data\.words would lose the field \\"index\\" beside its items/,
    )
  })
})

test('points and results of a study that would lose data on the way are refused', async () => {
  for (const [what, said] of LOSSES.slice(0, 2)) {
    const refused = await errorOf(sweep({ module: study, export: 'study', points: [{ data: lossy(what) }] }))
    assert.ok(refused.message.includes(`points[0].data${said}`), refused.message)
    const failed = await errorOf(sweep({ module: study, export: 'study', points: [what], pool: poolOf(1) }))
    assert.ok(failed.message.includes(`result.data${said}`), failed.message)
  }
})

test.run()
