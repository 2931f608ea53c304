/** Mutual exclusion. */
import type { Address } from '../../core/address.ts'
import type { Time } from '../../core/time.ts'
import type { Property } from '../oracle.ts'
import { instant, type Key, type Reads, safety } from './safety.ts'

/** A holder enters or leaves a resource: a client a lock, a task a processor. */
export interface Move {
  readonly type: 'enters' | 'leaves'
  readonly resource: Key
  readonly holder: Key
}

interface Entry {
  readonly holder: Key
  readonly teller: Address
  readonly since: Time
}

/**
 * Mutual exclusion: a resource has at most one holder at a time (Dijkstra 1965), or at most `most` (k-exclusion, Fischer,
 * Lynch, Burns and Borodin 1979). A holder that enters twice counts once. The holder's death ends its entries, and so does
 * the death of the actor that told of them.
 */
export const mutualExclusion = (
  name: string,
  moveOf: Reads<Move>,
  { most = 1 }: { readonly most?: number } = {},
): Property =>
  safety(name, () => {
    const inside = new Map<Key, Map<Key, Entry>>()
    return {
      fold: (observed) => {
        const move = moveOf(observed)
        if (move === undefined) return undefined
        const { type, resource, holder } = move
        const entries = inside.get(resource) ?? new Map<Key, Entry>()
        inside.set(resource, entries)
        if (type === 'leaves') {
          entries.delete(holder)
          return undefined
        }
        const others = [...entries.values()].filter((entry) => entry.holder !== holder)
        entries.set(holder, { holder, teller: observed.who, since: observed.at })
        if (others.length < most) return undefined
        const held = others.map((entry) => `${entry.holder} since ${instant(entry.since)}`)
        return `${resource} is held by ${held.join(' and ')}, and ${holder} enters at ${instant(observed.at)}`
      },
      died: (who) => {
        for (const entries of inside.values()) {
          for (const [holder, { teller }] of entries) if (holder === who || teller === who) entries.delete(holder)
        }
      },
    }
  })
