import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { itemAt, takeInbox } from '../../lib/cell/inbox.ts'
import { finishLinking, linkChain } from '../../lib/clock/realtime.ts'
import { SYSTEM } from '../../lib/core/address.ts'
import { Codec } from '../../lib/memory/codec.ts'
import { CLASS_MAIL, CLASS_REPORT, STATE, STATE_POSTED } from '../../lib/memory/envelope.ts'
import { Board, sizeOf } from '../../lib/memory/layout.ts'
import { push, takeAll } from '../../lib/memory/mpsc-list.ts'
import { Outbox } from '../../lib/memory/outbox.ts'

const SLOT = 1

for (const isPushed of [false, true]) {
  test(`the report of the last step of a thread is read once, even if the thread died ${isPushed ? 'after' : 'before'} it linked the report`, () => {
    const board = Board.create(sizeOf({ actors: 3, memoryMB: 1, mailbox: 10 }), false)
    const codec = new Codec(board.block, board.definitions)
    const outbox = new Outbox(board, codec, SLOT, 0)
    outbox.encode({ type: 'step', records: [1] })
    outbox.post({ to: SYSTEM, class: CLASS_REPORT, due: 0, sentAt: 0, subround: 0, cause: null })
    const at = outbox.take()
    board.i32[board.first + SLOT] = at
    // the state that `link` leaves: posted, and marked as being linked
    board.set(board.linking + SLOT, at)
    board.set(2 * at + STATE, STATE_POSTED)
    if (isPushed) push(board, SYSTEM, at)
    finishLinking(board, SLOT)
    assert.equal(
      takeInbox(board).map((found) => itemAt(board, codec, found, String)?.what),
      [{ type: 'step', records: [1] }],
    )
  })
}

test('a sleeping actor is woken for mail whose sender died between linking it and ringing', () => {
  const board = Board.create(sizeOf({ actors: 3, memoryMB: 1, mailbox: 10 }), true)
  const [asleep, awake] = [2, 3]
  board.set(board.slotCount, 4)
  for (const slot of [asleep, awake]) {
    const outbox = new Outbox(board, new Codec(board.block, board.definitions), SLOT, 0)
    outbox.encode({ type: 'news' })
    outbox.post({ to: slot, class: CLASS_MAIL, due: 0, sentAt: 0, subround: 0, cause: null })
    push(board, slot, outbox.take())
  }
  board.set(board.sleeper(asleep), 1)
  finishLinking(board, SLOT)
  assert.equal(
    [asleep, awake].map((slot) => board.int(board.bell(slot))),
    [1, 0],
  )
})

test('a burst of mail rings once for a sleeping actor', () => {
  const board = Board.create(sizeOf({ actors: 2, memoryMB: 1, mailbox: 10 }), true)
  const outbox = new Outbox(board, new Codec(board.block, board.definitions), SLOT, 0)
  board.set(board.sleeper(2), 1)
  for (let i = 0; i < 5; i++) {
    outbox.encode({ type: 'news', i })
    outbox.post({ to: 2, class: CLASS_MAIL, due: 0, sentAt: 0, subround: 0, cause: null })
  }
  board.i32[board.first + SLOT] = outbox.take()
  linkChain(board, SLOT)
  assert.equal([board.int(board.bell(2)), takeAll(board, 2).length], [1, 5])
})

test.run()
