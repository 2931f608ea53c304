import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { LiveActor } from '../../lib/report/live-messages.ts'
import { actorRows, machineRows } from '../../lib/report/roster-rows.ts'

const rows = suite('the rows of a live page')

const actor = (address: string, more: Partial<LiveActor> = {}): LiveActor => ({
  address,
  life: 'alive',
  at: null,
  state: 'idle',
  mailbox: 2,
  rate: 1.25,
  steps: 1200,
  doing: 'task 15',
  ...more,
})
const dead = (address: string, at: number) => actor(address, { life: 'dead', at })

rows('when a run is over, actors and machines have their steps in all, and no rate', () => {
  const both = [actor('a@m1'), actor('b@m1', { steps: 30 })]
  const [actors, machines] = [actorRows(both, true), machineRows(both, true)]
  assert.equal([actors.head[4], machines.head[4]], ['steps', 'steps'])
  assert.equal(
    [...actors.rows, ...machines.rows].map(({ cells }) => cells[4]),
    ['1,200', '30', '1,230'],
  )
})

rows('an actor has its state, its life, its mailbox, its rate and its work', () => {
  const paused = actor('b@m1', { life: 'paused', at: 3_500_000, rate: 12.6, doing: '' })
  const table = actorRows([actor('a@m1'), paused, dead('c@m2', 2_000_000)])
  assert.equal(
    table.rows.map(({ cells }) => cells),
    [
      ['a@m1', 'idle', 'alive', '2', '1.3', 'task 15'],
      ['b@m1', 'idle', 'paused until 3.50', '2', '13', ''],
      ['c@m2', 'idle', 'dead since 2.00', '2', '1.3', 'task 15'],
    ],
  )
  assert.equal(
    table.rows.map(({ isAnyAlive, isAnyDead }) => [isAnyAlive, isAnyDead]),
    [
      [true, false],
      [true, false],
      [false, true],
    ],
  )
  assert.is(table.head.length, table.numbers.length)
})

rows('a machine has a row of its own if it has several actors, with the sums of their mailboxes and rates', () => {
  const table = machineRows([actor('a@m1'), actor('alone@m2'), actor('b@m1', { doing: 'task 16' })])
  assert.equal(table.rows, [
    {
      who: '@m1',
      cells: ['m1', '2', 'alive', '4', '2.5', 'task 15, task 16'],
      isAnyAlive: true,
      isAnyDead: false,
    },
  ])
})

rows('the life of a machine is that of its actors: dead since the last death, or in part', () => {
  const lifeOf = (...actors: LiveActor[]) => machineRows(actors).rows[0]?.cells[2]
  assert.is(lifeOf(dead('a@m', 1_000_000), dead('b@m', 2_000_000)), 'dead since 2.00')
  assert.is(lifeOf(dead('a@m', 1_000_000), actor('b@m')), '1 of 2 dead')
  assert.is(lifeOf(actor('a@m', { life: 'paused', at: 1_000_000 }), actor('b@m')), 'some are paused')
})

rows.run()
