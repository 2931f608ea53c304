/** Orphans: work that is not wanted any more. */
import type { Address } from '../../core/address.ts'
import type { Time } from '../../core/time.ts'
import type { Property } from '../oracle.ts'
import { instant, type Key, type Reads, safety } from './safety.ts'

/** Work begins or ends, or is not wanted from now on: its client has died, cancelled it, or has its result. */
export interface WorkEvent {
  readonly type: 'begins' | 'ends' | 'unwanted'
  readonly work: Key
}

/**
 * No orphans: no unwanted work goes on when the run is over, and none begins more than `grace` after it became
 * unwanted (Nelson 1981; Panzieri and Shrivastava 1988). With `stops`, none ends later either. Mail takes time, so an orphan
 * may live for a while; without `grace` that may be any time, as under schedules that hold mail back. The death of the actor
 * that told of the beginning ends the work.
 */
export const noOrphans = (
  name: string,
  eventOf: Reads<WorkEvent>,
  { grace = Number.POSITIVE_INFINITY, stops = false }: { readonly grace?: Time; readonly stops?: boolean } = {},
): readonly Property[] => [
  safety(name, () => {
    const unwanted = new Map<Key, Time>()
    return {
      fold: (observed) => {
        const event = eventOf(observed)
        if (event === undefined) return undefined
        const { type, work } = event
        const since = unwanted.get(work)
        if (type === 'unwanted' && since === undefined) unwanted.set(work, observed.at)
        const isLate = since !== undefined && observed.at > since + grace
        if (!isLate || type === 'unwanted' || (type === 'ends' && !stops)) return undefined
        return `${work} ${type} at ${instant(observed.at)} on ${observed.who}, and is unwanted since ${instant(since)}`
      },
    }
  }),
  {
    name,
    eventually: true,
    watch: () => {
      const unwanted = new Set<Key>()
      const going = new Map<Key, Set<Address>>()
      return {
        fold: (observed) => {
          const event = eventOf(observed)
          if (event === undefined) return
          const { type, work } = event
          const places = going.get(work)
          if (type === 'unwanted') unwanted.add(work)
          else if (type === 'begins') going.set(work, (places ?? new Set()).add(observed.who))
          else if (places?.delete(observed.who) && places.size === 0) going.delete(work)
        },
        died: (who) => {
          for (const places of going.values()) places.delete(who)
        },
        broken: () =>
          [...unwanted].flatMap((work) =>
            [...(going.get(work) ?? [])].map((who) => `${work} goes on at ${who}, and is unwanted`),
          ),
      }
    },
  },
]
