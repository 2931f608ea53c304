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

test('builds on the runs that came farther, and so finds what a random walk does not', async () => {
  const schedules = 400
  assert.is((await explore(safe, { schedules, strategy: 'random' })).schedules, schedules)
  const error = await explore(safe, { schedules, strategy: 'guided' }).catch((thrown: unknown) => thrown)
  if (!(error instanceof PromiseBroken)) throw new Error('the lock stayed shut')
  console.log(error.case)
  assert.equal(await replay(safe, error.case.schedule), ['the lock stays shut: it is open'])
})

test.run()
