/** Which states of their statecharts actors enter, from the lines of a trace. */
import type { Address } from '../core/address.ts'
import type { Line } from './lines.ts'
import { leavesOf } from './names.ts'

/** What an actor entered in a step. */
export interface Entered {
  readonly who: Address
  /** By their paths, the outer before the inner. */
  readonly states: readonly string[]
}

/** Is `name` the state of this path, by its own name, its path, or the end of it? */
export const isNamed = (path: string, name: string): boolean => path === name || path.endsWith(`.${name}`)

export class Entries {
  /** The states of the present incarnation of each actor. */
  readonly #within = new Map<Address, ReadonlySet<string>>()

  /** Undefined for what enters nothing: so does an incarnation with the states that it begins in. */
  read({ t, who, value }: Line): Entered | undefined {
    if (typeof who !== 'string') return undefined
    if (t === 'start') this.#within.delete(who)
    if (t !== 'state') return undefined
    const before = this.#within.get(who)
    const within = new Set(leavesOf(value ?? null).flatMap(around))
    this.#within.set(who, within)
    const states = before ? [...within].filter((state) => !before.has(state)) : []
    return states.length === 0 ? undefined : { who, states }
  }
}

/** `trading.busy` is in `trading` too. */
const around = (leaf: string): string[] => leaf.split('.').map((_, i, names) => names.slice(0, i + 1).join('.'))
