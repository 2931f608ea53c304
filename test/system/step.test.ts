import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { draw, newId, now, self, units } from '../../lib/actor.ts'
import { both, does, type Fact, factsOf, later, type Options, PUPPET, spawnPuppets, withSystem } from './harness.ts'

async function looks(options: Options): Promise<Fact[]> {
  return withSystem(options, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'b@m2')
    for (const who of ['a@m1', 'b@m2']) {
      await system.tell(
        who,
        does(
          { act: 'look', key: 'k' },
          later(units(3), does({ act: 'look', key: 'k' }, { act: 'look', key: 'other' })),
        ),
      )
    }
    await system.run()
    await system.restart('a@m1')
    await system.tell('a@m1', does({ act: 'look', key: 'k' }))
    await system.run()
    return facts.filter(({ type }) => type === 'looked')
  })
}

test('now, self, draws and ids are constant within a step', async () => {
  for (const fact of await looks({ runtime: 'threads' })) assert.equal(fact['first'], fact['second'])
})

test('a draw depends on seed, purpose and key alone; an id also on the actor and its incarnation', async () => {
  const all = await looks({ runtime: 'threads' })
  const of = (field: string) =>
    all.map(({ who, at, key, first }) => [who, at, key, (first as { [field: string]: unknown })[field]] as const)
  const draws = new Set(
    of('draw')
      .filter(([, , key]) => key === 'k')
      .map(([, , , value]) => value),
  )
  assert.is(draws.size, 1)
  assert.is(new Set(of('draw').map(([, , , value]) => value)).size, 2)
  const ids = of('id')
    .filter(([, , key]) => key === 'k')
    .map(([who, , , value]) => `${who} ${value}`)
  assert.is(new Set(ids).size, 3) // one id from each of the two incarnations of a, and one from b
  assert.equal(await looks({ runtime: 'inline' }), all)
  assert.not.equal(await looks({ runtime: 'inline', seed: 2 }), all)
})

test('outside a step there is no now, no self and no draw', () => {
  for (const read of [now, self, () => draw('x', 1), () => newId(1)]) {
    try {
      read()
    } catch (error) {
      assert.match(String(error), 'exist only inside a step')
      continue
    }
    assert.unreachable()
  }
})

both(
  'timers fire at their instants; those of one instant fire by kind, then in the order of setting',
  async (system) => {
    const facts = factsOf(system)
    const noted = (n: number) => ({ type: 'note', n }) as const
    await system.spawn('a@m1', PUPPET, {
      start: [
        later(units(2), noted(6), { id: 'f' }),
        later(units(1), noted(3), { id: 'c' }),
        later(units(1), noted(4), { id: 'd' }),
        later(units(1), noted(2), { id: 'b', kind: 'arrival' }),
        later(units(1), noted(1), { id: 'a', kind: 'completion' }),
        later(units(1), noted(99), { id: 'cancelled' }),
        { act: 'cancel', id: 'cancelled' },
        later(units(3), noted(98), { id: 'replaced' }),
        later(units(1.5), noted(5), { id: 'replaced' }),
      ],
    })
    await system.run()
    const noticed = facts.filter(({ type }) => type === 'noted')
    assert.equal(
      noticed.map(({ n }) => n),
      [1, 2, 3, 4, 5, 6],
    )
    assert.equal(
      noticed.map(({ at }) => at),
      [1, 1, 1, 1, 1.5, 2].map(units),
    )
  },
)

both('a timer does not fire if an earlier one of the same instant cancels it or sets it again', async (system) => {
  const facts = factsOf(system)
  const noted = (n: number) => ({ type: 'note', n }) as const
  await system.spawn('a@m1', PUPPET, {
    start: [
      later(units(1), does({ act: 'cancel', id: 'x' }, later(units(1), noted(2), { id: 'y' })), { id: 'first' }),
      later(units(1), noted(1), { id: 'x' }),
      later(units(1), noted(1), { id: 'y' }),
    ],
  })
  await system.run()
  assert.equal(
    facts.filter(({ type }) => type === 'noted').map(({ n, at }) => [n, at]),
    [[2, units(2)]],
  )
})

test.run()
