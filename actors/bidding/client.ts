/**
 * A client has tasks, each with an arrival time. This file holds what all clients have in common: they announce their
 * tasks, query the contractors that hold them, and announce a task again if it is refused or seems lost. The protocol
 * decides which bid wins, and when: `export default client({ onAnnounce, onBid, onEvaluate })`.
 */
import {
  actor,
  cancel,
  type Delivery,
  type Joined,
  machineOf,
  now,
  roleOf,
  self,
  timer,
  turn,
} from '../../lib/actor.ts'
import {
  ALL_CONTRACTORS,
  askLater,
  become,
  type ClientInput,
  type Context,
  endWithout,
  estimated,
  find,
  findPlaced,
  finish,
  giveUpEntrusted,
  type InPhase,
  type It,
  isIn,
  isPlaced,
  type Job,
  type Live,
  note,
  type Offer,
  type Placed,
  requestBids,
  send,
  stamp,
  stopAsking,
} from './conversation.ts'
import { firstAttempt, recall, remember } from './memory.ts'
import type { Attempt, Bid, Bump, CutOff, Earned, Result, Status, ToClient } from './messages.ts'
import { isPaid, POLICIES, type Policy, pointsLeft } from './priority.ts'

export type { Job } from './conversation.ts'

export interface ClientProtocol {
  /** Adds to an announcement, usually the timer of its evaluation (`evaluateAfter`). */
  readonly onAnnounce: (it: It, task: Live) => void
  /** Handles a bid for a live task, which may have been awarded already. */
  readonly onBid: (it: It, task: Live, offer: Offer) => void
  /** Evaluates the bids: awards the task (`place`), or reports that there is none (`noBid`). */
  readonly onEvaluate: (it: It, task: InPhase<'soliciting'>) => void
  /** A policy that replaces the one of the terms. */
  readonly priority?: Policy
}

type Own =
  | { type: 'arrive' }
  | (Attempt & { type: 'evaluate' })
  | (Attempt & { type: 'retry' })
  | (Attempt & { type: 'ask' })
  | (Attempt & { type: 'unanswered' })
  /** The bid of the client's own machine, after the local delay. */
  | LocalBid
type LocalBid = Attempt & { type: 'localBid'; offer: Offer }

const { createMachine, handlers, onEntry } = actor<{
  input: ClientInput
  context: Context
  event: ToClient | Joined | Own
}>()

function awaitArrival(it: It): void {
  const next = it.context.tasks[it.context.arrived]
  if (next) it.do(timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival'))
}

const start = turn((it: It) => {
  const { entrusted, announced } = it.context
  it.do(remember({ type: 'began' }))
  for (const job of entrusted) giveUpEntrusted(it, { task: job.id, attempt: firstAttempt(announced, job) })
  it.context.entrusted = []
  awaitArrival(it)
})

/** Lengthens the time that a bid of the client's own machine promises, by a factor that grows with its tasks there. */
function inflated({ live, terms }: Context, offer: Offer): Offer {
  const here = Object.values(live).filter(({ phase }) => phase.holder?.contractor === offer.contractor).length
  const factor = 1 + (terms.localInflation - 1) * (1 + here)
  return { ...offer, completion: now() + Math.round((offer.completion - now()) * factor) }
}

/** The machine of a client of this protocol. */
export function client(protocol: ClientProtocol) {
  // --- announcing --------------------------------------------------------------------------------------------------

  /** Requests bids for a task, without any so far. */
  function solicit(it: It, task: Live | Omit<Live, 'phase'>): void {
    const soliciting: Live = { ...task, phase: { name: 'soliciting', offers: [], holder: null } }
    become(it, soliciting)
    announce(it, soliciting)
  }

  function announce(it: It, task: Live): void {
    requestBids(it, ALL_CONTRACTORS, task)
    protocol.onAnnounce(it, task)
  }

  const onArrive = turn((it: It) => {
    const { tasks } = it.context
    for (let next = tasks[it.context.arrived]; next && next.arrival <= now(); next = tasks[++it.context.arrived]) {
      announceFirst(it, next)
    }
    awaitArrival(it)
  })

  function announceFirst(it: It, arriving: Job): void {
    const { terms, announced, measured, purse } = it.context
    const job = estimated(measured, arriving)
    const policy = protocol.priority ?? POLICIES[terms.priority]
    const priority = policy(job, pointsLeft(purse, terms.income, now()))
    const points = protocol.priority === undefined && isPaid(terms.priority) ? -priority : 0
    if (points > 0) {
      it.context.purse = { ...purse, spent: purse.spent + points }
      it.do(remember({ type: 'spent', task: job.id, points }))
    }
    const attempt = { task: job.id, attempt: firstAttempt(announced, job) }
    solicit(it, { job, attempt: attempt.attempt, priority, points })
    note(it, { type: 'announced', ...attempt })
    if (attempt.attempt > 1) it.do(remember({ type: 'announced', ...attempt }))
  }

  /** Announces the next attempt. A contractor that hears of it drops all that it knows of the old attempt. */
  function announceAgain(it: It, task: Live): void {
    const announced = { type: 'announced', task: task.job.id, attempt: task.attempt + 1 } as const
    stopAsking(it, task.job)
    solicit(it, { ...task, job: estimated(it.context.measured, task.job), attempt: announced.attempt })
    it.do(remember(announced))
    note(it, announced)
  }

  const onRetry = turn((it: It, attempt: Attempt) => {
    const task = find(it, attempt)
    if (!task || isPlaced(task) || (isIn(task, 'soliciting') && task.phase.offers.length > 0)) return
    solicit(it, task)
    note(it, { type: 'repeated', ...stamp(task) })
  })

  /**
   * Sends a new contractor the requests that are still open. Without them, a task could wait for ever while it is free.
   */
  const onJoined = turn((it: It, { address }: Joined) => {
    if (roleOf(address) !== 'contractor') return
    for (const task of Object.values(it.context.live)) {
      if (!isIn(task, 'awarded')) requestBids(it, address, task)
    }
  })

  // --- bids --------------------------------------------------------------------------------------------------------

  const onBid = turn((it: It, bid: Bid, { from: contractor }: Delivery) => {
    const task = find(it, bid)
    if (!task) return
    const { start, completion, index } = bid
    const offer = { contractor, start, completion, index }
    if (machineOf(contractor) !== machineOf(self())) return protocol.onBid(it, task, offer)
    const { localDelay } = it.context.terms
    const local = inflated(it.context, offer)
    if (localDelay === 0) return protocol.onBid(it, task, local)
    it.do(timer(`local:${task.job.id}`, localDelay, { type: 'localBid', ...stamp(task), offer: local }))
  })

  const onLocalBid = turn((it: It, bid: LocalBid) => {
    const task = find(it, bid)
    if (task) protocol.onBid(it, task, bid.offer)
  })

  const onEvaluate = turn((it: It, attempt: Attempt) => {
    const task = find(it, attempt)
    if (task && isIn(task, 'soliciting')) protocol.onEvaluate(it, task)
  })

  // --- the end of an attempt ---------------------------------------------------------------------------------------

  /** Accepts the first result, even from a contractor that has just lost the task to a late bidder. */
  const onResult = turn((it: It, result: Result, { from }: Delivery) => {
    const task = find(it, result)
    if (task) finish(it, task, result, from)
  })

  const onCutOff = turn((it: It, cutOff: CutOff, { from: contractor }: Delivery) => {
    const task = findPlaced(it, cutOff, contractor)
    if (task) endWithout(it, task, { reason: 'cut off', contractor })
  })

  const onBump = turn((it: It, bump: Bump, { from: contractor }: Delivery) => {
    const task = findPlaced(it, bump, contractor)
    if (!task || (bump.kept && !isIn(task, 'awarded'))) return
    note(it, { type: 'bumped', ...stamp(task), contractor })
    if (!bump.kept) return announceAgain(it, task)
    const again: Live = { ...task, phase: { name: 'soliciting', offers: [], holder: task.phase.holder } }
    become(it, again)
    announce(it, again)
  })

  function fail(it: It, task: Placed, reason: 'silent' | 'lost'): void {
    const { contractor } = task.phase.holder
    note(it, { type: 'failed', ...stamp(task), contractor, reason })
    if (task.job.restartable !== false) return announceAgain(it, task)
    endWithout(it, task, { reason: 'not restartable', contractor })
  }

  const onEarned = turn((it: It, { task, attempt, points }: Earned) => {
    it.context.purse = { ...it.context.purse, earned: it.context.purse.earned + points }
    it.do(remember({ type: 'earned', points }))
    note(it, { type: 'earned', task, attempt, points })
  })

  // --- status queries ----------------------------------------------------------------------------------------------

  const onAsk = turn((it: It, attempt: Attempt) => {
    const task = findPlaced(it, attempt)
    if (!task) return
    const { timeout } = it.context.terms
    send(it, task.phase.holder.contractor, { type: 'query', ...stamp(task) })
    askLater(it, task)
    if (timeout === null || task.phase.holder.asking) return
    become(it, withHolder(task, true))
    it.do(timer(`unanswered:${task.job.id}`, timeout, { type: 'unanswered', ...stamp(task) }))
  })

  const onStatus = turn((it: It, status: Status, { from }: Delivery) => {
    const task = findPlaced(it, status, from)
    if (!task) return
    if (status.state === 'unknown') return fail(it, task, 'lost')
    if (!task.phase.holder.asking) return
    become(it, withHolder(task, false))
    it.do(cancel(`unanswered:${task.job.id}`))
  })

  const onUnanswered = turn((it: It, attempt: Attempt) => {
    const task = findPlaced(it, attempt)
    if (task) fail(it, task, 'silent')
  })

  // --- the statechart ----------------------------------------------------------------------------------------------

  return createMachine({
    context: ({ input: { tasks, terms, records = [] } }) => ({
      terms,
      ...recall(tasks, records, now()),
      measured: {},
      arrived: 0,
      live: {},
    }),
    initial: 'serving',
    on: handlers({ ack: {}, earned: onEarned }),
    states: {
      serving: {
        entry: onEntry(start),
        always: { guard: isOver, target: 'done' },
        on: handlers({
          arrive: onArrive,
          joined: onJoined,
          bid: onBid,
          localBid: onLocalBid,
          evaluate: onEvaluate,
          retry: onRetry,
          result: onResult,
          cutOff: onCutOff,
          bump: onBump,
          ask: onAsk,
          status: onStatus,
          unanswered: onUnanswered,
        }),
      },
      // no timer is set that could wake it; messages that were under way at the last result are ignored
      done: {
        on: {
          joined: {},
          bid: {},
          localBid: {},
          evaluate: {},
          retry: {},
          result: {},
          cutOff: {},
          bump: {},
          status: {},
        },
      },
    },
  })
}

const withHolder = (task: Placed, asking: boolean): Live => ({
  ...task,
  phase: { ...task.phase, holder: { ...task.phase.holder, asking } },
})

const isOver = ({ context: { arrived, tasks, live } }: { context: Context }) =>
  arrived === tasks.length && Object.keys(live).length === 0
