/** Finds the states that actors and their conversations enter, from the lines of a trace. */
import type { Address } from '../core/address.ts'
import { isMessage } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import type { Line } from './lines.ts'
import { leavesOf } from './names.ts'

/** One conversation of an actor: the name of its child chart, and its key. */
export interface Conversation {
  readonly chart: string
  readonly key: string
}

/** The states that an actor, or one of its conversations, entered in a step. */
export interface Entered {
  readonly who: Address
  /** The conversation; absent if the actor's own machine entered the states. */
  readonly child?: Conversation
  /** The paths of the states, outer before inner. */
  readonly states: readonly string[]
}

/** An event that an actor handled: a message, or that of a timer. */
export interface Handled {
  readonly who: Address
  readonly at: Time
  readonly type: string
  readonly isTimer: boolean
}

/** The event whose handling a line tells; undefined for any other line. */
export function handledIn({ t, who, at, type, event }: Line): Handled | undefined {
  if (typeof who !== 'string' || typeof at !== 'number') return undefined
  if (t === 'deliver' && typeof type === 'string') return { who, at, type, isTimer: false }
  return t === 'timer' && isMessage(event) ? { who, at, type: event.type, isTimer: true } : undefined
}

/** Says whether `name` means the state with this path: it is the path or the end of it. */
export const isNamed = (path: string, name: string): boolean => path === name || path.endsWith(`.${name}`)

export class Entries {
  /** The states of the present incarnation of each actor. */
  readonly #within = new Map<Address, ReadonlySet<string>>()

  /** Reads a line; undefined if no state is entered. The first states of an incarnation do not count as entered; those of a conversation do. */
  read({ t, who, value, chart, key, state }: Line): Entered | undefined {
    if (typeof who !== 'string') return undefined
    if (t === 'entered' && typeof state === 'string' && typeof chart === 'string') {
      return { who, child: { chart, key: String(key) }, states: around(state) }
    }
    if (t === 'start') this.#within.delete(who)
    if (t !== 'state') return undefined
    const before = this.#within.get(who)
    const within = new Set(leavesOf(value ?? null).flatMap(around))
    this.#within.set(who, within)
    const states = before ? [...within].filter((state) => !before.has(state)) : []
    return states.length === 0 ? undefined : { who, states }
  }
}

/** The paths of a leaf state and of the states around it: an actor in `trading.busy` is in `trading` too. */
const around = (leaf: string): string[] => leaf.split('.').map((_, i, names) => names.slice(0, i + 1).join('.'))
