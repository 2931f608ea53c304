/**
 * A contractor sells the time of its machine's processor. While it has nothing to do it bids at once; while it is
 * busy it queues what is announced, and bids for the best of it on becoming free: as late as possible, when it is
 * known, and not guessed, which machine is free first.
 */
import { actor, type Decision, type Joined, type Mail, observe } from '../../lib/actor.ts'
import { type FromProcessor, isSame } from '../processor/messages.ts'
import { type Award, afterLapse, awardOf, incarnationOf, type Request } from './agenda.ts'
import type { Attempt, ContractorFact, Rfb, Task, ToContractor } from './messages.ts'
import {
  accept,
  answer,
  type Context,
  type ContractorInput,
  consider,
  deliver,
  doing,
  drop,
  endProbe,
  inTurn,
  listen,
  lose,
  type Move,
  order,
  ownProcessor,
  probe,
  proceed,
  putOff,
  refuseHeld,
  stamp,
} from './moves.ts'

export type { ContractorInput } from './moves.ts'

type Own =
  /** Nothing was heard of the open bid. */
  | { type: 'lapse' }
  /** Nothing was heard from the processor. */
  | { type: 'deaf' }
  /** Nothing was heard from the client of this task. */
  | (Attempt & { type: 'silent' })

type Event = Mail<ToContractor> | Mail<FromProcessor> | Joined | Own

const { createMachine, rule, onEntry } = actor<{ input: ContractorInput; context: Context; event: Event }>()

const note = (fact: ContractorFact) => observe(fact)

// --- what is said about a task of which something newer is known is ignored ----------------------------------------

const isSuperseded = (context: Context, { task, incarnation }: Attempt) => incarnationOf(context, task) > incarnation
const isNews = (context: Context, { task, incarnation }: Attempt) => incarnationOf(context, task) < incarnation
const isAwardable = (context: Context, attempt: Attempt) =>
  !isSuperseded(context, attempt) && !awardOf(context, attempt)

// --- the market ----------------------------------------------------------------------------------------------------

const requestOf = ({ from: client, task, incarnation, priority, estimate }: Mail<Rfb>): Request => ({
  client,
  task,
  incarnation,
  priority,
  estimate,
})

const awardFrom = ({ from: client, task, incarnation, priority, work }: Mail<Task>): Award => ({
  client,
  task,
  incarnation,
  priority,
  work,
})

const onRfb = rule('rfb', (context, rfb) =>
  isNews(context, rfb) ? inTurn(context, drop(rfb.task), consider(requestOf(rfb)), proceed) : [{}],
)

const onTask = rule('task', (context, task) =>
  isAwardable(context, task) ? inTurn(context, drop(task.task), accept(awardFrom(task)), proceed) : [{}],
)

const forget = (context: Context, attempt: Attempt): Decision<Context> =>
  isSuperseded(context, attempt) ? [{}] : drop(attempt.task)(context)

const forgetAndProceed = (context: Context, attempt: Attempt): Decision<Context> =>
  inTurn(context, (current) => forget(current, attempt), proceed)

const onCancel = rule('cancel', forgetAndProceed)
const onCancelAll = rule('cancelAll', forgetAndProceed)

const lapse: Move = ({ openBid, queue }) => {
  if (!openBid) return [{}]
  const { task, client } = openBid
  return [{ openBid: null, queue: afterLapse(queue, task) }, note({ type: 'lapsed', ...stamp(openBid), client })]
}

const onLapse = rule('lapse', (context) => inTurn(context, lapse, proceed))

// --- the work ------------------------------------------------------------------------------------------------------

const onFinished = rule('finished', (context, attempt) =>
  context.executing && isSame(context.executing, attempt) ? inTurn(context, deliver, proceed) : [{}],
)

const onSilent = rule('silent', (context, attempt) => {
  const award = awardOf(context, attempt)
  if (!award) return [{}]
  const abandoned = note({ type: 'abandoned', ...stamp(award), client: award.client })
  return inTurn(context, drop(award.task), doing(abandoned), proceed)
})

/** Only the processor knows whether it still executes; what waits its turn is answered for here. */
const onQuery = rule('query', (context, query) => {
  const award = awardOf(context, query)
  if (!award) return [{}, answer(query.from, { type: 'status', ...stamp(query), state: 'unknown' })]
  const heard = doing(...listen(context.silence, award))
  if (award === context.executing) return inTurn(context, heard, probe(award))
  return inTurn(context, heard, doing(answer(award.client, { type: 'status', ...stamp(award), state: 'held' })))
})

const onProgress = rule('progress', (context, progress) => {
  const { executing } = context
  if (!executing || !isSame(executing, progress)) return endProbe(context)
  if (!progress.running) return inTurn(context, endProbe, lose, proceed)
  return inTurn(
    context,
    endProbe,
    doing(answer(executing.client, { type: 'status', ...stamp(executing), state: 'executing' })),
  )
})

// --- a processor that dies and comes back --------------------------------------------------------------------------
// A new life of the processor knows nothing: what it executed is lost, and the client told so. A processor that does
// not answer strands the contractor: it hands everything back and bids for nothing until the processor is heard of
// again, or else it would win one task after the other, being free, and fail them all.

const onNewProcessor = rule('joined', (context) => inTurn(context, endProbe, lose, proceed))

const strand = rule('deaf', (context) =>
  inTurn({ ...context, probing: false }, lose, refuseHeld, doing(note({ type: 'stranded' }))),
)

const recover: Move = (context) => inTurn(context, doing(note({ type: 'recovered' })), proceed)

const refuse = rule('task', (context, task) => {
  if (isSuperseded(context, task)) return [{}]
  return inTurn(context, drop(task.task), doing(answer(task.from, { type: 'bump', ...stamp(task) })))
})

const queueOnly = rule('rfb', (context, rfb) =>
  isNews(context, rfb) ? inTurn(context, drop(rfb.task), putOff(requestOf(rfb))) : [{}],
)

// --- the statechart ------------------------------------------------------------------------------------------------

type Met = { context: Context; event: Event }

const isExecuting = ({ context }: Met) => context.executing !== null
const isIdle = ({ context }: Met) => context.executing === null
const isOwnProcessor = ({ event }: Met) => event.type === 'joined' && event.address === ownProcessor()

export default createMachine({
  context: ({ input }) => ({ ...input, executing: null, held: [], queue: [], openBid: null, probing: false }),
  // a processor that outlived an earlier life of this contractor works for nobody
  entry: onEntry(() => [{}, order({ type: 'reset' })]),
  initial: 'trading',
  on: {
    query: { actions: onQuery },
    // what was cancelled had ended in the same instant
    finished: {},
    deaf: { target: '.stranded', actions: strand },
  },
  states: {
    trading: {
      on: {
        rfb: { actions: onRfb },
        task: { actions: onTask },
        cancel: { actions: onCancel },
        cancelAll: { actions: onCancelAll },
        lapse: { actions: onLapse },
        finished: { actions: onFinished },
        silent: { actions: onSilent },
        progress: { actions: onProgress },
        joined: [{ guard: isOwnProcessor, actions: onNewProcessor }, {}],
      },
      initial: 'free',
      states: {
        free: { always: { guard: isExecuting, target: 'busy' } },
        busy: { always: { guard: isIdle, target: 'free' } },
      },
    },
    // queues what is announced, so as to miss nothing once its processor is back
    stranded: {
      on: {
        rfb: { actions: queueOnly },
        task: { actions: refuse },
        cancel: { actions: rule('cancel', forget) },
        cancelAll: { actions: rule('cancelAll', forget) },
        lapse: { actions: rule('lapse', lapse) },
        progress: { target: 'trading', actions: rule('progress', recover) },
        joined: [{ guard: isOwnProcessor, target: 'trading', actions: rule('joined', recover) }, {}],
      },
    },
  },
})
