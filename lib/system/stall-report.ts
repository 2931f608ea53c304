/** The report of a run that reached its limit of rounds: it names the actors that wait, and the actors they wait for. */

import { contentsOf } from '../actor/requests.ts'
import { bySending } from '../cell/inbox.ts'
import { isMessage } from '../core/data.ts'
import { PHASES, type Time } from '../core/time.ts'
import type { Codec } from '../memory/codec.ts'
import { BODY, CLASS, CLASS_RECEIPT, FROM, posted, TO } from '../memory/envelope.ts'
import type { Board } from '../memory/layout.ts'
import type { Registry } from './registry.ts'

export function whoWaits(board: Board, codec: Codec, registry: Registry, now: Time): string[] {
  const unread = new Map<string, number>()
  // The order in memory depends on the interleaving of threads.
  for (const at of [...posted(board)].sort((one, other) => bySending(board, one, other))) {
    if (board.i32[2 * at + CLASS] === CLASS_RECEIPT) continue
    const to = registry.nameOf(board.i32[2 * at + TO] ?? 0)
    const from = registry.nameOf(board.i32[2 * at + FROM] ?? 0)
    const message = codec.decode(at + BODY)
    const line = `${from} waits for ${to} to read '${isMessage(message) ? contentsOf(message).type : '?'}'`
    unread.set(line, (unread.get(line) ?? 0) + 1)
  }
  const lines = [...unread].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line))
  for (const { slot, address, status } of registry.entries) {
    for (const [kind, phase] of PHASES.entries()) {
      const isDue = board.num(board.due + kind * board.size.slots + slot) <= now
      if (isDue && phase !== 'mail' && status.type === 'alive') lines.push(`${address} waits for its ${phase} timer`)
    }
  }
  return lines
}
