/** The report of a run that reached its limit of rounds: it names the actors that wait, and the actors they wait for. */

import { contentsOf } from '../actor/requests.ts'
import { isMessage } from '../core/data.ts'
import { PHASES, type Time } from '../core/time.ts'
import { CLASS_RECEIPT, senderOf } from '../memory/envelope.ts'
import type { Mail } from '../memory/mail.ts'
import type { Registry } from './registry.ts'

export function whoWaits(mail: Mail, registry: Registry, now: Time): string[] {
  const { board } = mail
  const unread = new Map<string, number>()
  for (const envelope of mail.unread()) {
    if (envelope.class === CLASS_RECEIPT) continue
    const message = envelope.read()
    const line = `${registry.nameOf(senderOf(envelope))} waits for ${registry.nameOf(envelope.to)} to read '${isMessage(message) ? contentsOf(message).type : '?'}'`
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
