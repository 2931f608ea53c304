/**
 * A client has tasks, each with an arrival time. This file holds what all clients have in common. A client announces its
 * tasks when they arrive, and has a conversation about each (task.ts): it queries the contractor that holds the task, and
 * announces the task again if it is refused or seems lost. The protocol decides which bid wins, and when:
 * `export default client({ onAnnounce, choose })`.
 */
import {
  actor,
  type Child,
  type Delivery,
  type Effect,
  type Joined,
  machineOf,
  now,
  type Ref,
  ref,
  roleOf,
  self,
  type Turn,
  tell,
  timer,
  turn,
} from '../../lib/actor.ts'
import { awaitNext, beginArrived } from '../arrivals.ts'
import { isCall } from '../processor/messages.ts'
import {
  type Conversation,
  estimated,
  forget,
  type Job,
  learn,
  type Measured,
  type Offer,
  observe,
  persist,
  rfbOf,
} from './conversation.ts'
import { firstAttempt, type Memory, type Remembered, recall } from './memory.ts'
import type { Attempt, Bid, Earned, Result, ToClient, ToContractor } from './messages.ts'
import { isPaid, POLICIES, type Policy, pointsLeft } from './priority.ts'
import { type Due, type Ending, type Passed, type TaskProtocol, taskChart } from './task.ts'
import type { Terms } from './terms.ts'

export type { Job } from './conversation.ts'

/** The decisions of a client that differ from protocol to protocol. */
export interface ClientProtocol extends TaskProtocol {
  /** A policy that replaces the one of the terms. */
  readonly priority?: Policy
}

/** What a client is spawned with. */
export type ClientInput = {
  /** The tasks in the order of arrival. */
  readonly tasks: readonly Job[]
  readonly terms: Terms
  /** The records of earlier incarnations; absent in the first. */
  readonly records?: readonly Remembered[]
}

type Task = Child<Conversation>

export interface Context extends Memory<Job> {
  readonly terms: Terms
  /** The number of tasks that have arrived. */
  readonly arrived: number
  readonly measured: Measured
  /** The conversations in the order of the tasks' numbers; those that are over are removed. */
  readonly live: readonly Task[]
}

type It = Turn<Context>

/** The bid of the client's own machine, after the local delay. */
type LocalBid = Attempt & { type: 'localBid'; offer: Offer }
type Event = ToClient | Joined | { type: 'arrive' } | Due | LocalBid

const start = turn((it: It) => {
  it.do(persist({ type: 'began' }))
  // tasks that an earlier incarnation awarded, and that may not be started twice
  for (const job of it.context.entrusted) {
    const [task, attempt] = [job.id, firstAttempt(it.context.announced, job)]
    it.do(
      ...forget(task, attempt),
      observe({ type: 'ended', task, attempt, reason: 'not restartable', contractor: null }),
    )
  }
  it.do(...awaitNext(it.context.tasks[it.context.arrived]?.arrival))
})

/** The place of the conversation about a task; -1 if there is none. */
const placeOf = (live: readonly Task[], task: number): number => live.findIndex(({ key }) => key === task)

/** The conversation about a task; undefined if the task is over or has a newer attempt. */
function find({ context: { live } }: It, { task, attempt }: Attempt): Task | undefined {
  const found = live[placeOf(live, task)]
  return found?.context.attempt === attempt ? found : undefined
}

/** Lengthens the time that a bid of the client's own machine promises, by a factor that grows with its tasks there. */
function inflated({ live, terms }: Context, offer: Offer): Offer {
  const here = live.filter(({ context }) => context.holder?.contractor === offer.contractor).length
  const factor = 1 + (terms.localInflation - 1) * (1 + here)
  return { ...offer, completion: now() + Math.round((offer.completion - now()) * factor) }
}

const onEarned = turn((it: It, { task, attempt, points }: Earned) => {
  it.context.purse = { ...it.context.purse, earned: it.context.purse.earned + points }
  it.do(persist({ type: 'earned', points }), observe({ type: 'earned', task, attempt, points }))
})

/** The machine of a client of this protocol. */
export function client(protocol: ClientProtocol) {
  const chart = taskChart(protocol)
  const { createMachine, handlers, onEntry } = actor<{
    input: ClientInput
    context: Context
    event: Event
    reply: ToContractor
  }>({ charts: [chart] })

  // --- arrivals ----------------------------------------------------------------------------------------------------

  const onArrive = turn((it: It) => beginArrived(it, it.context.tasks, (job) => begin(it, job)))

  /** Announces a task that has arrived. */
  function begin(it: It, arriving: Job): void {
    const { terms, announced, measured, purse } = it.context
    const job = estimated(measured, arriving)
    const policy = protocol.priority ?? POLICIES[terms.priority]
    const priority = policy(job, pointsLeft(purse, terms.income, now()))
    const points = protocol.priority === undefined && isPaid(terms.priority) ? -priority : 0
    const attempt = firstAttempt(announced, job)
    if (points > 0) {
      it.context.purse = { ...purse, spent: purse.spent + points }
      it.do(persist({ type: 'spent', task: job.id, points }))
    }
    if (attempt > 1) it.do(persist({ type: 'announced', task: job.id, attempt }))
    it.do(observe({ type: 'announced', task: job.id, attempt }))
    keep(it, chart.start(job.id, { terms, job, attempt, priority, points }))
  }

  // --- conversations -----------------------------------------------------------------------------------------------

  /** Keeps a conversation until it is over. */
  function keep(it: It, [task, ...effects]: readonly [Task, ...Effect[]]): void {
    const { live } = it.context
    const { id } = task.context.job
    const place = placeOf(live, id)
    if (chart.isIn(task, 'done') || chart.isIn(task, 'ended')) it.context.live = live.filter((one) => one.key !== id)
    else if (place >= 0) it.context.live = live.with(place, task)
    else it.context.live = live.toSpliced(live.findLastIndex(({ context }) => context.job.id < id) + 1, 0, task)
    it.do(...effects)
  }

  /** Passes a message or timer on to the conversation that it is about. */
  const onTask = turn((it: It, event: Passed) => {
    const task = find(it, event)
    if (task) keep(it, chart.send(task, event))
  })

  /** Passes on what may end the attempt. */
  const onEnding = turn((it: It, event: Ending) => {
    const task = find(it, event)
    if (task) keep(it, chart.send(task, { ...event, measured: it.context.measured }))
  })

  /** Passes a bid on to its conversation. With a timeout machines may die, and a promise about the choice has to know the bids. */
  function hear(it: It, task: Task, offer: Offer): void {
    const { job, attempt, terms } = task.context
    const { contractor, start, completion } = offer
    if (terms.timeout !== null) it.do(observe({ type: 'heard', task: job.id, attempt, contractor, start, completion }))
    keep(it, chart.send(task, { type: 'bid', offer }))
  }

  const onBid = turn((it: It, bid: Bid, { from: contractor }: Delivery<Ref<ToContractor>>) => {
    const task = find(it, bid)
    if (!task) return
    const { start, completion, index } = bid
    const offer = { contractor, start, completion, index }
    if (machineOf(contractor) !== machineOf(self())) return hear(it, task, offer)
    const { localDelay } = it.context.terms
    const local = inflated(it.context, offer)
    if (localDelay === 0) return hear(it, task, local)
    it.do(
      timer<LocalBid>(`local:${bid.task}`, localDelay, {
        type: 'localBid',
        task: task.context.job.id,
        attempt: task.context.attempt,
        offer: local,
      }),
    )
  })

  const onLocalBid = turn((it: It, bid: LocalBid) => {
    const task = find(it, bid)
    if (task) hear(it, task, bid.offer)
  })

  const learnFrom = turn((it: It, result: Result) => {
    const work = find(it, result)?.context.job.work
    if (work === undefined || !isCall(work) || !result.outcome || 'error' in result.outcome) return
    it.context.measured = learn(it.context.measured, work, result.work ?? 0)
  })

  /**
   * Sends a new contractor the requests that are still open. Without them, a task could wait for ever while it is free.
   */
  const onJoined = turn((it: It, { address }: Joined) => {
    if (roleOf(address) !== 'contractor') return
    for (const task of it.context.live) {
      if (!chart.isIn(task, 'awarded.firm')) it.do(tell(ref<ToContractor>(address), rfbOf(task.context)))
    }
  })

  // --- the statechart ----------------------------------------------------------------------------------------------

  return createMachine({
    context: ({ input: { tasks, terms, records = [] } }) => ({
      terms,
      ...recall(tasks, records, now()),
      measured: {},
      arrived: 0,
      live: [],
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
          evaluate: onTask,
          retry: onTask,
          result: { handle: [learnFrom, onTask] },
          cutOff: onTask,
          bump: onEnding,
          ask: onTask,
          status: onEnding,
          unanswered: onEnding,
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

const isOver = ({ context: { arrived, tasks, live } }: { context: Context }) =>
  arrived === tasks.length && Object.keys(live).length === 0
