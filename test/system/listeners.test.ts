import { setImmediate } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Line } from '../../lib/trace/lines.ts'
import { both, fixture } from './harness.ts'

const RELAY = fixture('relay.ts')

both(
  'a listener that joins while actors act hears the rest of the trace, each step whole',
  async (system) => {
    await system.spawn('one@m1', RELAY, { next: 'two@m2' })
    await system.spawn('two@m2', RELAY, { next: 'one@m1' })
    await system.tell('one@m1', { type: 'token', left: 5000 })
    const heard: Line[] = []
    const joining = setImmediate().then(() => system.onLine((line) => heard.push(line)))
    await Promise.all([system.run(), joining])
    const all = [...system.recorded()]
    assert.ok(heard.length > 0 && heard.length < all.length, `${heard.length} of ${all.length}`)
    assert.equal(heard, all.slice(-heard.length))
  },
  { record: true },
)

test.run()
