/** What is left when nobody does anything: messages that only pass through a mailbox, all in one thread. */
import { Board, type BoardSize } from '../../lib/memory/board.ts'
import { Codec } from '../../lib/memory/codec.ts'
import { Mailbox } from '../../lib/memory/mailbox.ts'
import { Outbox } from '../../lib/memory/outbox.ts'
import * as record from '../../lib/memory/record.ts'
import { linkChain } from '../../lib/time/real.ts'
import { type Cost, costOf } from './measure.ts'

const SIZE: BoardSize = { slots: 8, definitionWords: 1 << 16, pages: 1024, mailbox: 1000 }
const [FROM, TO] = [1, 2]
const BURST = 5

/** Encodes, posts, takes and decodes messages like a bid, in bursts as to five contractors. */
export function mailboxes(): (count: number) => Promise<Cost> {
  const board = Board.create(SIZE, false)
  const codec = new Codec(board.block, board.definitions)
  const outbox = new Outbox(board, codec, FROM, 0)
  const mailbox = new Mailbox(board, TO, 'fifo', 'real')
  const envelope = { to: TO, class: record.CLASS_MAIL, due: 0, sentAt: 0, subround: 0, cause: [FROM, 0, 0] } as const
  const burst = (from: number): void => {
    for (let task = from; task < from + BURST; task++) {
      outbox.encode({ type: 'bid', task, incarnation: 0, start: 1e6 * task, completion: 2e6 * task, index: task & 7 })
      outbox.post(envelope)
    }
    board.i32[board.first + FROM] = outbox.take()
    linkChain(board, FROM)
    mailbox.collect()
    for (let at = mailbox.take(0); at !== 0; at = mailbox.take(0)) {
      const bid = codec.decode(at + record.BODY)
      if (bid === null) throw new Error('a bid was lost')
      record.release(board, at)
      Atomics.sub(board.i32, board.pending + TO, 1)
    }
  }
  return (count) =>
    costOf(() => {
      for (let sent = 0; sent < count; sent += BURST) burst(sent)
    })
}
