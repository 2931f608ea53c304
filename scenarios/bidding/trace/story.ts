/** The story of each task in the trace of a market: the facts of its client and its bids, in order. */

import type { Attempt, Bid, ClientFact } from '../../../actors/bidding/messages.ts'
import { type Address, type Message, roleOf } from '../../../lib/actor.ts'
import type { Run, Sent, Step } from '../../../lib/trace/run.ts'
import { isClientFact } from '../oracle/ledger.ts'

/** A fact of a client and the step that observed it. */
export interface ObservedFact {
  readonly fact: ClientFact
  readonly step: Step
}

/** A bid, its sending, and the step that handled it; `heard` is null if no step did. */
export interface TracedBid {
  readonly bid: Bid
  readonly sent: Sent
  readonly heard: Step | null
}

export interface TaskStory {
  readonly task: number
  readonly client: Address
  readonly facts: readonly ObservedFact[]
  readonly bids: readonly TracedBid[]
}

export const isAttempt = (message: Message): message is Message & Attempt =>
  typeof message['task'] === 'number' && typeof message['attempt'] === 'number'

const isBid = (message: Message): message is Bid =>
  message.type === 'bid' &&
  isAttempt(message) &&
  typeof message['start'] === 'number' &&
  typeof message['completion'] === 'number' &&
  typeof message['index'] === 'number'

/** The stories of all tasks that clients announced, by number. Empty if the run is no market. */
export function storiesOf(run: Run): ReadonlyMap<number, TaskStory> {
  const stories = new Map<number, { task: number; client: Address; facts: ObservedFact[]; bids: TracedBid[] }>()
  const heard = new Map<string, Step>()
  for (const step of run.steps) {
    if (step.on.what === 'mail' && !heard.has(step.on.id)) heard.set(step.on.id, step)
    for (const fact of step.facts) {
      if (!isClientFact(fact, step.who) || fact.type === 'earned') continue
      const story = stories.get(fact.task) ?? { task: fact.task, client: step.who, facts: [], bids: [] }
      stories.set(fact.task, story)
      story.facts.push({ fact, step })
    }
  }
  for (const sent of run.sends.values()) {
    const { id, from, message } = sent
    if (roleOf(from) !== 'contractor' || !isBid(message)) continue
    stories.get(message.task)?.bids.push({ bid: message, sent, heard: heard.get(id) ?? null })
  }
  return new Map([...stories].sort(([one], [other]) => one - other))
}
