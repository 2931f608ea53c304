import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { both, does, fixture, linesOf, note, PUPPET, spawnPuppets } from './harness.ts'

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

both(
  'a trace has the module, input and records of each incarnation, and the actors known to it at its start',
  async (system) => {
    const lines = linesOf(system, 'spawn', 'begin')
    await system.spawn('a@m1', PUPPET, { start: [{ act: 'persist', record: 1 }] })
    await spawnPuppets(system, 'b@m1')
    await system.tell('b@m1', { type: 'stop' })
    await system.run()
    await system.restart('a@m1')
    await system.run()
    const module = 'test/fixtures/actors/puppet.ts'
    const input = { start: [{ act: 'persist', record: 1 }] }
    assert.equal(plain(lines), [
      { t: 'spawn', at: 0, who: 'a@m1', slot: 1, life: 0, module, input },
      { t: 'spawn', at: 0, who: 'b@m1', slot: 2, life: 0, module, input: null },
      { t: 'begin', at: 0, who: 'a@m1', id: '0.0.1', slots: 2, stopped: [], records: 0 },
      { t: 'begin', at: 0, who: 'b@m1', id: '0.0.2', slots: 2, stopped: [], records: 0 },
      { t: 'spawn', at: 0, who: 'a@m1', slot: 1, life: 1, module, input },
      { t: 'begin', at: 0, who: 'a@m1', id: '0.0.4', slots: 2, stopped: [2], records: 1 },
    ])
  },
)

both('a trace has the messages of the system', async (system) => {
  const lines = linesOf(system, 'send')
  await spawnPuppets(system, 'a@m1')
  await system.tell('a@m1', { type: 'note', n: 1 })
  const way = { t: 'send', at: 0, from: 'system', to: 'a@m1', cause: null, due: 0 }
  assert.equal(plain(lines), [{ ...way, id: '0.0.0', message: { type: 'note', n: 1 } }])
})

both(
  'a trace says when an actor is told who joined and left, even if its machine does not handle it',
  async (system) => {
    await spawnPuppets(system, 'a@m1')
    await system.spawn('member@m2', fixture('member.ts'))
    await system.run()
    const lines = linesOf(system, 'joined', 'left', 'deliver')
    await spawnPuppets(system, 'c@m3')
    await system.run()
    await system.tell('c@m3', { type: 'stop' })
    await system.run()
    const told = lines.map(({ t, who, address, type }) => `${who} ${t} ${address ?? type}`)
    assert.equal(told, [
      'a@m1 joined c@m3',
      'member@m2 joined c@m3',
      'member@m2 deliver joined',
      'c@m3 deliver stop',
      'a@m1 left c@m3',
      'member@m2 left c@m3',
      'member@m2 deliver left',
    ])
  },
  { trace: true },
)

both(
  'a trace names the original of an envelope that the network duplicated',
  async (system) => {
    const lines = linesOf(system, 'send')
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(note('r@m9', 1)))
    await system.run()
    const sends = lines.filter(({ from }) => from === 'a@m1').map(({ id, copyOf }) => [id, copyOf])
    assert.equal(sends, [
      ['1.0.0', undefined],
      ['1.0.1', '1.0.0'],
    ])
  },
  { trace: true, network: { duplicate: 1 } },
)

test.run()
