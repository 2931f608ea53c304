/** Finds the facts that broke the promises of a run: new oracles judge its beginnings, so nothing runs again. */
import type { Address } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import type { System } from '../system/system.ts'
import type { Line } from '../trace/lines.ts'
import type { ObservedFact, Oracle } from './oracle.ts'
import type { RunOutcome } from './outcome.ts'

type Heard = ObservedFact | { readonly died: Address; readonly at: number }

/** The most facts and deaths of a run whose breaking facts are searched. More would fill the memory. */
const HEARD_MAX = 200_000

/** All that an oracle hears of a run. */
export class Hearing {
  readonly #heard: Heard[] = []
  readonly #recovered: (readonly [who: Address, records: readonly Plain[]])[] = []

  /** Begins to listen. Call it before the actors are spawned. */
  constructor(system: System) {
    system.onFact((fact, { who, at }) => this.#add({ fact, who, at }))
    system.onDeath(({ address, at }) => this.#add({ died: address, at }))
  }

  #add(heard: Heard): void {
    if (this.#heard.length <= HEARD_MAX) this.#heard.push(heard)
  }

  /** Keeps the records that the actors begin with. Call it when they have been spawned. */
  begun(system: System): void {
    for (const { address } of system.actors) {
      const records = system.recordsOf(address)
      if (records.length > 0) this.#recovered.push([address, records])
    }
  }

  /**
   * A line for each promise of safety that the run has broken, with the fact that broke it. `judge` makes an oracle
   * that has heard nothing, unlike `oracle` of the run. Each is asked once. They are few, since the fact is found by halving.
   */
  broken(oracle: unknown, judge: () => Oracle, outcome: RunOutcome): readonly Line[] {
    const all = this.#heard.length
    if (all > HEARD_MAX) return []
    const judged = (count: number): ReadonlySet<string> => {
      const other = judge()
      return other === oracle ? new Set() : this.#ask(other, count, outcome)
    }
    const asked = new Map<number, ReadonlySet<string>>()
    const brokenAfter = (count: number): ReadonlySet<string> => {
      const known = asked.get(count) ?? judged(count)
      asked.set(count, known)
      return known
    }
    return [...brokenAfter(all)].flatMap((promise): readonly Line[] => {
      const last = this.#heard[lastChange(all, (count) => brokenAfter(count).has(promise)) - 1]
      if (!last || !('fact' in last)) return []
      const own = this.#heard.filter((one) => 'fact' in one && one.who === last.who)
      return [{ t: 'broken', who: last.who, fact: own.indexOf(last) + 1, promise }]
    })
  }

  /** The promises of safety that are broken after some of what was heard. */
  #ask(oracle: Oracle, count: number, { dead, lost, clocksJumped }: RunOutcome): ReadonlySet<string> {
    for (const [who, records] of this.#recovered) oracle.recovered?.(who, records)
    for (const heard of this.#heard.slice(0, count)) {
      if ('fact' in heard) oracle.fold?.(heard.fact, heard.who, heard.at)
      else oracle.died?.(heard.died, heard.at)
    }
    const goingOn: RunOutcome = { isIdle: false, isSettled: false, dead, lost, clocksJumped }
    try {
      const broken = oracle.brokenSoFar?.(goingOn) ?? oracle.violations(goingOn)
      return new Set(broken.flatMap(({ property, eventually }) => (eventually ? [] : [property])))
    } catch {
      // an oracle that is asked only at the end may not understand a part of a run
      return new Set()
    }
  }
}

/**
 * The count at which something begins to hold that holds after `all`; 0 if it holds from the beginning. It looks backward in
 * growing steps and then halves, so what held for a while earlier, and then not, does not count.
 */
function lastChange(all: number, holds: (count: number) => boolean): number {
  let [high, low] = [all, all - 1]
  for (let back = 2; low >= 0 && holds(low); back *= 2) [high, low] = [low, all - back]
  low = Math.max(low, -1)
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}
