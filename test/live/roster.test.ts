/** The list of actors on a live page. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { ACTORS_MAX, Roster } from '../../lib/live/roster.ts'
import { LIMITS } from '../../lib/report/model.ts'
import { Reading } from '../../lib/report/reading.ts'
import { machineRows } from '../../lib/report/roster-rows.ts'
import type { ActorCounts } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'

const counts = (address: string, more: Partial<ActorCounts> = {}): ActorCounts => ({
  address,
  status: 'alive',
  mailbox: 0,
  deferred: 0,
  steps: 0,
  restarts: 0,
  ...more,
})
const line = (t: string, at: number, more: Omit<Line, 't'> = {}): Line => ({
  t,
  at: units(at),
  who: 'a@m1',
  cause: 'Killed',
  ...more,
})

/** A roster where a unit takes a tenth of a second. */
const roster = (...lines: readonly Line[]) => {
  const reading = new Reading({}, LIMITS)
  const made = new Roster({
    scale: 100,
    doing: (who) => (who === 'a@m1' ? 'task 7' : ''),
    deadSince: () => reading.deadSince,
  })
  const add = (one: Line): void => {
    reading.add(one)
    made.add(one)
  }
  for (const one of lines) add(one)
  return { add, shown: made.shown.bind(made), measure: made.measure.bind(made) }
}

test('an actor has its last state, its mailbox and what it is at work on, until it dies', () => {
  const one = roster(line('spawn', 0), line('state', 1, { value: { trading: 'busy' } }))
  const own = counts('a@m1', { mailbox: 3 })
  const alive = {
    address: 'a@m1',
    life: 'alive',
    at: null,
    state: 'trading.busy',
    mailbox: 3,
    rate: 0,
    steps: own.steps,
    doing: 'task 7',
  }
  assert.equal(one.shown(units(2), [own]).actors, [alive])
  one.add(line('died', 3))
  const dead = { ...alive, life: 'dead', at: units(3), doing: '' }
  assert.equal(one.shown(units(4), [{ ...own, status: 'dead' }]).actors, [dead])
  one.add(line('spawn', 5))
  assert.is(one.shown(units(5), [own]).actors[0]?.state, '-')
})

test('a machine whose actors die one after another is dead since one instant, in all rows as in the story', () => {
  const [a, b] = [line('spawn', 0), line('spawn', 0, { who: 'b@m1' })]
  const kill = { t: 'fault', at: units(2), fault: 'kill @m1 at 2' }
  const one = roster(a, b, kill, line('died', 2.01), line('died', 2.04, { who: 'b@m1' }))
  const { actors } = one.shown(
    units(3),
    ['a@m1', 'b@m1'].map((who) => counts(who, { status: 'dead' })),
  )
  assert.equal(
    actors.map(({ at }) => at),
    [units(2.01), units(2.01)],
  )
  assert.is(machineRows(actors).rows[0]?.cells[2], 'dead since 2.01')
})

test('a paused actor is paused until the pause is over', () => {
  const one = roster(line('spawn', 0), line('spawn', 0, { who: 'b@m2' }))
  one.add({ t: 'fault', at: units(2), fault: 'pause @m1 for 10 at 2' })
  const lives = (at: number) => one.shown(units(at), [counts('a@m1'), counts('b@m2')]).actors.map(({ life }) => life)
  assert.equal(
    [lives(3), lives(12)],
    [
      ['paused', 'alive'],
      ['alive', 'alive'],
    ],
  )
})

test('an actor that died in its pause and was restarted is not paused any more', () => {
  const one = roster(line('spawn', 0))
  one.add({ t: 'fault', at: units(2), fault: 'pause @m1 for 10 at 2' })
  one.add(line('died', 3))
  one.add(line('spawn', 4))
  assert.is(one.shown(units(5), [counts('a@m1')]).actors[0]?.life, 'alive')
})

test('the rate is that of the last seconds, and falls to 0 when nothing is handled', () => {
  const one = roster(line('spawn', 0))
  const rateAt = (second: number, steps: number): number | undefined => {
    const all = [counts('a@m1', { steps })]
    one.measure(units(10 * second), all, 2 * steps)
    return one.shown(units(10 * second), all).actors[0]?.rate
  }
  assert.equal([rateAt(0, 0), rateAt(1, 4), rateAt(2, 4), rateAt(5, 10)], [0, 4, 2, 2])
  // from second 1 on
  assert.is(rateAt(6, 29), 5)
  assert.is(rateAt(60, 29), 0)
})

test('actors that have ended are left out, and of very many only the first are listed', () => {
  const many = Array.from({ length: ACTORS_MAX + 9 }, (_, i) =>
    counts(`a@m${i}`, { mailbox: 1, ...(i < 2 && { status: 'stopped' }) }),
  )
  const { actors, omitted, machines, totals } = roster().shown(0, many)
  assert.equal([actors.length, actors[0]?.address, omitted], [ACTORS_MAX, 'a@m2', 7])
  assert.equal([machines.length, machines[0], machines.at(-1)], [ACTORS_MAX, 'm2', `m${ACTORS_MAX + 1}`])
  assert.equal(totals, { alive: ACTORS_MAX + 7, dead: 0, ended: 2, waiting: ACTORS_MAX + 7 })
})

test.run()
