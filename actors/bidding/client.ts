/**
 * A client has tasks to be done, each from its own instant on. What all clients have in common is here: they announce
 * their tasks, ask after those that are placed, and announce anew what is refused or seems lost. Which bid wins, and
 * when, is the protocol's: `export default client({ onAnnounce, onBid, onEvaluate })`.
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
  askLater,
  become,
  type ClientInput,
  type Context,
  EVERYBODY,
  find,
  findPlaced,
  type InPhase,
  isIn,
  isPlaced,
  type Job,
  type Live,
  note,
  type Placed,
  requestBids,
  send,
  stamp,
  stopAsking,
} from './conversation.ts'
import { endWithout, finish, giveUpEntrusted } from './endings.ts'
import { estimated } from './estimates.ts'
import { firstAttempt, recall, remember } from './memory.ts'
import type { Attempt, ToClient } from './messages.ts'
import type { Offer } from './offers.ts'
import { isPaid, POLICIES, type Policy } from './priority.ts'
import { pointsLeft } from './purse.ts'
import type { Terms } from './terms.ts'

export type { Job } from './conversation.ts'

export interface ClientProtocol {
  /** What comes with an announcement, as a rule the timer of its evaluation (`evaluateAfter`). */
  readonly onAnnounce: (task: Live, terms: Terms) => Effect[]
  /** A bid, whatever has become of its task meanwhile. */
  readonly onBid: (context: Context, task: Live, offer: Offer) => Decision<Context>
  /** The bids are in: `place` it, or `noBid`. */
  readonly onEvaluate: (context: Context, task: InPhase<'soliciting'>) => Decision<Context>
  /** A ranking of one's own; default that of the terms. */
  readonly priority?: Policy
}

type Own =
  | { type: 'arrive' }
  | (Attempt & { type: 'evaluate' | 'retry' | 'ask' | 'unanswered' })
  /** The bid of the own machine, after it was held back. */
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

/** What a client makes of a bid of its own machine: the more it has there, the longer that seems to take. */
function inflated({ live, terms }: Context, offer: Offer): Offer {
  const here = Object.values(live).filter(({ phase }) => phase.holder?.contractor === offer.contractor).length
  const factor = 1 + (terms.localInflation - 1) * (1 + here)
  return { ...offer, completion: now() + Math.round((offer.completion - now()) * factor) }
}

/** The machine of a client of this protocol. */
export function client(protocol: ClientProtocol) {
  // --- announcing --------------------------------------------------------------------------------------------------

  const announce = (task: Live, terms: Terms): Effect[] => [
    requestBids(EVERYBODY, task),
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

  /** Whatever is left of the old attempt anywhere dies of hearing of the new one. */
  function announceAnew(context: Context, task: Live): Decision<Context> {
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

  /** A newcomer has heard of nothing; without this a task could wait for ever beside a free machine. */
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

  /** The first result counts, also that of a contractor whose task was just moved away. */
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
      const [changes, ...effects] = announceAnew(context, task)
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
        : announceAnew(context, task)
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
      // nothing is set that could wake it; what was on its way when the last result came is of no use any more
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
