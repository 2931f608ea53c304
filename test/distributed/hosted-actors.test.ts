/** The board of a run on a host: mail for local and remote actors, ends of incarnations, and counts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { link } from '../../lib/clock/realtime.ts'
import { HostedActors } from '../../lib/distributed/host/hosted-actors.ts'
import { readSums } from '../../lib/distributed/wire/slot-state.ts'
import type { WireEnvelope } from '../../lib/distributed/wire/wire-envelope.ts'
import { LOST_DEAD } from '../../lib/memory/envelope.ts'
import { ALIVE, DEAD } from '../../lib/memory/layout.ts'
import { takeAll } from '../../lib/memory/mpsc-list.ts'
import { TO } from '../../lib/memory/record.ts'

const HERE = 40
const THERE = 50
const SIZE = { slots: 8, definitionWords: 1024, pages: 4, mailbox: 10 }

/** A message from an incarnation of an actor to the first incarnation of another. */
const mail = (from: number, to: number, seq: number, incarnation = 0): WireEnvelope => [
  ...[to, 0, from, incarnation, seq, 0, -1, 0, 0, 0, 0, 1, 1],
  { type: 'hello' },
]
const seqsOf = (parcels: readonly WireEnvelope[]) => parcels.map((parcel) => parcel[4])

/** A board with slot 1 on this node and slot 2 on another. */
function open(): HostedActors {
  const rooms = new HostedActors(SIZE, HERE)
  const { board } = rooms
  const seated = { address: 'a@m1', path: '', engine: 'compiled', heapMB: undefined } as const
  rooms.prepare({ type: 'start', slot: 1, incarnation: 0, ...seated, sums: readSums(board, 1) })
  rooms.write({ type: 'words', slots: [words(1, ALIVE, HERE), words(2, ALIVE, THERE)], slotCount: 3, watching: 0 })
  return rooms
}
const words = (slot: number, dead: number, node: number, incarnation = 0) => [
  slot,
  incarnation,
  dead,
  0,
  0,
  0,
  0,
  0,
  node,
]

test('mail for a local actor enters the list of its slot, and other mail comes back', () => {
  const rooms = open()
  const back = rooms.deliver([mail(2, 1, 1), mail(2, 3, 2), mail(2, 1, 3)], THERE)
  assert.equal(seqsOf(back), [2])
  assert.is(rooms.board.int(rooms.board.pending + 1), 2)
  assert.is(takeAll(rooms.board, 1).length, 2)
})

test('mail for remote actors leaves with their node, in order', () => {
  const rooms = open()
  rooms.deliver([mail(2, 1, 1), mail(2, 1, 2)], THERE)
  const [first = 0, second = 0] = takeAll(rooms.board, 1)
  // as if the actor here had sent it on
  for (const at of [first, second]) {
    rooms.board.set(2 * at + TO, 2)
    link(rooms.board, at)
  }
  const { mail: outgoing, reports } = rooms.take()
  assert.equal(
    outgoing.map(({ node, slot, parcels }) => [node, slot, seqsOf(parcels)]),
    [[THERE, 2, [1, 2]]],
  )
  assert.equal(reports, [])
  assert.equal(rooms.take(), { mail: [], reports: [] })
})

test('mail on its way to an incarnation that has ended goes back to the system, with the reason', () => {
  const rooms = open()
  rooms.deliver([mail(2, 1, 1)], THERE)
  rooms.write({ type: 'words', slots: [words(1, DEAD, HERE)], slotCount: 3, watching: 0 })
  assert.equal(
    rooms.take().reports.map((parcel) => [parcel[4], parcel[10]]),
    [[1, LOST_DEAD]],
  )
})

test('the first sign of a new remote incarnation may be its own mail, and older words do not end it', () => {
  const rooms = open()
  const { board } = rooms
  rooms.write({ type: 'words', slots: [words(2, DEAD, THERE)], slotCount: 3, watching: 0 })
  rooms.deliver([mail(2, 1, 1, 1)], THERE + 1)
  assert.equal([board.int(board.incarnation + 2), board.int(board.dead + 2)], [1, ALIVE])
  rooms.write({ type: 'words', slots: [words(2, DEAD, THERE)], slotCount: 3, watching: 0 })
  assert.equal([board.int(board.incarnation + 2), board.int(board.dead + 2)], [1, ALIVE])
})

test('counts are reported once', () => {
  const rooms = open()
  assert.equal(rooms.count().sums, [])
  rooms.board.put(rooms.board.sent + 1, 5)
  rooms.board.put(rooms.board.steps + 1, 1)
  assert.equal(
    rooms.count().sums.map(([slot, sent]) => [slot, sent]),
    [[1, 5]],
  )
  assert.equal(rooms.count().sums, [])
})

test.run()
