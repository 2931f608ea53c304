/** Frames between nodes of a run over a lossy connection: mail arrives at most once, and notes always. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectTo } from '../../lib/distributed/connect.ts'
import { HostMail } from '../../lib/distributed/host/mail.ts'
import { NodeChannel } from '../../lib/distributed/wire/node-channel.ts'
import { type Note, packing } from '../../lib/distributed/wire/protocol.ts'
import { ReliableStream } from '../../lib/distributed/wire/stream.ts'
import type { WireEnvelope } from '../../lib/distributed/wire/wire-envelope.ts'
import { until } from '../system/harness.ts'
import { throwsSaying } from '../throws.ts'
import { accessTo, SECRET } from './secret.ts'
import { NO_SERVER, serverPath, startServer } from './server.ts'

const parcel = (seq: number, body = 'hello'): WireEnvelope => [7, 0, 3, 0, seq, 0, -1, 0, 0, 0, 0, 1, 1, { type: body }]

test('a note beyond the message limit of the server is sent in parts, and arrives once and in order, also after losses or with another limit', async () => {
  const pack = await packing('--nats')
  const wire: Uint8Array[] = []
  const line = {
    packing: pack,
    limit: 512,
    publish: (_to: number, _what: unknown, frame: Uint8Array) => wire.push(frame),
  }
  const sender = new ReliableStream(line, 0)
  const receiver = new ReliableStream(line, 2)
  const got: Note[] = []
  const arrive = (frames: readonly Uint8Array[]): void => {
    for (const data of frames) {
      const frame = pack.read('flow', data)
      const note = frame && receiver.hear(frame)
      if (note) got.push(note)
    }
  }
  const notes: Note[] = [
    { type: 'kill', slot: 1 },
    { type: 'failed', slot: 2, incarnation: 0, cause: { name: 'Error', message: 'x'.repeat(2000), stack: '' } },
    { type: 'kill', slot: 3 },
  ]
  for (const note of notes) sender.push(note)
  assert.ok(wire.every(({ length }) => length <= 512))
  assert.ok(wire.length > 5)
  arrive(wire.filter((_, i) => i !== 2))
  assert.is(got.length, 1)
  sender.tally(receiver.heard)
  const [first, second] = wire.splice(0)
  assert.ok(first && second)
  line.limit = 400
  sender.tally(receiver.heard)
  assert.ok(wire.every(({ length }) => length <= 400))
  arrive([first, second, ...wire.splice(0)])
  assert.equal(got, notes)
  sender.tally(receiver.heard)
  sender.tally(receiver.heard)
  assert.is(wire.length, 0)
})

test('a tally repeats only bytes from before the last tally, and at most 8 MB, until all are acknowledged', async () => {
  const pack = await packing('--nats')
  const wire: Uint8Array[] = []
  const line = {
    packing: pack,
    limit: 2 ** 21,
    publish: (_to: number, _what: unknown, frame: Uint8Array) => wire.push(frame),
  }
  const sender = new ReliableStream(line, 0)
  const receiver = new ReliableStream(line, 2)
  const long: Note = {
    type: 'failed',
    slot: 2,
    incarnation: 0,
    cause: { name: 'Error', message: 'x'.repeat(1.5 * 2 ** 20), stack: '' },
  }
  const got: Note[] = []
  for (let i = 0; i < 20; i++) sender.push(long)
  /** Delivers or loses all sent frames, and returns how many MB the next tally repeats. */
  const again = (comes: boolean): number => {
    for (const data of wire.splice(0)) {
      const frame = comes ? pack.read('flow', data) : undefined
      const note = frame && receiver.hear(frame)
      if (note) got.push(note)
    }
    sender.tally(receiver.heard)
    return Math.round(wire.reduce((sum, { length }) => sum + length, 0) / 2 ** 20)
  }
  assert.is(again(false), 0, 'the bytes may still be on their way')
  sender.push(long)
  assert.equal(
    [false, true, false, true, false, true, false, true].map((comes) => again(comes)),
    [8, 0, 8, 0, 8, 0, 8, 0],
    'a note of 1.5 MB is cut where 8 MB end',
  )
  assert.is(receiver.heard, sender.sent)
  assert.equal(
    got,
    Array.from({ length: 21 }, () => long),
  )
})

test('an outdated tally is ignored, and lost bytes are sent again', async () => {
  const pack = await packing('--nats')
  let frames = 0
  const sender = new ReliableStream({ packing: pack, limit: 512, publish: () => frames++ }, 0)
  sender.push({ type: 'kill', slot: 1 })
  const heard = sender.sent
  sender.tally(heard)
  sender.push({ type: 'kill', slot: 2 })
  for (const late of [heard, heard - 1]) sender.tally(late)
  assert.is(frames, 2)
  sender.tally(heard)
  assert.is(frames, 3)
})

test('a stream ends if more bytes are acknowledged than were sent, if none are for long, or if a note cannot be read', async () => {
  const pack = await packing('--nats')
  const sender = new ReliableStream({ packing: pack, limit: 512, publish: () => {} }, 0)
  sender.push({ type: 'kill', slot: 1 })
  throwsSaying(
    () => sender.tally(sender.sent + 1),
    `${sender.sent + 1} bytes were heard, but only ${sender.sent} were sent`,
  )
  for (let i = 0; i < 10; i++) sender.tally(0)
  throwsSaying(() => sender.tally(0), `only 0 of ${sender.sent} bytes were heard, at 11 tallies in a row`)
  const receiver = new ReliableStream({ packing: pack, limit: 512, publish: () => {} }, 0)
  const bytes = pack.pack({ type: 'no note' })
  throwsSaying(() => receiver.hear({ at: 0, isLast: true, bytes }), 'cannot be read')
  const mail = new HostMail({ packing: pack, limit: 512, publish: () => {}, tally: () => {} })
  mail.meet(3)
  throwsSaying(() => mail.tally(3, { sent: 0, heard: 1 }), 'number 1 was heard, but the last one sent is 0')
})

test('notes to a node beyond its limit are an error that names the limit', async () => {
  const pack = await packing('--nats')
  const long = new Uint8Array(64 * 2 ** 20)
  const sender = new ReliableStream({ packing: { ...pack, pack: () => long }, limit: 2 ** 21, publish: () => {} }, 0)
  const push = () => sender.push({ type: 'kill', slot: 1 })
  for (let i = 0; i < 4; i++) push()
  throwsSaying(push, 'more than 256 MB for one node are unacknowledged')
})

test('the message limit is read at each sending, since the server may have been replaced', async () => {
  const pack = await packing('--nats')
  const frames: Uint8Array[] = []
  const publish = (_to: number, _what: unknown, frame: Uint8Array) => frames.push(frame)
  const line = { packing: pack, limit: 4000, tally: () => {}, publish }
  const [flow, mail] = [new ReliableStream(line, 0), new HostMail(line)]
  mail.meet(3)
  const text = 'x'.repeat(1000)
  const note: Note = { type: 'failed', slot: 2, incarnation: 0, cause: { name: 'Error', message: text, stack: '' } }
  flow.push(note)
  assert.equal(mail.send(3, 7, [parcel(1, text)], []), [])
  assert.is(frames.length, 2)
  line.limit = 700
  flow.push(note)
  assert.is(mail.send(3, 7, [parcel(2, text)], []).length, 1)
  assert.ok(frames.length > 3 && frames.slice(2).every(({ length }) => length <= 700))
})

test('mail beyond the limit of the server is split, and a single message that is still too long comes back with the reason', async () => {
  const pack = await packing('--nats')
  const frames: Uint8Array[] = []
  const line = { packing: pack, limit: 400, tally: () => {} }
  const mail = new HostMail({ ...line, publish: (_to, _slot, frame) => frames.push(frame) })
  mail.meet(3)
  const long = parcel(9, 'x'.repeat(500))
  const back = mail.send(3, 7, [...Array.from({ length: 20 }, (_, i) => parcel(i)), long], [])
  assert.equal(
    back.map((one) => one[4]),
    [9],
  )
  assert.is(back[0]?.[10], 13)
  assert.ok(frames.every(({ length }) => length <= 400))
  const heard = frames.map((frame) => pack.read('mail', frame))
  assert.equal(
    heard.flatMap((frame) => frame?.parcels.map((one) => one[4]) ?? []),
    Array.from({ length: 20 }, (_, i) => i),
  )
})

test('mail beyond the limit of unacknowledged messages comes back, and so does mail to a host that is gone', async () => {
  const pack = await packing('--nats')
  const mail = new HostMail({ packing: pack, limit: Number.POSITIVE_INFINITY, publish: () => {}, tally: () => {} })
  mail.meet(3)
  const many = Array.from({ length: 100_000 }, (_, i) => parcel(i))
  assert.is(mail.send(3, 7, many, []).length, 0)
  assert.is(mail.send(3, 7, [parcel(0)], [])[0]?.[10], 14)
  mail.tally(3, { sent: 0, heard: 1 })
  assert.is(mail.send(3, 7, [parcel(0)], []).length, 0)
  mail.leave(3)
  assert.is(mail.send(3, 7, [parcel(0)], [])[0]?.[10], 12)
  assert.is(mail.hear({ from: 3, n: 1, before: [], parcels: [] }), undefined)
  assert.equal(mail.meet(3), [], 'a host that is gone does not return under its old epoch')
  assert.is(mail.send(3, 7, [parcel(0)], [])[0]?.[10], 12)
})

test('mail of an unannounced node is ignored, and mail that a new node sent before its announcement is taken afterwards', async () => {
  const pack = await packing('--nats')
  const mail = new HostMail({ packing: pack, limit: Number.POSITIVE_INFINITY, publish: () => {}, tally: () => {} })
  const frame = (from: number, n: number) => ({ from, n, before: [], parcels: [parcel(n)] })
  const early = [frame(3, 1), frame(9, 1), frame(3, 2)]
  for (const one of early) assert.is(mail.hear(one), undefined)
  assert.is(mail.tally(3, { sent: 7, heard: 0 }), undefined)
  assert.equal(mail.counts, { sent: 0, heard: 0 })
  const met = mail.meet(3)
  assert.equal(
    met.map(({ from, n }) => [from, n]),
    [
      [3, 1],
      [3, 2],
    ],
  )
  assert.equal(
    met.map((one) => mail.hear(one)),
    [{ lost: undefined }, { lost: undefined }],
  )
  assert.equal(mail.meet(3), [])
  assert.equal(mail.counts, { sent: 0, heard: 2 })
  assert.equal(mail.meet(9), [frame(9, 1)], 'mail of another node waits for its announcement')
})

test('mail before the announcement of its node counts as lost beyond the limit', async () => {
  const pack = await packing('--nats')
  const mail = new HostMail({ packing: pack, limit: Number.POSITIVE_INFINITY, publish: () => {}, tally: () => {} })
  for (let n = 1; n <= 300; n++) mail.hear({ from: 3, n, before: [], parcels: [] })
  const met = mail.meet(3)
  assert.is(met.length, 256)
  for (const one of met) mail.hear(one)
  assert.equal(mail.tally(3, { sent: 300, heard: 0 }), { first: 257, last: 300 })
})

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testServer(program)

function testServer(program: string): void {
  test('a server that returns with a lower message limit gets the pending bytes in shorter parts', async () => {
    const server = await startServer(program, '', false)
    const pack = await packing('--nats')
    const connections = await Promise.all(
      ['one', 'other'].map((name) => connectTo(accessTo(server.url), name, '--nats')),
    )
    try {
      const [line, other] = connections.map(
        (connection, self) => new NodeChannel({ connection, secret: SECRET, packing: pack, run: 'run', self }),
      )
      assert.ok(line && other)
      const [sender, receiver, mail] = [new ReliableStream(line, 1), new ReliableStream(other, 0), new HostMail(line)]
      mail.meet(1)
      const got: unknown[] = []
      other.listen(
        ({ body }) => {
          const frame = pack.read('flow', body)
          const note = frame && receiver.hear(frame)
          if (note) got.push(note)
        },
        (error) => got.push(error),
      )
      await server.stop()
      const note: Note = {
        type: 'failed',
        slot: 2,
        incarnation: 0,
        cause: { name: 'Error', message: 'x'.repeat(5000), stack: '' },
      }
      sender.push(note)
      sender.tally(0)
      await server.again('max_payload: 2048')
      await until(() => connections.every(({ info }) => info?.max_payload === 2048))
      for (const connection of connections) await connection.flush()
      sender.tally(0)
      await until(() => got.length > 0)
      assert.equal(got, [note])
      assert.is(mail.send(1, 7, [parcel(1, 'x'.repeat(5000))], [])[0]?.[10], 13)
      await server.stop()
      await server.again('max_payload: 512')
      await until(() => connections[0]?.info?.max_payload === 512)
      throwsSaying(() => sender.push(note), '--nats needs a server with a max_payload of 1024 bytes or more, not 512')
    } finally {
      for (const connection of connections) await connection.close()
      await server.remove()
    }
  })
}

test.run()
