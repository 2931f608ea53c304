/** A task in one line. */
import { atName } from '../../../lib/trace/names.ts'
import type { TaskStory } from './attempts.ts'
import { clientSays } from './told.ts'

/** `task 3 of client@c1: at 202.1 announced; 3 bids; at 205.1 awarded to contractor@m3, ...; at 229.9 done by ...`. */
export function storyLine({ task, client, facts, bids }: TaskStory): string {
  const isOver = facts.some(({ fact }) => fact.type === 'done' || fact.type === 'ended')
  const told = facts.filter(({ fact }) => fact.type !== 'rejected')
  const [first = '', ...rest] = told.map(({ fact, step }) => `at ${atName(step)} ${clientSays(fact)}`)
  const rejected = facts.length - told.length
  const count = `${bids.length} ${bids.length === 1 ? 'bid' : 'bids'}${rejected > 0 ? `, ${rejected} late and rejected` : ''}`
  return [`task ${task} of ${client}: ${first}`, count, ...rest, ...(isOver ? [] : ['not over'])].join('; ')
}
