/** All that is linked to a slot. */
import type { LinkedEnvelope } from '../../lib/memory/envelope.ts'
import type { Mail } from '../../lib/memory/mail.ts'

export function collectedBy(mail: Mail, slot: number): readonly LinkedEnvelope[] {
  const collected: LinkedEnvelope[] = []
  mail.endpoint(slot, 0).collect((envelope) => collected.push(envelope))
  return collected
}
