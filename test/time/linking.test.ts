import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Board, SYSTEM, sizeOf } from '../../lib/memory/board.ts'
import { Codec } from '../../lib/memory/codec.ts'
import { push } from '../../lib/memory/list.ts'
import { Outbox } from '../../lib/memory/outbox.ts'
import { CLASS_REPORT, STATE, STATE_POSTED } from '../../lib/memory/record.ts'
import { itemAt, takeInbox } from '../../lib/system/inbox.ts'
import { finishLinking } from '../../lib/time/real.ts'

const SLOT = 1

for (const isPushed of [false, true]) {
  test(`what a thread reported of its last step is read once, though it died ${isPushed ? 'after' : 'before'} it linked the report`, () => {
    const board = Board.create(sizeOf({ actors: 3, memoryMB: 1, mailbox: 10 }), false)
    const codec = new Codec(board.block, board.definitions)
    const outbox = new Outbox(board, codec, SLOT, 0)
    outbox.encode({ type: 'step', records: [1] })
    outbox.post({ to: SYSTEM, class: CLASS_REPORT, due: 0, sentAt: 0, subround: 0, cause: null })
    const at = outbox.take()
    board.i32[board.first + SLOT] = at
    // as `link` leaves it: posted, and said to be in hand
    board.set(board.linking + SLOT, at)
    board.set(2 * at + STATE, STATE_POSTED)
    if (isPushed) push(board, SYSTEM, at)
    finishLinking(board, SLOT)
    assert.equal(
      takeInbox(board).map((found) => itemAt(board, codec, found, String)?.what),
      [{ type: 'report', report: { type: 'step', records: [1] } }],
    )
  })
}

test.run()
