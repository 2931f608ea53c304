/** Barriers: all members of a group arrive before any of them passes. */
import type { Time } from '../../core/time.ts'
import type { Property } from '../oracle.ts'
import { allIn, instant, type Key, type Reads, type Several, safety } from './safety.ts'

/** A member arrives at a barrier or passes it, in one of its rounds. */
export interface BarrierEvent {
  readonly type: 'arrives' | 'passes'
  readonly round: Key
  readonly member: Key
}

/** The members that have arrived at a round, and those that have passed it. */
interface Round {
  readonly arrived: Set<Key>
  readonly passed: Set<Key>
}

/** The rounds of a run that some member has not passed. The others are over, and only their names are kept. */
class Rounds {
  readonly open = new Map<Key, Round>()
  readonly #over = new Set<Key>()
  readonly #members: ReadonlySet<Key>

  constructor(members: readonly Key[]) {
    this.#members = new Set(members)
  }

  /** Takes in an event. Returns the members that have not arrived at a round that is passed. */
  note({ type, round, member }: BarrierEvent): readonly Key[] {
    if (this.#over.has(round)) return []
    const { arrived, passed } = this.open.get(round) ?? { arrived: new Set(), passed: new Set() }
    this.open.set(round, { arrived, passed })
    if (this.#members.has(member)) (type === 'arrives' ? arrived : passed).add(member)
    // rounds of a thousand members are common, so that nothing is listed as long as all is well
    if (arrived.size < this.#members.size)
      return type === 'arrives' ? [] : [...this.#members].filter((one) => !arrived.has(one))
    if (passed.size === this.#members.size) {
      this.open.delete(round)
      this.#over.add(round)
    }
    return []
  }
}

/**
 * A barrier (Hensgen, Finkel and Manber 1988; Mellor-Crummey and Scott 1991). Safety: no member passes a round before all
 * members have arrived at it. Liveness: a round with all living members was passed by all of them when the run is over. A
 * member that has died is not waited for; it is known by its address.
 */
export const barrier = (
  name: string,
  members: readonly Key[],
  eventOf: Reads<Several<BarrierEvent>>,
): readonly Property[] => [
  safety(name, () => {
    const rounds = new Rounds(members)
    const dead = new Set<Key>()

    function broken(event: BarrierEvent, at: Time): string | undefined {
      const missing = rounds.note(event).filter((member) => !dead.has(member))
      if (missing.length === 0) return undefined
      return `${event.member} passes round ${event.round} at ${instant(at)}, before ${missing.join(', ')}`
    }

    return {
      fold: (observed) => {
        const texts = allIn(eventOf, observed).flatMap((event) => broken(event, observed.at) ?? [])
        return texts.length > 0 ? texts.join('; ') : undefined
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
      const rounds = new Rounds(members)
      return {
        fold: (observed) => {
          for (const event of allIn(eventOf, observed)) rounds.note(event)
        },
        broken: ({ dead, lost }) => {
          const living = members.filter((member) => !dead.has(String(member)))
          return [...rounds.open].flatMap(([round, { arrived, passed }]) => {
            if (lost > 0 || !living.every((member) => arrived.has(member))) return []
            const stuck = living.filter((member) => !passed.has(member))
            return stuck.length > 0 ? [`round ${round} has all members, and ${stuck.join(', ')} did not pass`] : []
          })
        },
      }
    },
  },
]
