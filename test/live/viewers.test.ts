/** Viewers that read slowly. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Viewers } from '../../lib/live/viewers.ts'
import type { LiveMessage } from '../../lib/report/live-messages.ts'

const more: LiveMessage = {
  type: 'more',
  delta: null,
  status: {
    now: 1,
    scale: 1,
    messages: 0,
    steps: 0,
    actors: [],
    omitted: 0,
    totals: { alive: 0, dead: 0, ended: 0, waiting: 0 },
    machines: [],
    stepRate: 0,
    messageRate: 0,
    promises: [],
    faults: [],
    metrics: [],
  },
}
const whole: LiveMessage = { type: 'gone' }

test('a viewer that reads slowly gets fewer updates, and then all changes at once', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const written: string[] = []
  let hasRoom = true
  response.write = (chunk: unknown): boolean => {
    written.push(JSON.parse(String(chunk).replace(/^data: /, '')).type)
    return hasRoom
  }
  const viewers = new Viewers()
  viewers.add(response)
  const tell = () => viewers.tell(more, () => whole)
  tell()
  tell()
  assert.equal(written, ['gone', 'more'])
  hasRoom = false
  tell()
  tell()
  tell()
  assert.equal(written.slice(2), ['more'], 'updates that do not fit are not queued')
  hasRoom = true
  response.emit('drain')
  tell()
  tell()
  assert.equal(written.slice(3), ['gone', 'more'])
})

test('a page that has not read for long is closed in favour of a new one, and no other page is', () => {
  let now = 0
  const viewers = new Viewers(() => now)
  const add = (isRead = true): ServerResponse => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    response.write = () => isRead
    viewers.add(response)
    return response
  }
  const slow = add(false)
  const others = Array.from({ length: 7 }, () => add())
  viewers.tell(more, () => whole)
  now = 5000
  assert.throws(add, /at most 8 pages may look on at once/)
  now = 5001
  add()
  assert.ok(slow.destroyed)
  assert.not(others.some(({ destroyed }) => destroyed))
  assert.throws(add, /at most 8 pages may look on at once/)
})

test.run()
