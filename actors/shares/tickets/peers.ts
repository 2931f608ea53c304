/** What a ticket server knows of the rest of the cluster, as its processor needs it. */
import type { Address, Time } from '../../../lib/actor.ts'
import type { Heard } from './messages.ts'

/** Each peer's last share. */
export type Peers = ReadonlyMap<Address, Heard>

/** With a share that has just come; an older one, which the network has doubled or held up, says nothing new. */
export const hear = (peers: Peers, from: Address, { at, issued, tickets }: Heard): Peers =>
  at < (peers.get(from)?.at ?? Number.NEGATIVE_INFINITY) ? peers : new Map(peers).set(from, { at, issued, tickets })

/** Amounts that other machines' jobs hold, by currency; what was reported before `oldest` is forgotten. */
export function issuedElsewhere(peers: Peers, oldest: Time): Record<string, number> {
  const sums = new Map<string, number>()
  for (const { at, issued } of peers.values()) {
    if (at < oldest) continue
    for (const [currency, amount] of Object.entries(issued)) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return Object.fromEntries(sums)
}
