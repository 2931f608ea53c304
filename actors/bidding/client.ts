/**
 * A client has tasks, each with an arrival time. This file holds what all clients have in common: they announce their
 * tasks, query the contractors that hold them, and announce a task again if it is refused or seems lost. The protocol
 * decides which bid wins, and when: `export default client({ onAnnounce, onBid, onEvaluate })`.
 */
import {
  actor,
  cancel,
  type Decision,
  type Effect,
  type Joined,
  type Mail,
  machineOf,
  now,
  roleOf,
  self,
  timer,
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
import type { Attempt, ToClient } from './messages.ts'
import { isPaid, POLICIES, type Policy, pointsLeft } from './priority.ts'
import type { Terms } from './terms.ts'

export type { Job } from './conversation.ts'

export interface ClientProtocol {
  /** Effects that go with an announcement, usually the timer of its evaluation (`evaluateAfter`). */
  readonly onAnnounce: (task: Live, terms: Terms) => Effect[]
  /** Handles a bid for a live task, which may have been awarded already. */
  readonly onBid: (context: Context, task: Live, offer: Offer) => Decision<Context>
  /** Evaluates the bids: awards the task (`place`), or reports that there is none (`noBid`). */
  readonly onEvaluate: (context: Context, task: InPhase<'soliciting'>) => Decision<Context>
  /** A policy that replaces the one of the terms. */
  readonly priority?: Policy
}

type Own =
  | { type: 'arrive' }
  | (Attempt & { type: 'evaluate' | 'retry' | 'ask' | 'unanswered' })
  /** The bid of the client's own machine, after the local delay. */
  | (Attempt & { type: 'localBid'; offer: Offer })
type Event = Mail<ToClient> | Joined | Own

const { createMachine, rule, onEntry } = actor<{ input: ClientInput; context: Context; event: Event }>()

function awaitArrival(tasks: readonly Job[], arrived: number): Effect[] {
  const next = tasks[arrived]
  return next ? [timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival')] : []
}

const start = onEntry(({ tasks, arrived, entrusted, announced }) => [
  { entrusted: [] },
  remember({ type: 'began' }),
  ...entrusted.flatMap((job) => giveUpEntrusted({ task: job.id, attempt: firstAttempt(announced, job) })),
  ...awaitArrival(tasks, arrived),
])

/** Lengthens the time that a bid of the client's own machine promises, by a factor that grows with its tasks there. */
function inflated({ live, terms }: Context, offer: Offer): Offer {
  const here = Object.values(live).filter(({ phase }) => phase.holder?.contractor === offer.contractor).length
  const factor = 1 + (terms.localInflation - 1) * (1 + here)
  return { ...offer, completion: now() + Math.round((offer.completion - now()) * factor) }
}

/** The machine of a client of this protocol. */
export function client(protocol: ClientProtocol) {
  // --- announcing --------------------------------------------------------------------------------------------------

  const announce = (task: Live, terms: Terms): Effect[] => [
    requestBids(ALL_CONTRACTORS, task),
    ...protocol.onAnnounce(task, terms),
  ]

  const soliciting = (task: Omit<Live, 'phase'>): Live => ({
    ...task,
    phase: { name: 'soliciting', offers: [], holder: null },
  })

  const rank = ({ terms, purse }: Context, job: Job): Pick<Live, 'priority' | 'points'> => {
    const policy = protocol.priority ?? POLICIES[terms.priority]
    const priority = policy(job, pointsLeft(purse, terms.income, now()))
    return { priority, points: protocol.priority === undefined && isPaid(terms.priority) ? -priority : 0 }
  }

  const onArrive = rule('arrive', (context) => {
    const { tasks, terms, announced, measured } = context
    let { live, purse, arrived } = context
    const effects: Effect[] = []
    for (let next = tasks[arrived]; next && next.arrival <= now(); next = tasks[++arrived]) {
      const job = estimated(measured, next)
      const task = soliciting({
        job,
        attempt: firstAttempt(announced, job),
        ...rank({ ...context, purse }, job),
      })
      live = { ...live, [job.id]: task }
      if (task.points > 0) {
        purse = { ...purse, spent: purse.spent + task.points }
        effects.push(remember({ type: 'spent', task: job.id, points: task.points }))
      }
      effects.push(...announce(task, terms), note({ type: 'announced', ...stamp(task) }))
      if (task.attempt > 1) effects.push(remember({ type: 'announced', ...stamp(task) }))
    }
    return [{ live, purse, arrived }, ...effects, ...awaitArrival(tasks, arrived)]
  })

  /** Announces the next attempt. A contractor that hears of it drops all that it knows of the old attempt. */
  function announceAgain(context: Context, task: Live): Decision<Context> {
    const { attempt, priority, points } = task
    const job = estimated(context.measured, task.job)
    const again = soliciting({ job, attempt: attempt + 1, priority, points })
    return [
      become(context, again),
      ...stopAsking(context, job),
      ...announce(again, context.terms),
      remember({ type: 'announced', ...stamp(again) }),
      note({ type: 'announced', ...stamp(again) }),
    ]
  }

  const onRetry = rule('retry', (context, event) => {
    const task = find(context, event)
    if (!task || isPlaced(task) || (isIn(task, 'soliciting') && task.phase.offers.length > 0)) return [{}]
    const again = soliciting(task)
    return [become(context, again), ...announce(again, context.terms), note({ type: 'repeated', ...stamp(task) })]
  })

  /**
   * Sends a new contractor the requests that are still open. Without them, a task could wait for ever while it is free.
   */
  const onJoined = rule('joined', ({ live }, { address }) => {
    if (roleOf(address) !== 'contractor') return [{}]
    const open = Object.values(live).filter(({ phase }) => phase.name !== 'awarded')
    return [{}, ...open.map((task) => requestBids(address, task))]
  })

  // --- bids --------------------------------------------------------------------------------------------------------

  const onBid = rule('bid', (context, bid) => {
    const task = find(context, bid)
    if (!task) return [{}]
    const { from: contractor, start, completion, index } = bid
    const offer = { contractor, start, completion, index }
    if (machineOf(contractor) !== machineOf(self())) return protocol.onBid(context, task, offer)
    const { localDelay } = context.terms
    const local = inflated(context, offer)
    if (localDelay === 0) return protocol.onBid(context, task, local)
    return [{}, timer(`local:${task.job.id}`, localDelay, { type: 'localBid', ...stamp(task), offer: local })]
  })

  const onLocalBid = rule('localBid', (context, { offer, ...attempt }) => {
    const task = find(context, attempt)
    return task ? protocol.onBid(context, task, offer) : [{}]
  })

  const onEvaluate = rule('evaluate', (context, event) => {
    const task = find(context, event)
    return task && isIn(task, 'soliciting') ? protocol.onEvaluate(context, task) : [{}]
  })

  // --- the end of an attempt ---------------------------------------------------------------------------------------

  /** Accepts the first result, even from a contractor that has just lost the task to a late bidder. */
  const onResult = rule('result', (context, result) => {
    const task = find(context, result)
    return task ? finish(context, task, result) : [{}]
  })

  const onCutOff = rule('cutOff', (context, { from: contractor, ...attempt }) => {
    const task = findPlaced(context, attempt, contractor)
    return task ? endWithout(context, task, { reason: 'cut off', contractor }) : [{}]
  })

  const onBump = rule('bump', (context, bump) => {
    const task = findPlaced(context, bump, bump.from)
    if (!task) return [{}]
    const bumped = note({ type: 'bumped', ...stamp(task), contractor: bump.from })
    if (!bump.kept) {
      const [changes, ...effects] = announceAgain(context, task)
      return [changes, bumped, ...effects]
    }
    if (!isIn(task, 'awarded')) return [{}]
    const { holder } = task.phase
    const again: Live = { ...task, phase: { name: 'soliciting', offers: [], holder } }
    return [become(context, again), bumped, ...announce(again, context.terms)]
  })

  function fail(context: Context, task: Placed, reason: 'silent' | 'lost'): Decision<Context> {
    const { contractor } = task.phase.holder
    const failed = note({ type: 'failed', ...stamp(task), contractor, reason })
    const [changes, ...effects] =
      task.job.restartable === false
        ? endWithout(context, task, { reason: 'not restartable', contractor })
        : announceAgain(context, task)
    return [changes, failed, ...effects]
  }

  const onEarned = rule('earned', ({ purse }, { task, attempt, points }) => [
    { purse: { ...purse, earned: purse.earned + points } },
    remember({ type: 'earned', points }),
    note({ type: 'earned', task, attempt, points }),
  ])

  // --- status queries ----------------------------------------------------------------------------------------------

  const onAsk = rule('ask', (context, event) => {
    const task = findPlaced(context, event)
    if (!task) return [{}]
    const { holder } = task.phase
    const question = [send(holder.contractor, { type: 'query', ...stamp(task) }), ...askLater(context, task)]
    const { timeout } = context.terms
    if (timeout === null || holder.asking) return [{}, ...question]
    const unanswered = timer(`unanswered:${task.job.id}`, timeout, { type: 'unanswered', ...stamp(task) })
    return [become(context, withHolder(task, true)), ...question, unanswered]
  })

  const onStatus = rule('status', (context, status) => {
    const task = findPlaced(context, status, status.from)
    if (!task) return [{}]
    if (status.state === 'unknown') return fail(context, task, 'lost')
    if (!task.phase.holder.asking) return [{}]
    return [become(context, withHolder(task, false)), cancel(`unanswered:${task.job.id}`)]
  })

  const onUnanswered = rule('unanswered', (context, event) => {
    const task = findPlaced(context, event)
    return task ? fail(context, task, 'silent') : [{}]
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
    on: { ack: {}, earned: { actions: onEarned } },
    states: {
      serving: {
        entry: start,
        always: { guard: isOver, target: 'done' },
        on: {
          arrive: { actions: onArrive },
          joined: { actions: onJoined },
          bid: { actions: onBid },
          localBid: { actions: onLocalBid },
          evaluate: { actions: onEvaluate },
          retry: { actions: onRetry },
          result: { actions: onResult },
          cutOff: { actions: onCutOff },
          bump: { actions: onBump },
          ask: { actions: onAsk },
          status: { actions: onStatus },
          unanswered: { actions: onUnanswered },
        },
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
