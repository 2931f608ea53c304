/** Facts of clients and processors as people tell them. */
import type { ClientFact } from '../../../actors/bidding/messages.ts'
import { type Message, toUnits } from '../../../lib/actor.ts'
import { printUnits } from '../../../lib/core/format.ts'
import { isAttempt } from './attempts.ts'

/** A fact of a client about one of its tasks. */
export function clientSays(fact: ClientFact): string {
  switch (fact.type) {
    case 'announced':
      return fact.attempt === 1 ? 'announced' : `announced anew (attempt ${fact.attempt})`
    case 'awarded':
      return `awarded to ${fact.contractor}, to end at ${printUnits(fact.completion)}`
    case 'moved':
      return `moved from ${fact.previous} to ${fact.contractor}, to end at ${printUnits(fact.completion)}`
    case 'rejected':
      return `late bid of ${fact.contractor} rejected`
    case 'bumped':
      return `bumped by ${fact.contractor}`
    case 'replaced': {
      const { contractor, previous, completion } = fact
      const how = contractor === previous ? `stays with ${contractor}` : `moved from ${previous} to ${contractor}`
      return `${how}, to end at ${printUnits(completion)}`
    }
    case 'repeated':
      return 'announced again, for there was no bid'
    case 'failed':
      return fact.reason === 'silent' ? `${fact.contractor} is silent: failed` : `lost by ${fact.contractor}`
    case 'ended':
      return `over without a result: ${fact.reason}`
    case 'earned':
      return `earned ${fact.points} points`
    case 'done':
      return `done by ${fact.contractor}, flow ${printUnits(fact.flow)}`
  }
}

/** A fact of anybody else that is about a task: what the processor did, above all. */
export function otherSays(fact: Message): string {
  const { busy } = fact
  return typeof busy === 'number' ? `${fact.type} after ${toUnits(busy)}` : fact.type
}

/** An announcement, an award or a bid, with what matters of it; other messages by their type. */
export function messageSays(message: Message): string {
  const { type, start, completion, kept, state, work, attempt } = message
  const said: string[] = []
  if (typeof start === 'number') said.push(`start ${printUnits(start)}`)
  if (typeof completion === 'number') said.push(`completion ${printUnits(completion)}`)
  if (type === 'task' && typeof work === 'number') said.push(`work ${printUnits(work)}`)
  if (typeof kept === 'boolean') said.push(kept ? 'kept' : 'refused')
  if (typeof state === 'string') said.push(state)
  if (isAttempt(message) && attempt !== 1) said.push(`attempt ${message.attempt}`)
  return said.length > 0 ? `${type} (${said.join(', ')})` : type
}
