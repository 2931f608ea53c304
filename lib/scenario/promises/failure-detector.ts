/** Failure detectors: which actors are taken for dead, and which are dead (Chandra and Toueg 1996). */
import type { Address } from '../../core/address.ts'
import type { Property } from '../oracle.ts'
import { instant, type Reads, safety } from './safety.ts'

/** An actor begins to take another for dead, or takes it for living again. */
export interface Opinion {
  readonly type: 'suspects' | 'trusts'
  readonly whom: Address
}

/**
 * Strong accuracy: no actor is suspected before it dies. It can be promised where mail and answers take a bounded time: not
 * under schedules that hold mail back, pauses, partitions or losses.
 */
export const strongAccuracy = (name: string, opinionOf: Reads<Opinion>): Property =>
  safety(name, () => {
    const died = new Set<Address>()
    return {
      fold: (observed) => {
        const opinion = opinionOf(observed)
        if (opinion?.type !== 'suspects' || died.has(opinion.whom)) return undefined
        return `${observed.who} takes ${opinion.whom} for dead at ${instant(observed.at)}, and it has never died`
      },
      died: (who) => {
        died.add(who)
      },
    }
  })

/** Eventual strong accuracy: when the run is over, no living actor suspects a living one. */
export const eventualAccuracy = (name: string, opinionOf: Reads<Opinion>): Property =>
  inTheEnd(name, opinionOf, (suspects, dead) =>
    [...suspects].flatMap(([who, whoms]) =>
      [...whoms].filter((whom) => !dead.has(whom)).map((whom) => `${who} takes ${whom} for dead, and it lives`),
    ),
  )

/** Strong completeness: when the run is over, each of the `observers` that lives suspects each actor of the `observed` that is dead. */
export const completeness = (
  name: string,
  opinionOf: Reads<Opinion>,
  { observers, observed }: { readonly observers: readonly Address[]; readonly observed: readonly Address[] },
): Property =>
  inTheEnd(name, opinionOf, (suspects, dead) =>
    observers
      .filter((who) => !dead.has(who))
      .flatMap((who) =>
        observed
          .filter((whom) => dead.has(whom) && !suspects.get(who)?.has(whom))
          .map((whom) => `${who} takes ${whom} for living, and it is dead`),
      ),
  )

/** Whom each actor suspects. The dead have no opinions. */
type Suspects = ReadonlyMap<Address, ReadonlySet<Address>>

const inTheEnd = (
  name: string,
  opinionOf: Reads<Opinion>,
  broken: (suspects: Suspects, dead: ReadonlySet<Address>) => readonly string[],
): Property => ({
  name,
  eventually: true,
  watch: () => {
    const suspects = new Map<Address, Set<Address>>()
    return {
      fold: (observed) => {
        const opinion = opinionOf(observed)
        if (opinion === undefined) return
        const own = suspects.get(observed.who) ?? new Set()
        suspects.set(observed.who, own)
        if (opinion.type === 'suspects') own.add(opinion.whom)
        else own.delete(opinion.whom)
      },
      died: (who) => {
        suspects.delete(who)
      },
      broken: ({ dead }) => broken(suspects, dead),
    }
  },
})
