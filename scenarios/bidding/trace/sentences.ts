/** The facts and messages of a market as sentences. */
import type { ClientFact } from '../../../actors/bidding/messages.ts'
import { type Message, toUnits } from '../../../lib/actor.ts'
import { printUnits } from '../../../lib/core/format.ts'
import { atName } from '../../../lib/trace/names.ts'
import { isAttempt, type TaskStory } from './story.ts'

/**
 * The story of a task in one line: `task 3 of client@c1: at 202.1 announced; 3 bids; at 205.1 awarded to ...; at 229.9
 * done by ...`.
 */
export function storyLine({ task, client, facts, bids }: TaskStory): string {
  const isOver = facts.some(({ fact }) => fact.type === 'done' || fact.type === 'ended')
  const told = facts.filter(({ fact }) => fact.type !== 'rejected' && fact.type !== 'heard')
  const [first = '', ...rest] = told.map(({ fact, step }) => `at ${atName(step)} ${clientSays(fact)}`)
  const rejected = facts.filter(({ fact }) => fact.type === 'rejected').length
  const count = `${bids.length} ${bids.length === 1 ? 'bid' : 'bids'}${rejected > 0 ? `, ${rejected} late and rejected` : ''}`
  return [`task ${task} of ${client}: ${first}`, count, ...rest, ...(isOver ? [] : ['not over'])].join('; ')
}

/** Describes a fact of a client about one of its tasks. */
export function clientSays(fact: ClientFact): string {
  switch (fact.type) {
    case 'announced':
      return fact.attempt === 1 ? 'announced' : `announced again (attempt ${fact.attempt})`
    case 'heard':
      return `heard the bid of ${fact.contractor}, to end at ${printUnits(fact.completion)}`
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
      return 'request repeated, since there was no bid'
    case 'failed':
      return fact.reason === 'silent' ? `${fact.contractor} failed: it did not answer` : `lost by ${fact.contractor}`
    case 'ended':
      return `over without a result: ${fact.reason}`
    case 'earned':
      return `earned ${fact.points} points`
    case 'done':
      return `done by ${fact.contractor}, flow ${printUnits(fact.flow)}`
  }
}

/** Describes a fact of another actor about a task, usually of the processor. */
export function otherSays(fact: Message): string {
  const { busy } = fact
  return typeof busy === 'number' ? `${fact.type} after ${toUnits(busy)}` : fact.type
}

/** Describes a message by its type and the fields that matter to its task. */
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
