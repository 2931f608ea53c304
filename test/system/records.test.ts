/** What actors persist: snapshots, logs in files, and losses of a disk. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Plain, units } from '../../lib/actor.ts'
import { Replay } from '../../lib/replay/replay.ts'
import type { System } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import { both, does, type Fact, factsOf, PUPPET, withSystem } from './harness.ts'

const persist = (record: Plain): Act => ({ act: 'persist', record })
const snapshot = (record: Plain): Act => ({ act: 'snapshot', record })

/** The records that each incarnation of an actor began with. */
const beganWith = (facts: readonly Fact[], who = 'a@m1'): unknown[] =>
  facts.filter((fact) => fact.type === 'began' && fact.who === who).map((fact) => fact['records'])

/** Lets an actor take steps at the instants 0, 1, 2 ..., kills it after each, and restarts it. */
async function livesOf(system: System, ...steps: readonly (readonly Act[])[]): Promise<unknown[]> {
  const facts = factsOf(system)
  await system.spawn('a@m1', PUPPET, null, { restart: 'transient', intensity: 100 })
  for (const [i, acts] of steps.entries()) {
    system.at(units(i), () => system.tell('a@m1', does(...acts)))
    system.at(units(i) + 1, () => system.kill('a@m1'))
  }
  await system.run()
  return beganWith(facts)
}

both('a snapshot replaces all records before it, also those of its own step', async (system) => {
  const lives = await livesOf(
    system,
    [persist(1), persist(2)],
    [persist(3), snapshot('all'), persist(4)],
    [persist(5)],
    [snapshot('new')],
  )
  assert.equal(lives, [[], [1, 2], ['all', 4], ['all', 4, 5], ['new']])
})

test('the trace tells a snapshot, and a run with snapshots replays', () =>
  withSystem({ runtime: 'inline', record: true }, async (system) => {
    await livesOf(system, [persist(1)], [snapshot(2), persist(3)], [persist(4)])
    const trace = traceOf([...system.recorded()])
    const kept = trace.lines.filter(({ t }) => t === 'persist')
    assert.equal(
      kept.map((line) => [line['record'], line['snapshot']]),
      [
        [1, undefined],
        [2, true],
        [3, undefined],
        [4, undefined],
      ],
    )
    assert.is([...(await Replay.open(trace))].length, 7)
  }))

test.run()
