/** Coverage by pairs of state and event: those that a machine defines, and those that its actors met. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMachine } from 'xstate'
import { machineIn } from '../../lib/engine/machine.ts'
import { coverageOf, definedBy, metIn } from '../../lib/trace/coverage.ts'
import { leavesOf, stateName } from '../../lib/trace/names.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { runOf } from '../../lib/trace/steps.ts'
import { fixture, spawnPuppets } from '../system/harness.ts'
import { throwsSaying } from '../throws.ts'
import { linesOf } from './traces.ts'

test('a leaf state defines the events that it and its parents name, also ignored ones; a final state defines none', () => {
  const machine = createMachine({
    initial: 'on',
    on: { stop: '.off' },
    states: {
      on: {
        type: 'parallel',
        on: { pause: {} },
        states: {
          light: { initial: 'red', states: { red: { on: { next: 'green' } }, green: { always: 'red' } } },
          sound: { initial: 'low', states: { low: { on: { '*': {} } } } },
        },
      },
      off: { type: 'final' },
    },
  })
  assert.equal(
    [...definedBy(machine)].sort(),
    [
      ...['on.light.green: pause', 'on.light.green: stop'],
      ...['on.light.red: next', 'on.light.red: pause', 'on.light.red: stop'],
      ...['on.sound.low: *', 'on.sound.low: pause', 'on.sound.low: stop'],
    ].sort(),
  )
})

test('a configuration has a leaf in each region', () => {
  assert.equal(leavesOf({ on: { light: 'red', sound: { low: 'deep' } } }), ['on.light.red', 'on.sound.low.deep'])
  assert.equal(['idle', {}, null].map(stateName), ['idle', '-', '-'])
})

test('met pairs are counted by machine and actor, and unhandled events separately', async () => {
  const lines = await linesOf({}, async (system) => {
    await system.spawn('a@m1', fixture('member.ts'))
    await spawnPuppets(system, 'b@m2')
    await system.tell('a@m1', { type: 'call', n: 1 })
    await system.tell('a@m1', { type: 'nonsense' })
    await system.tell('a@m1', { type: 'stop' })
    await system.run()
  })
  const module = 'test/fixtures/actors/member.ts'
  const met = metIn([runOf(traceOf(lines))]).get(module)
  assert.equal(
    [...(met?.get('a@m1')?.pairs ?? [])],
    [
      ['in: call', 1],
      ['in: nonsense', 1],
      ['in: stop', 1],
    ],
  )
  const { default: machine } = await import('../fixtures/actors/member.ts')
  assert.equal(coverageOf(definedBy(machineIn(machine, module)), met?.values() ?? []), {
    defined: 5,
    covered: 2,
    missing: ['in: joined', 'in: left', 'in: called'],
    unhandled: ['in: nonsense'],
  })
})

test('a module that exports no machine is refused', () => {
  throwsSaying(() => machineIn({}, 'a.ts'), 'a.ts does not export a machine')
})

test.run()
