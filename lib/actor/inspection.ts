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
   * The inspection after the effects of a step, which leaves this one as it is.
   *
   * @throws NotPlainError with the path of what would be lost
   */
  after(effects: readonly Effect[]): Inspection {
    if (effects.length === 0) return this
    const next = new Inspection(this)
    for (const effect of effects) next.look(effect)
    return next
  }

  /**
   * Checks that the data of an effect can travel, once for each type of message, event and fact.
   *
   * @throws NotPlainError with the path of what would be lost
   */
  look(effect: Effect): void {
    if (effect.type === 'tell' || effect.type === 'ask' || effect.type === 'answer')
      this.#look('message', effect.params.message)
    else if (effect.type === 'timer') this.#look('event', effect.params.event)
    else if (effect.type === 'receiveTimeout' && effect.params.after) this.#look('event', effect.params.after.event)
    else if (effect.type === 'observe') this.#look('fact', effect.params)
  }

  #look(what: 'message' | 'event' | 'fact', message: Message): void {
    const seen = this.#seen[what]
    if (seen.has(message.type) || seen.size === TYPES_MAX) return
    requirePlain(what, message)
    seen.add(message.type)
  }
}
