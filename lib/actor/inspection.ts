/**
 * Checks messages for data that would not travel, such as symbol keys: the first message of each type that an incarnation
 * sends, sets a timer for or observes. Checking every message would take as long as encoding it, and messages of one type
 * seldom differ in this. Each incarnation checks for itself, so a step that fails on threads fails inline and in a replay.
 */

import { type Message, requirePlain } from '../core/data.ts'
import type { Effect } from './effect.ts'

/** The most types to remember, in case that types contain data, such as `task 17`. */
const TYPES_MAX = 1024

export class Inspection {
  readonly #seen: { readonly message: Set<string>; readonly event: Set<string>; readonly fact: Set<string> }

  /** Begins with the types that an earlier inspection has seen. */
  constructor(earlier?: Inspection) {
    const { message, event, fact } = earlier ? earlier.#seen : {}
    this.#seen = { message: new Set(message), event: new Set(event), fact: new Set(fact) }
  }

  /**
   * The inspection after the effects of a step, which leaves this one as it is: itself if they bring no new type.
   *
   * @throws NotPlainError with the path of what would be lost
   */
  after(effects: readonly Effect[]): Inspection {
    let next: Inspection = this
    for (const effect of effects) {
      if (next.#unseen(effect) === undefined) continue
      if (next === this) next = new Inspection(this)
      next.look(effect)
    }
    return next
  }

  /**
   * Checks that the data of an effect can travel, once for each type of message, event and fact.
   *
   * @throws NotPlainError with the path of what would be lost
   */
  look(effect: Effect): void {
    const message = this.#unseen(effect)
    if (!message) return
    const what = kindOf(effect)
    requirePlain(what, message)
    this.#seen[what].add(message.type)
  }

  /** The data of an effect if its type is to be checked. */
  #unseen(effect: Effect): Message | undefined {
    const message = dataOf(effect)
    if (!message) return undefined
    const seen = this.#seen[kindOf(effect)]
    return seen.has(message.type) || seen.size === TYPES_MAX ? undefined : message
  }
}

const kindOf = ({ type }: Effect): 'message' | 'event' | 'fact' =>
  type === 'observe' ? 'fact' : type === 'timer' || type === 'receiveTimeout' ? 'event' : 'message'

function dataOf({ type, params }: Effect): Message | undefined {
  switch (type) {
    case 'tell':
    case 'ask':
    case 'answer':
      return params.message
    case 'timer':
      return params.event
    case 'receiveTimeout':
      return params.after?.event
    case 'observe':
      return params
    default:
      return undefined
  }
}
