/** The standing of the hosts of a run: real silence, and silence that the run itself caused. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Hosts } from '../../lib/distributed/coordinator/hosts.ts'
import { DEAD_MS, HEARTBEAT_MS, SUSPECT_MS } from '../../lib/distributed/failure-detector.ts'
import { packing } from '../../lib/distributed/wire/protocol.ts'
import { ReliableStream } from '../../lib/distributed/wire/stream.ts'

const pack = await packing('--nats')
const flow = () => new ReliableStream({ packing: pack, limit: 1024, publish: () => {} }, 2)

/** The changes of standing at a beat, as NAME STANDING. */
const seenBy = (hosts: Hosts, now: number): string[] =>
  hosts.look(now).map(({ name, standing }) => `${name} ${standing}`)

test('a silent host becomes suspect and then dead, and a later frame of it changes nothing', () => {
  const hosts = new Hosts()
  hosts.join('h1', 1, flow(), 0)
  hosts.join('h2', 2, flow(), 0)
  const seen: string[] = []
  for (let now = HEARTBEAT_MS; now <= 2 * DEAD_MS; now += HEARTBEAT_MS) {
    const h1 = hosts.get(1)
    if (h1 && now !== SUSPECT_MS && now !== SUSPECT_MS - HEARTBEAT_MS) h1.heard = now
    const h2 = hosts.get(2)
    if (h2 && now > DEAD_MS) h2.heard = now
    seen.push(...seenBy(hosts, now).map((text) => `${now / HEARTBEAT_MS} ${text}`))
  }
  assert.equal(seen, ['3 h2 suspect', '5 h2 dead'])
})

test('a run that was busy for long does not take hosts for dead whose heartbeats it could not read', () => {
  const hosts = new Hosts()
  hosts.join('h1', 1, flow(), 0)
  assert.equal(seenBy(hosts, HEARTBEAT_MS), [])
  const woken = HEARTBEAT_MS + 3 * DEAD_MS
  const seen = [0, 1, 2, 3].map((beat) => seenBy(hosts, woken + beat * HEARTBEAT_MS))
  assert.equal(seen, [[], ['h1 suspect'], [], ['h1 dead']])
})

test.run()
