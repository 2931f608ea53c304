import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { itemIn } from '../../lib/cell/inbox.ts'
import { finishLinking, linkChain } from '../../lib/clock/realtime.ts'
import { SYSTEM } from '../../lib/core/address.ts'
import { CLASS_MAIL, CLASS_REPORT } from '../../lib/memory/envelope.ts'
import { Board, sizeOf } from '../../lib/memory/layout.ts'
import { push, takeAll } from '../../lib/memory/mpsc-list.ts'
import { STATE, STATE_POSTED } from '../../lib/memory/record.ts'
import { SharedMail } from '../../lib/memory/shared-mail.ts'
import { collectedBy } from '../memory/collected.ts'

const SLOT = 1

for (const isPushed of [false, true]) {
  test(`the report of the last step of a thread is read once, even if the thread died ${isPushed ? 'after' : 'before'} it linked the report`, () => {
    const board = Board.create(sizeOf({ actors: 3, memoryMB: 1, mailbox: 10 }), false)
    const mail = new SharedMail(board)
    const endpoint = mail.endpoint(SLOT, 0)
    endpoint.pack({ type: 'step', records: [1] })
    endpoint.postPacked(CLASS_REPORT)
    endpoint.publish()
    const at = board.i32[board.first + SLOT] ?? 0
    // the state that `link` leaves: posted, and marked as being linked
    board.set(board.linking + SLOT, at)
    board.set(2 * at + STATE, STATE_POSTED)
    if (isPushed) push(board, SYSTEM, at)
    finishLinking(board, SLOT)
    assert.equal(
      collectedBy(mail, SYSTEM).map((envelope) => itemIn(envelope, String)?.what),
      [{ type: 'step', records: [1] }],
    )
  })
}

test('a sleeping actor is woken for mail whose sender died between linking it and ringing', () => {
  const board = Board.create(sizeOf({ actors: 3, memoryMB: 1, mailbox: 10 }), true)
  const [asleep, awake] = [2, 3]
  board.set(board.slotCount, 4)
  for (const slot of [asleep, awake]) {
    const endpoint = new SharedMail(board).endpoint(SLOT, 0)
    endpoint.pack({ type: 'news' })
    endpoint.post(slot, CLASS_MAIL, 0)
    endpoint.publish()
    push(board, slot, board.i32[board.first + SLOT] ?? 0)
    board.set(board.linking + SLOT, board.i32[board.first + SLOT] ?? 0)
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
  const endpoint = new SharedMail(board).endpoint(SLOT, 0)
  board.set(board.sleeper(2), 1)
  for (let i = 0; i < 5; i++) {
    endpoint.pack({ type: 'news', i })
    endpoint.post(2, CLASS_MAIL, 0)
  }
  endpoint.publish()
  linkChain(board, SLOT)
  assert.equal([board.int(board.bell(2)), takeAll(board, 2).length], [1, 5])
})

test.run()
