/** Barriers: all members of a group arrive before any of them passes. */
import type { Property } from '../oracle.ts'
import { instant, type Key, type Reads, safety } from './safety.ts'

/** A member arrives at a barrier or passes it, in one of its rounds. */
export interface BarrierEvent {
  readonly type: 'arrives' | 'passes'
  readonly round: Key
  readonly member: Key
}

type Rounds = Map<Key, { readonly arrived: Set<Key>; readonly passed: Set<Key> }>

function note(rounds: Rounds, { type, round, member }: BarrierEvent): void {
  const all = rounds.get(round) ?? { arrived: new Set(), passed: new Set() }
  rounds.set(round, all)
  all[type === 'arrives' ? 'arrived' : 'passed'].add(member)
}

/**
 * A barrier (Hensgen, Finkel and Manber 1988; Mellor-Crummey and Scott 1991). Safety: no member passes a round before all
 * members have arrived at it. Liveness: a round with all living members was passed by all of them when the run is over. A member that has died is not waited for; it is known by its address.
 */
export const barrier = (name: string, members: readonly Key[], eventOf: Reads<BarrierEvent>): readonly Property[] => [
  safety(name, () => {
    const rounds: Rounds = new Map()
    const dead = new Set<Key>()
    return {
      fold: (observed) => {
        const event = eventOf(observed)
        if (event === undefined) return undefined
        note(rounds, event)
        const { type, round, member } = event
        if (type === 'arrives') return undefined
        const missing = members.filter((one) => !rounds.get(round)?.arrived.has(one) && !dead.has(one))
        if (missing.length === 0) return undefined
        return `${member} passes round ${round} at ${instant(observed.at)}, before ${missing.join(', ')}`
      },
      died: (who) => {
        dead.add(who)
      },
    }
  }),
  {
    name,
    eventually: true,
    watch: () => {
      const rounds: Rounds = new Map()
      return {
        fold: (observed) => {
          const event = eventOf(observed)
          if (event !== undefined) note(rounds, event)
        },
        broken: ({ dead, lost }) => {
          const living = members.filter((member) => !dead.has(String(member)))
          return [...rounds].flatMap(([round, { arrived, passed }]) => {
            if (lost > 0 || !living.every((member) => arrived.has(member))) return []
            const stuck = living.filter((member) => !passed.has(member))
            return stuck.length > 0 ? [`round ${round} has all members, and ${stuck.join(', ')} did not pass`] : []
          })
        },
      }
    },
  },
]
