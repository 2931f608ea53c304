/** Clocks of machines that jump. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { racesIn } from '../../lib/explore/races.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { planFaults } from '../../lib/scenario/fault-injector.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { System } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import { both, does, type Fact, factsOf, fixture, later, note, RUNTIMES, spawnPuppets, withSystem } from './harness.ts'

const plan = (system: System, ...faults: readonly string[]) =>
  planFaults(
    system,
    faults.map((fault) => parseFault(fault)),
  )

const look: Act = { act: 'look', key: 'x' }

/** Lets actors look at their clocks at each of the instants. */
async function looking(system: System, who: readonly string[], instants: readonly number[]): Promise<Fact[]> {
  const facts = factsOf(system)
  await spawnPuppets(system, ...who)
  for (const at of instants) {
    system.at(units(at), async () => {
      for (const one of who) await system.tell(one, does(look))
    })
  }
  return facts
}

/** What the clock of an actor showed, and the instants at which it looked, in units. */
const shown = (facts: readonly Fact[], who: string) =>
  facts.flatMap(({ type, who: own, at, first }) =>
    type === 'looked' && own === who && typeof first === 'object' && first !== null && 'now' in first
      ? [[Number(first['now']) / units(1), at / units(1)]]
      : [],
  )

both('a clock that jumps shows another time to all actors of its machine, and to no other', async (system) => {
  const facts = await looking(system, ['a@m1', 'b@m1', 'c@m2'], [1, 10, 20])
  plan(system, 'jump m1 by 30 at 5', 'jump m1 by -2 at 15')
  await system.run()
  for (const who of ['a@m1', 'b@m1']) {
    assert.equal(shown(facts, who), [
      [1, 1],
      [40, 10],
      [48, 20],
    ])
  }
  assert.equal(shown(facts, 'c@m2'), [
    [1, 1],
    [10, 10],
    [20, 20],
  ])
})

both('a clock jumps back at its end, and never shows less than 0', async (system) => {
  const facts = await looking(system, ['a@m1'], [4, 40, 60])
  plan(system, 'jump m1 by -30 at 3 until 50')
  await system.run()
  assert.equal(shown(facts, 'a@m1'), [
    [0, 4],
    [10, 40],
    [60, 60],
  ])
})

both('timers last as long as before a jump, whether they were set before it or after it', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1')
  const again = { id: 'second' }
  await system.tell('a@m1', does(later(units(10), does(look, later(units(5), does(look), again)), { id: 'first' })))
  plan(system, 'jump m1 by 100 at 5')
  await system.run()
  assert.equal(shown(facts, 'a@m1'), [
    [110, 10],
    [115, 15],
  ])
})

both('the clock of a machine stays as it is when an actor of it is restarted, or spawned later', async (system) => {
  const facts = await looking(system, ['a@m1'], [10])
  plan(system, 'jump m1 by 30 at 5', 'restart a@m1 at 6')
  system.at(units(7), () => system.spawn('late@m1', new URL('../fixtures/actors/puppet.ts', import.meta.url)))
  system.at(units(11), () => system.tell('late@m1', does(look)))
  await system.run()
  assert.equal(shown(facts, 'a@m1'), [[40, 10]])
  assert.equal(shown(facts, 'late@m1'), [[41, 11]])
})

test('a run with jumps has the same trace in every runtime, and its replay reads the same clocks', async () => {
  const hashes = new Set<string>()
  for (const runtime of ['inline', 'threads', 'pool'] as const) {
    await withSystem({ runtime, record: true, trace: true }, async (system) => {
      await looking(system, ['a@m1', 'b@m2'], [1, 10, 20, 30])
      plan(system, 'jump m1 by 30 at 5 until 25', 'jump m2 by -3 at 9')
      await system.run()
      await system.stop()
      hashes.add(system.traceHash)
      const replayed = [...(await Replay.open(traceOf([...system.recorded()])))]
      const skews = replayed.filter(({ step }) => step.who === 'a@m1').map(({ step }) => step.skew / units(1))
      assert.equal(skews, [0, 0, 30, 30, 0])
    })
  }
  assert.is(hashes.size, 1)
})

test('two events race as the clock of their actor shows it: after its closing time an office sells no ticket', async () => {
  for (const [races, faults] of [
    [1, []],
    [0, ['jump m1 by 30 at 5']],
  ] as const) {
    await withSystem({ runtime: 'inline', record: true }, async (system) => {
      await system.spawn('office@m1', fixture('box-office.ts'), { closes: units(20) })
      await spawnPuppets(system, 'b@m2', 'c@m3')
      for (const who of ['b@m2', 'c@m3']) await system.tell(who, does(later(units(9), does(note('office@m1', 1)))))
      plan(system, ...faults)
      await system.run()
      await system.stop()
      const groups = await racesIn(await Replay.open(traceOf([...system.recorded()])))
      const own = groups.filter(({ role }) => role === 'office')
      assert.equal(
        own.map((group) => [group.pairs, group.races.length]),
        [[1, races]],
      )
    })
  }
})

test('in real time a clock jumps, too, and a replay reads the same', async () => {
  for (const runtime of RUNTIMES) {
    if (runtime === 'inline') continue
    await withSystem({ time: 'real', scale: 1, runtime, record: true }, async (system) => {
      const facts = await looking(system, ['a@m1', 'b@m2'], [30])
      await system.jumpClock('m1', units(1000))
      await system.run()
      const [[ahead = 0, at = 0] = []] = shown(facts, 'a@m1')
      assert.is(Math.round((ahead - at) * units(1)), units(1000))
      const [[right = 0, then = 1] = []] = shown(facts, 'b@m2')
      assert.is(right, then)
      await system.stop()
      assert.ok([...(await Replay.open(traceOf([...system.recorded()])))].length >= 4)
    })
  }
})

test('a jump of no time is refused, and one that finds no living actor has not struck', async () => {
  await withSystem({ runtime: 'inline' }, async (system) => {
    await looking(system, ['b@m2'], [1, 3])
    await spawnPuppets(system, 'a@m1')
    const missed = plan(system, 'kill a@m1 at 1', 'jump m1 by 3 at 2')
    await system.run()
    assert.equal(
      missed().map(({ type }) => type),
      ['jump'],
    )
    for (const by of [0, 0.5]) {
      try {
        await system.jumpClock('m1', by)
        assert.unreachable()
      } catch (error) {
        assert.match(String(error), 'jumpClock: the time must be an integer other than 0')
      }
    }
  })
})

test('a jump that finds no living actor strikes the actors that are restarted on its machine later', async () => {
  await withSystem({ runtime: 'inline' }, async (system) => {
    const facts = await looking(system, ['a@m1'], [8])
    const missed = plan(system, 'kill a@m1 at 1', 'jump m1 by 3 at 2', 'jump m1 by 5 at 3 until 4', 'restart a@m1 at 6')
    await system.run()
    assert.equal(shown(facts, 'a@m1'), [[11, 8]])
    assert.equal(missed(), [parseFault('jump m1 by 5 at 3 until 4')])
  })
})

test('a jump of the clock of an address is refused', async () => {
  await withSystem({ runtime: 'inline' }, async (system) => {
    for (const machine of ['a@m1', '@m1', '*', '']) {
      try {
        await system.jumpClock(machine, units(1))
        assert.unreachable()
      } catch (error) {
        assert.match(String(error), 'jumpClock: the machine must be the name of a machine, such as m2')
      }
    }
  })
})

test.run()
