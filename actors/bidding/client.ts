/**
 * A client has tasks to be done, each from its own instant on. It announces a task to all contractors, awards it to
 * the one that promises the earliest completion, and may move it to a later bidder that promises enough better.
 * It asks after the tasks it has awarded; one that it believes lost it announces anew, as the next incarnation.
 */
import {
  actor,
  cancel,
  type Decision,
  type Effect,
  type Joined,
  type Mail,
  now,
  roleOf,
  timer,
} from '../../lib/actor.ts'
import {
  announce,
  announceAgain,
  askLater,
  award,
  become,
  type ClientInput,
  type Context,
  choose,
  dismiss,
  EVERYBODY,
  fail,
  find,
  findPlaced,
  type Job,
  type Live,
  note,
  type Placed,
  requestBids,
  send,
  soliciting,
  stamp,
  stopAsking,
} from './conversation.ts'
import { earliest, improvement, isWorthMoving, type Offer } from './dsp.ts'
import { recall, remember } from './memory.ts'
import type { Attempt, ToClient } from './messages.ts'

export type { ClientInput, Job } from './conversation.ts'

type Own = { type: 'arrive' } | (Attempt & { type: 'evaluate' | 'ask' | 'unanswered' })
type Event = Mail<ToClient> | Joined | Own

const { createMachine, rule, onEntry } = actor<{ input: ClientInput; context: Context; event: Event }>()

// --- announcing ----------------------------------------------------------------------------------------------------

function awaitArrival(tasks: readonly Job[], arrived: number): Effect[] {
  const next = tasks[arrived]
  return next ? [timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival')] : []
}

const start = onEntry(({ tasks, arrived }) => [{}, remember({ type: 'began' }), ...awaitArrival(tasks, arrived)])

const onArrive = rule('arrive', ({ tasks, wait, live, arrived, firstIncarnation }) => {
  const all: Record<number, Live> = { ...live }
  const effects: Effect[] = []
  let next = arrived
  for (let job = tasks[next]; job && job.arrival <= now(); job = tasks[++next]) {
    const task = soliciting(job, firstIncarnation(job))
    all[job.id] = task
    effects.push(...announce(task, wait))
  }
  return [{ live: all, arrived: next }, ...effects, ...awaitArrival(tasks, next)]
})

/** A newcomer has heard of nothing; without this a task could wait for ever beside a free machine. */
const onJoined = rule('joined', ({ live }, { address }) => {
  if (roleOf(address) !== 'contractor') return [{}]
  const open = Object.values(live).filter(({ phase }) => phase.name !== 'awarded')
  return [{}, ...open.map((task) => requestBids(address, task))]
})

// --- bids and awards -----------------------------------------------------------------------------------------------

const onBid = rule('bid', (context, bid) => {
  const task = find(context, bid)
  if (!task) return [{}]
  const offer = { contractor: bid.from, completion: bid.completion, index: bid.index }
  switch (task.phase.name) {
    case 'soliciting': {
      const others = task.phase.offers.filter(({ contractor }) => contractor !== bid.from)
      return [become(context, { ...task, phase: { name: 'soliciting', offers: [...others, offer] } })]
    }
    case 'noBid':
      return place(context, task, offer)
    case 'awarded':
      return considerLateBid(context, task, task.phase, offer)
  }
})

const onEvaluate = rule('evaluate', (context, event) => {
  const task = find(context, event)
  if (task?.phase.name !== 'soliciting') return [{}]
  const { offers } = task.phase
  const winner = choose(context, task, earliest(offers))
  if (!winner) return [become(context, { ...task, phase: { name: 'noBid' } })]
  const losers = context.clash === 'commit' ? offers.filter((offer) => offer !== winner) : []
  const [changes, ...effects] = place(context, task, winner)
  return [changes, ...effects, ...losers.map(({ contractor }) => dismiss(contractor, task))]
})

function place(context: Context, task: Live, offer: Offer): Decision<Context> {
  const { contractor, completion } = offer
  const [changes, ...effects] = award(context, task, offer)
  return [changes, ...effects, note({ type: 'awarded', ...stamp(task), contractor, completion })]
}

function considerLateBid(context: Context, task: Live, holder: Placed['phase'], offer: Offer): Decision<Context> {
  const { contractor, completion } = offer
  if (contractor === holder.contractor) return [{}]
  const gain = improvement(now(), holder.completion, completion)
  const fact = { ...stamp(task), contractor, completion, improvement: gain }
  if (!isWorthMoving(gain, context.i0)) return [{}, dismiss(contractor, task), note({ type: 'rejected', ...fact })]
  const [changes, ...effects] = award(context, task, offer)
  return [
    changes,
    dismiss(holder.contractor, task),
    ...stopAsking(context, task.job),
    ...effects,
    note({ type: 'moved', ...fact, previous: holder.contractor }),
  ]
}

// --- the end of an attempt -----------------------------------------------------------------------------------------

/** The first result counts, also that of a contractor whose task was just moved away. */
const onResult = rule('result', (context, result) => {
  const task = find(context, result)
  if (!task) return [{}]
  const { [task.job.id]: _, ...live } = context.live
  const { arrival } = task.job
  return [
    { live },
    remember({ type: 'done', task: task.job.id }),
    send(EVERYBODY, { type: 'cancelAll', ...stamp(task) }),
    ...stopAsking(context, task.job),
    note({ type: 'done', ...stamp(task), contractor: result.from, arrival, flow: now() - arrival }),
  ]
})

const onBump = rule('bump', (context, bump) => {
  const task = findPlaced(context, bump, bump.from)
  return task ? announceAgain(context, task, { type: 'bumped', ...stamp(task), contractor: bump.from }) : [{}]
})

// --- status queries ------------------------------------------------------------------------------------------------

const onAsk = rule('ask', (context, event) => {
  const task = findPlaced(context, event)
  if (!task) return [{}]
  const { phase } = task
  const question = [send(phase.contractor, { type: 'query', ...stamp(task) }), ...askLater(context, task)]
  if (context.timeout === null || phase.asking) return [{}, ...question]
  return [
    become(context, { ...task, phase: { ...phase, asking: true } }),
    ...question,
    timer(`unanswered:${task.job.id}`, context.timeout, { type: 'unanswered', ...stamp(task) }),
  ]
})

const onStatus = rule('status', (context, status) => {
  const task = findPlaced(context, status, status.from)
  if (!task) return [{}]
  if (status.state === 'unknown') return fail(context, task, 'lost')
  const heard = { ...task, phase: { ...task.phase, asking: false } }
  return task.phase.asking ? [become(context, heard), cancel(`unanswered:${task.job.id}`)] : [{}]
})

const onUnanswered = rule('unanswered', (context, event) => {
  const task = findPlaced(context, event)
  return task ? fail(context, task, 'silent') : [{}]
})

// --- the statechart ------------------------------------------------------------------------------------------------

const isOver = ({ context: { arrived, tasks, live } }: { context: Context }) =>
  arrived === tasks.length && Object.keys(live).length === 0

export default createMachine({
  context: ({ input: { records = [], ...terms } }) => ({
    ...terms,
    ...recall(terms.tasks, records, now()),
    arrived: 0,
    live: {},
  }),
  initial: 'serving',
  on: { ack: {} },
  states: {
    serving: {
      entry: start,
      always: { guard: isOver, target: 'done' },
      on: {
        arrive: { actions: onArrive },
        joined: { actions: onJoined },
        bid: { actions: onBid },
        evaluate: { actions: onEvaluate },
        result: { actions: onResult },
        bump: { actions: onBump },
        ask: { actions: onAsk },
        status: { actions: onStatus },
        unanswered: { actions: onUnanswered },
      },
    },
    // nothing is set that could wake it; what was on its way when the last result came is of no use any more
    done: {
      on: { joined: {}, bid: {}, evaluate: {}, result: {}, bump: {}, status: {} },
    },
  },
})
