/** Both sides of reliable delivery, with a network between them that the test controls. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bridges, patience, type ReliableOptions, timeoutAfter } from '../../lib/actor/reliable-options.ts'
import { Incoming } from '../../lib/cell/reliable/incoming.ts'
import { Outgoing, type Packet } from '../../lib/cell/reliable/outgoing.ts'
import { repeats } from '../repeats.ts'

const OPTIONS: ReliableOptions = { timeout: 10, cap: 40, attempts: 6, window: 100 }
const RUNS = repeats(300)

const sent = (outgoing: Outgoing<string>, ...messages: readonly string[]): Packet<string>[] =>
  messages.flatMap((message) => outgoing.add(1, 0, message, 0) ?? [])

/** Gives a packet to the receiver, and returns the messages that it delivers. */
function arrive(incoming: Incoming<string>, packet: Packet<string>): string[] {
  incoming.accept(1, 0, packet, packet.message)
  return [...taken(incoming)]
}

function* taken(incoming: Incoming<string>): Generator<string> {
  for (let next = incoming.take(1, 0); next !== undefined; next = incoming.take(1, 0)) yield next
}

const receiptOf = (incoming: Incoming<string>) => incoming.receipts()[0]?.receipt

test('timeouts double up to their cap, and their sum is the time until a message is given up', () => {
  assert.equal(
    [1, 2, 3, 4, 5, 6].map((n) => timeoutAfter(n, OPTIONS)),
    [10, 20, 40, 40, 40, 40],
  )
  assert.is(patience(OPTIONS), 190)
  assert.is(bridges(OPTIONS), 150)
})

test('an unacknowledged message is sent again at its timeouts, and then given up', () => {
  const outgoing = new Outgoing<string>(OPTIONS)
  sent(outgoing, 'a')
  const attempts: (readonly [number, number])[] = []
  let gaveUp: readonly [number, readonly string[]] | undefined
  while (outgoing.due < Number.POSITIVE_INFINITY) {
    const now = outgoing.due
    const { again, lost } = outgoing.expire(now)
    for (const { attempt } of again) attempts.push([now, attempt])
    if (lost.length > 0) gaveUp = [now, lost]
  }
  assert.equal(attempts, [
    [10, 2],
    [30, 3],
    [70, 4],
    [110, 5],
    [150, 6],
  ])
  assert.equal(gaveUp, [190, ['a']])
  assert.ok(outgoing.isEmpty)
})

test('a message that is acknowledged, or that the receiver holds back, is not sent again', () => {
  const outgoing = new Outgoing<string>(OPTIONS)
  sent(outgoing, 'a', 'b', 'c', 'd')
  outgoing.acknowledge(1, 0, { upTo: 1, held: [2] })
  assert.equal(
    outgoing.expire(10).again.map(({ message, base }) => [message, base]),
    [
      ['b', 1],
      ['d', 1],
    ],
  )
  outgoing.acknowledge(1, 0, { upTo: 4, held: [] })
  assert.is(outgoing.due, Number.POSITIVE_INFINITY)
})

test('a receipt for another incarnation acknowledges nothing', () => {
  const outgoing = new Outgoing<string>(OPTIONS)
  sent(outgoing, 'a')
  outgoing.acknowledge(1, 1, { upTo: 9, held: [] })
  outgoing.acknowledge(2, 0, { upTo: 9, held: [] })
  assert.equal(outgoing.refuse(1, 1), [])
  assert.not(outgoing.isEmpty)
  assert.equal(outgoing.refuse(1, 0), ['a'])
  assert.ok(outgoing.isEmpty)
})

test('a window that is full takes nothing more until something is acknowledged', () => {
  const outgoing = new Outgoing<string>({ ...OPTIONS, window: 2 })
  assert.is(sent(outgoing, 'a', 'b', 'c').length, 2)
  assert.is(outgoing.add(2, 0, 'another peer', 0)?.n, 0)
  outgoing.acknowledge(1, 0, { upTo: 1, held: [] })
  assert.equal(
    sent(outgoing, 'd').map(({ n }) => n),
    [2],
  )
})

test('a receiver holds back early messages, and delivers each message once', () => {
  const outgoing = new Outgoing<string>(OPTIONS)
  const incoming = new Incoming<string>()
  const [a, b, c] = sent(outgoing, 'a', 'b', 'c')
  if (!a || !b || !c) return assert.unreachable()
  assert.equal(arrive(incoming, c), [])
  assert.equal(arrive(incoming, c), [])
  assert.equal(arrive(incoming, a), ['a'])
  assert.equal(receiptOf(incoming), { upTo: 1, held: [2, 2] })
  assert.equal(arrive(incoming, b), ['b', 'c'])
  assert.not(incoming.accept(1, 0, b, 'b'), 'it came before')
  assert.equal([...taken(incoming)], [])
  assert.equal(receiptOf(incoming), { upTo: 3, held: [] })
  assert.equal(incoming.receipts(), [], 'nothing came since')
})

test('a message that was not taken is not acknowledged', () => {
  const outgoing = new Outgoing<string>(OPTIONS)
  const incoming = new Incoming<string>()
  for (const packet of sent(outgoing, 'a', 'b')) incoming.accept(1, 0, packet, packet.message)
  assert.is(incoming.take(1, 0), 'a')
  assert.is(receiptOf(incoming)?.upTo, 1)
})

test('a refused message is not acknowledged, but those delivered before it are', () => {
  const outgoing = new Outgoing<string>(OPTIONS)
  const incoming = new Incoming<string>()
  const [a] = sent(outgoing, 'a', 'b')
  if (!a) return assert.unreachable()
  incoming.decline(1, 0)
  assert.equal(incoming.receipts(), [], 'nothing ever came')
  arrive(incoming, a)
  incoming.receipts()
  incoming.decline(1, 0)
  assert.equal(receiptOf(incoming), { upTo: 1, held: [] })
})

test('a receiver does not wait for messages that the sender has given up', () => {
  const outgoing = new Outgoing<string>({ ...OPTIONS, attempts: 1 })
  const incoming = new Incoming<string>()
  const [, b] = sent(outgoing, 'a', 'b')
  if (!b) return assert.unreachable()
  assert.equal(arrive(incoming, b), [])
  assert.equal(outgoing.expire(10).lost, ['a', 'b'])
  const [c] = sent(outgoing, 'c')
  if (!c) return assert.unreachable()
  assert.equal(arrive(incoming, c), ['c'], 'without b, which is a dead letter by now')
})

test('each incarnation of a sender has a stream of its own', () => {
  const incoming = new Incoming<string>()
  incoming.accept(1, 0, { n: 1, base: 0 }, 'old, early')
  incoming.accept(1, 1, { n: 0, base: 0 }, 'new')
  assert.is(incoming.take(1, 1), 'new')
  assert.is(incoming.take(1, 1), undefined)
  incoming.accept(1, 0, { n: 0, base: 0 }, 'old')
  assert.is(incoming.take(1, 0), 'old')
  assert.is(incoming.take(1, 0), 'old, early')
})

/** The fate of one packet on the network: a delay for each of its copies. */
const fate = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 2 })
const KINDLY = 5

interface Wire {
  readonly at: number
  readonly act: () => void
}

/** Sends messages at their times over a network with the given fates; after the last fate the network is reliable. */
function play(times: readonly number[], fates: readonly (readonly number[])[], options: ReliableOptions) {
  const outgoing = new Outgoing<number>(options)
  const incoming = new Incoming<number>()
  const delivered: number[] = []
  const lost: number[] = []
  let wire: Wire[] = times.map((at, i) => ({
    at,
    act: () => {
      const packet = outgoing.add(1, 0, i, at)
      if (packet) transmit(at, () => receive(packet))
    },
  }))
  let put = 0
  let now = 0
  const transmit = (at: number, arrives: () => void) => {
    for (const delay of fates[put++] ?? [KINDLY]) wire.push({ at: at + delay, act: arrives })
  }
  const receive = (packet: Packet<number>) => {
    incoming.accept(1, 0, packet, packet.message)
    for (let next = incoming.take(1, 0); next !== undefined; next = incoming.take(1, 0)) delivered.push(next)
    for (const { receipt } of incoming.receipts()) transmit(now, () => outgoing.acknowledge(1, 0, receipt))
  }
  while (wire.length > 0 || outgoing.due < Number.POSITIVE_INFINITY) {
    now = Math.min(outgoing.due, ...wire.map(({ at }) => at))
    const due = wire.filter(({ at }) => at <= now)
    wire = wire.filter(({ at }) => at > now)
    for (const { act } of due) act()
    const expired = outgoing.expire(now)
    for (const packet of expired.again) transmit(now, () => receive(packet))
    lost.push(...expired.lost)
  }
  return { delivered, lost, isEmpty: outgoing.isEmpty }
}

const times = fc
  .array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 12 })
  .map((list) => list.sort((a, b) => a - b))

test('with any pattern of loss, duplication and reordering every message is delivered once and in order, if the attempts suffice', () => {
  fc.assert(
    fc.property(times, fc.array(fate, { maxLength: 80 }), (when, fates) => {
      // More attempts than the network has bad fates.
      const { delivered, lost, isEmpty } = play(when, fates, { ...OPTIONS, attempts: 100 })
      assert.equal(
        delivered,
        when.map((_, i) => i),
      )
      assert.equal(lost, [])
      assert.ok(isEmpty)
    }),
    { numRuns: RUNS },
  )
})

test('with few attempts no message is delivered twice or out of order, and each is delivered or given up', () => {
  fc.assert(
    fc.property(times, fc.array(fate, { maxLength: 80 }), (when, fates) => {
      const { delivered, lost, isEmpty } = play(when, fates, { ...OPTIONS, attempts: 2 })
      for (const [i, n] of delivered.entries()) assert.ok(i === 0 || n > (delivered[i - 1] ?? n), delivered.join())
      assert.is(new Set([...delivered, ...lost]).size, when.length)
      assert.ok(isEmpty)
    }),
    { numRuns: RUNS },
  )
})

test.run()
