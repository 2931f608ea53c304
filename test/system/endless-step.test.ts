/** A step that never ends, inline: the error says what the actor was doing. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { System } from '../../lib/system.ts'
import { errorOf, fixture } from './harness.ts'

const test = suite('a step that never ends')

for (const [at, says] of [
  ['start', 'it was starting'],
  ['timer', 'it handled timer alarm'],
  ['message', 'it handled turn from system'],
] as const) {
  test(`ends the run inline with an error that names the actor and the event (${at})`, async () => {
    const system = new System({ runtime: 'inline', watched: true, watchdogMs: 200 })
    try {
      await system.spawn('mill@m1', fixture('endless.ts'), { at })
      if (at === 'message') await system.tell('mill@m1', { type: 'turn' })
      const error = await errorOf(system.run())
      assert.is(error.message, `a step of mill@m1 took longer than 200 ms (option watchdogMs): ${says}`)
    } finally {
      await system.stop()
    }
  })
}

test.run()
