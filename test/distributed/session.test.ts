/** A session of a run on a host, without a server: the frames that it sends, and when it stops. */
import type { Msg, MsgCallback, PublishOptions, SubOpts } from '@nats-io/transport-node'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PERFECT_NETWORK } from '../../lib/actor/network.ts'
import { ALONE_MS, HEARTBEAT_MS } from '../../lib/distributed/failure-detector.ts'
import { HostSession } from '../../lib/distributed/host/session.ts'
import { Seal } from '../../lib/distributed/seal.ts'
import { COORDINATOR, type Frames, packing } from '../../lib/distributed/wire/protocol.ts'
import { Clock } from '../clock/milliseconds.ts'
import { SECRET } from './secret.ts'

const INVITATION: Frames['enlist'] = {
  digest: '',
  watchdogMs: 1000,
  size: { slots: 8, definitionWords: 1024, pages: 4, mailbox: 10 },
  cells: {
    seed: 1,
    time: 'real',
    order: 'fifo',
    schedule: 'fifo',
    reliable: null,
    trace: false,
    count: [],
    asks: 10,
    deferred: 10,
    network: PERFECT_NETWORK,
  },
}

const packs = await packing('--nats')

interface Wire {
  readonly info?: { max_payload: number }
  /** Called for each published frame, except the questions for the time, which are answered. */
  readonly onPublish?: (subject: string) => void
  /** Called when the session listens to the run; `say` delivers a frame of node `from`. */
  readonly onListen?: (say: (from: number, what: string, body: Uint8Array) => void) => void
}

/** A connection without a server, for a host that is node 7 of the run. */
function wire({ info = { max_payload: 2 ** 20 }, onPublish = () => {}, onListen = () => {} }: Wire) {
  const inboxes = new Map<string, MsgCallback<Msg>>()
  const seals = new Map<number, Seal>()
  const clock = new Seal(SECRET, 'run run', '0')
  return Object.assign(Object.create(null), {
    info,
    isClosed: () => false,
    subscribe: (subject: string, { callback = () => {} }: SubOpts<Msg>) => {
      if (subject.startsWith('_INBOX')) inboxes.set(subject, callback)
      else {
        onListen((from, what, body) => {
          const seal = seals.get(from) ?? new Seal(SECRET, 'run run', String(from))
          seals.set(from, seal)
          const at = `bourse.live.run.7.${what}`
          callback(null, Object.assign(Object.create(null), { subject: at, data: seal.seal(at, body).frame }))
        })
      }
      return { unsubscribe: () => {}, closed: new Promise(() => {}) }
    },
    publish: (subject: string, frame: Uint8Array, { reply }: PublishOptions = {}) => {
      if (reply === undefined) return onPublish(subject)
      const { from, n } = clock.read(subject, frame) ?? { from: '', n: 0 }
      const data = clock.seal(`answer ${from} ${n}`, packs.pack({ at: 0 })).frame
      inboxes.get(reply)?.(null, Object.assign(Object.create(null), { data }))
    },
  })
}

test('a host sends heartbeats only while it holds its lease, and sends nothing after that', async () => {
  let isTaken = false
  const said: string[] = []
  const noted: string[] = []
  const connection = wire({
    onPublish: (subject) => said.push(`${subject}${isTaken ? ' after the loss of the lease' : ''}`),
  })
  const leases = Object.assign(Object.create(null), {
    take: async () => 7,
    renew: async () => {
      isTaken = true
    },
  })
  const surroundings = { connection, secret: SECRET, leases, packing: packs, name: 'h1', id: 'id' }
  const note = (text: string) => noted.push(text)
  const { node, over } = await HostSession.open(
    { ...surroundings, note },
    'run',
    INVITATION,
    new AbortController().signal,
  )
  await over
  assert.is(node, 7)
  assert.equal(said, ['bourse.live.run.0.tally'])
  assert.equal(noted, ['h1 leaves the run run: its lease was taken away'])
})

test('a host leaves a run if the message limit of the server is too low for its reports, and says why', async () => {
  const said: string[] = []
  const noted: string[] = []
  const info = { max_payload: 2 ** 20 }
  const connection = wire({
    info,
    onListen: (say) => {
      info.max_payload = 512
      const start = { slot: 1, incarnation: 0, address: 'a@m1', path: 'no/module.ts', engine: 'xstate', sums: [] }
      const bytes = packs.pack({ type: 'start', ...start })
      say(COORDINATOR, 'flow', packs.pack({ at: 0, isLast: true, bytes }))
    },
    onPublish: (subject) => said.push(subject),
  })
  const leases = Object.assign(Object.create(null), {
    take: async () => 7,
    renew: async () => {},
    end: async () => {},
  })
  const surroundings = { connection, secret: SECRET, leases, packing: packs, name: 'h1', id: 'id' }
  const note = (text: string) => noted.push(text)
  const { over } = await HostSession.open({ ...surroundings, note }, 'run', INVITATION, new AbortController().signal)
  await over
  const why = '--nats needs a server with a max_payload of 1024 bytes or more, not 512'
  assert.equal(noted, [`h1 leaves the run run: ${why}`])
  assert.not(said.includes('bourse.live.run.0.flow'))
})

test('a host with a lease leaves a run whose coordinator is silent for long, even if it hears from other hosts', async () => {
  const noted: string[] = []
  let hear = (_: number): void => {}
  const connection = wire({
    onListen: (say) => {
      hear = (from) => say(from, 'tally', packs.pack({ sent: 0, heard: 0 }))
    },
  })
  const leases = Object.assign(Object.create(null), { take: async () => 7, renew: async () => 8, end: async () => {} })
  const clock = new Clock('setInterval')
  const end = new AbortController()
  try {
    const surroundings = { connection, secret: SECRET, leases, packing: packs, name: 'h1', id: 'id' }
    const note = (text: string) => noted.push(text)
    const { over } = await HostSession.open({ ...surroundings, note }, 'run', INVITATION, end.signal)
    const beats = ALONE_MS / HEARTBEAT_MS
    const pass = async (count: number) => {
      for (let i = 0; i < count; i++) await clock.pass(HEARTBEAT_MS)
    }
    await pass(beats - 1)
    hear(COORDINATOR)
    await pass(beats - 1)
    hear(8)
    assert.equal(noted, [])
    await pass(1)
    assert.equal(noted, ['h1 leaves the run run: the coordinator is silent'])
    await over
  } finally {
    clock.release()
    end.abort()
  }
})

test('a host leaves a run that acknowledges more than was sent, and the run continues without the host', async () => {
  const noted: string[] = []
  const said: string[] = []
  const connection = wire({
    onListen: (say) => say(COORDINATOR, 'tally', packs.pack({ sent: 0, heard: 9 })),
    onPublish: (subject) => said.push(subject),
  })
  const leases = Object.assign(Object.create(null), { take: async () => 7, renew: async () => 8, end: async () => {} })
  const surroundings = { connection, secret: SECRET, leases, packing: packs, name: 'h1', id: 'id' }
  const note = (text: string) => noted.push(text)
  const { over } = await HostSession.open({ ...surroundings, note }, 'run', INVITATION, new AbortController().signal)
  await over
  assert.equal(noted, ['h1 leaves the run run: 9 bytes were heard, but only 0 were sent'])
  assert.equal(said, ['bourse.live.run.0.flow'], 'that it leaves, and not that the run is broken')
})

test.run()
