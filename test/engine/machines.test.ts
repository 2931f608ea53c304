/** The compiled engine is compared with XState, on the machines of the project and on random ones; \`npm run differential\` does so for longer. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { repeats } from '../repeats.ts'
import { compareOwn, compareRandom } from './rounds.ts'
import { species } from './specimens.ts'

const SEQUENCES = repeats(60)
const MACHINES = repeats(150)

for (const one of await species(false)) {
  test(`${one.module}: both engines give the same result for any history of events`, () => {
    const { events, taken, effects, failed } = compareOwn(one, SEQUENCES, 1)
    assert.ok(events > 10 * SEQUENCES, `${events} events`)
    assert.ok(taken > events / 20, `${taken} of ${events} events changed anything`)
    assert.ok(effects > SEQUENCES, `${effects} effects`)
    assert.ok(failed < events / 2, `${failed} of ${events} events failed`)
  })
}

test('both engines give the same result on randomly drawn machines', () => {
  const { events, taken, effects, unhandled, failed, ended } = compareRandom(1, MACHINES)
  assert.ok(events > 50 * MACHINES, `${events} events`)
  for (const count of [taken, effects, unhandled, failed]) assert.ok(count > events / 20, `${count} of ${events}`)
  assert.ok(ended > MACHINES / 4, `${ended} came to an end`)
})

test.run()
