/** The strategy that is guided by what its runs have met. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { explore, PromiseBroken, replay } from '../../lib/lab.ts'
import { always, defineScenario, promises } from '../../lib/scenario.ts'
import { DIGITS } from '../fixtures/actors/combination.ts'
import { does, fixture, later, PUPPET, tellTo } from '../system/harness.ts'

const LOCK = 'lock@m'
const ROUNDS = Array.from({ length: DIGITS }, (_, i) => i)

/** In each round both senders send at once: one order in two is right, and one run in 2 ** DIGITS opens the lock. */
const safe = defineScenario({
  name: 'safe',
  open: async (system) => {
    await system.spawn(LOCK, fixture('combination.ts'))
    for (const [who, type] of [
      ['a@m', 'right'],
      ['b@m', 'left'],
    ] as const) {
      await system.spawn(who, PUPPET, {
        start: ROUNDS.map((i) => later(units(i + 1), does(tellTo(LOCK, { type })), { id: `round ${i}` })),
      })
    }
  },
  oracle: promises(
    always('the lock stays shut', ({ facts }) =>
      facts.flatMap(({ fact }) => (fact.type === 'opened' ? ['it is open'] : [])),
    ),
  ),
})

/** The searches of so many seeds that open the lock. */
async function openedBy(strategy: string): Promise<readonly PromiseBroken[]> {
  const opened: PromiseBroken[] = []
  for (const seed of [1, 2, 3, 4]) {
    const error = await explore(safe, { schedules: 400, strategy, seed }).catch((thrown: unknown) => thrown)
    if (error instanceof PromiseBroken) opened.push(error)
  }
  return opened
}

test('builds on the runs that came farther, and so finds what a random walk does not', async () => {
  assert.equal(await openedBy('random'), [])
  const [one, other] = await openedBy('guided')
  if (!one || !other) throw new Error('the lock stayed shut')
  for (const { case: found } of [one, other])
    assert.equal(await replay(safe, found.schedule), ['the lock stays shut: it is open'])
})

test.run()
