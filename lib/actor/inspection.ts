/**
 * Looks for what would be lost on the way, such as symbol keys: in the first message of each type that an incarnation sends, sets
 * a timer for or observes. To look into every message would take as long as to write it; what a rule puts into messages
 * of one type seldom differs. By incarnation, so that a step that fails on threads fails inline and in a replay, too.
 */

import { type Message, requirePlain } from '../core/data.ts'
import type { Effect } from './effect.ts'

/** Types that are data, such as `task 17`, do not fill the memory. */
const TYPES_MAX = 1024

export class Inspection {
  readonly #seen = { message: new Set<string>(), event: new Set<string>(), fact: new Set<string>() }

  /** @throws NotPlainError with the path of what would be lost */
  look(effect: Effect): void {
    if (effect.type === 'tell') this.#look('message', effect.params.message)
    else if (effect.type === 'timer') this.#look('event', effect.params.event)
    else if (effect.type === 'observe') this.#look('fact', effect.params)
  }

  #look(what: 'message' | 'event' | 'fact', message: Message): void {
    const seen = this.#seen[what]
    if (seen.has(message.type) || seen.size === TYPES_MAX) return
    requirePlain(what, message)
    seen.add(message.type)
  }
}
