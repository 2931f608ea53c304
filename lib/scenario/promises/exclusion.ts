/** Mutual exclusion. */
import type { Address } from '../../core/address.ts'
import type { Time } from '../../core/time.ts'
import type { ObservedFact, Property } from '../oracle.ts'
import { allIn, instant, type Key, type Reads, type Several, safety } from './safety.ts'

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
  moveOf: Reads<Several<Move>>,
  { most = 1 }: { readonly most?: number } = {},
): Property =>
  safety(name, () => {
    const inside = new Map<Key, Map<Key, Entry>>()

    function moved({ type, resource, holder }: Move, { who, at }: ObservedFact): string | undefined {
      const entries = inside.get(resource) ?? new Map<Key, Entry>()
      inside.set(resource, entries)
      if (type === 'leaves') {
        entries.delete(holder)
        return undefined
      }
      entries.set(holder, { holder, teller: who, since: at })
      if (entries.size <= most) return undefined
      const others = [...entries.values()].filter((entry) => entry.holder !== holder)
      const held = others.map((entry) => `${entry.holder} since ${instant(entry.since)}`)
      return `${resource} is held by ${held.join(' and ')}, and ${holder} enters at ${instant(at)}`
    }

    return {
      fold: (observed) => {
        const texts = allIn(moveOf, observed).flatMap((move) => moved(move, observed) ?? [])
        return texts.length > 0 ? texts.join('; ') : undefined
      },
      died: (who) => {
        for (const entries of inside.values()) {
          for (const [holder, { teller }] of entries) if (holder === who || teller === who) entries.delete(holder)
        }
      },
    }
  })
