/**
 * A contractor sells the time of its machine's processor. While it has nothing to do it bids at once; while it is
 * busy it queues what is announced, and bids for the best of it on becoming free: as late as possible, when it is
 * known, and not guessed, which machine is free first.
 */
import { actor, type Joined, type Mail, observe } from '../../lib/actor.ts'
import { type FromProcessor, isSame } from '../processor/messages.ts'
import { afterLapse, awardOf, incarnationOf } from './agenda.ts'
import type { Attempt, ContractorFact, ToContractor } from './messages.ts'
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

const { createMachine, rule, always } = actor<{ input: ContractorInput; context: Context; event: Event }>()

const note = (fact: ContractorFact) => observe(fact)

// --- what is said about a task of which something newer is known is ignored ----------------------------------------

const isSuperseded = (context: Context, { task, incarnation }: Attempt) => incarnationOf(context, task) > incarnation
const isNews = (context: Context, { task, incarnation }: Attempt) => incarnationOf(context, task) < incarnation
const isAwardable = (context: Context, attempt: Attempt) =>
  !isSuperseded(context, attempt) && !awardOf(context, attempt)

// --- the market ----------------------------------------------------------------------------------------------------

const onRfb = rule('rfb', (context, { from: client, type: _, ...rfb }) => {
  if (!isNews(context, rfb)) return [{}]
  return inTurn(context, drop(rfb.task), consider({ ...rfb, client }), proceed)
})

const onTask = rule('task', (context, { from: client, type: _, ...task }) => {
  if (!isAwardable(context, task)) return [{}]
  return inTurn(context, drop(task.task), accept({ ...task, client }), proceed)
})

const cancelled = (context: Context, attempt: Attempt) =>
  isSuperseded(context, attempt) ? ([{}] as const) : inTurn(context, drop(attempt.task), proceed)

const onLapse = rule('lapse', (context) => inTurn(context, lapse, proceed))

const lapse = ({ openBid, queue }: Context) => {
  if (!openBid) return [{}] as const
  const { task, client } = openBid
  return [
    { openBid: null, queue: afterLapse(queue, task) },
    note({ type: 'lapsed', ...stamp(openBid), client }),
  ] as const
}

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

const onNewProcessor = rule('joined', (context) => inTurn(context, endProbe, lose, proceed))

const strand = rule('deaf', (context) =>
  inTurn({ ...context, probing: false }, lose, refuseHeld, doing(note({ type: 'stranded' }))),
)

const recover = (context: Context) => inTurn(context, doing(note({ type: 'recovered' })), proceed)

const refuse = rule('task', (context, task) => {
  if (isSuperseded(context, task)) return [{}]
  return inTurn(context, drop(task.task), doing(answer(task.from, { type: 'bump', ...stamp(task) })))
})

const queueOnly = rule('rfb', (context, { from: client, type: _, ...rfb }) =>
  isNews(context, rfb) ? inTurn(context, drop(rfb.task), putOff({ ...rfb, client })) : [{}],
)

const cancelledInQueue = (context: Context, attempt: Attempt) =>
  isSuperseded(context, attempt) ? ([{}] as const) : drop(attempt.task)(context)

// --- the statechart ------------------------------------------------------------------------------------------------

type Met = { context: Context; event: Event }

/** Does this event end what is executing, with nothing held to follow it? */
function frees({ context, event }: Met): boolean {
  const { executing, held } = context
  if (!executing || held.length > 0) return false
  if (event.type === 'joined') return true
  if (!('task' in event) || event.task !== executing.task) return false
  switch (event.type) {
    case 'finished':
    case 'silent':
      return isSame(executing, event)
    case 'progress':
      return isSame(executing, event) && !event.running
    case 'cancel':
    case 'cancelAll':
      return !isSuperseded(context, event)
    case 'rfb':
      return isNews(context, event)
    default:
      return false
  }
}

const isAward = ({ context, event }: Met) => event.type === 'task' && isAwardable(context, event)
const isOwnProcessor = ({ event }: Met) => event.type === 'joined' && event.address === ownProcessor()
const freesByProcessor = (met: Met) => isOwnProcessor(met) && frees(met)

const onCancel = rule('cancel', cancelled)
const onCancelAll = rule('cancelAll', cancelled)

export default createMachine({
  context: ({ input }) => ({ ...input, executing: null, held: [], queue: [], openBid: null, probing: false }),
  // a processor that outlived an earlier life of this contractor works for nobody
  entry: always(() => [{}, order({ type: 'reset' })]),
  initial: 'free',
  on: {
    query: { actions: onQuery },
    progress: { actions: onProgress },
    // what was cancelled had ended in the same instant
    finished: {},
    joined: [{ guard: isOwnProcessor, actions: rule('joined', endProbe) }, {}],
    deaf: { target: '.stranded', actions: strand },
  },
  states: {
    free: {
      on: {
        rfb: { actions: onRfb },
        task: [{ guard: isAward, target: 'busy', actions: onTask }, {}],
        cancel: { actions: onCancel },
        cancelAll: { actions: onCancelAll },
        lapse: { actions: onLapse },
      },
    },
    busy: {
      on: {
        rfb: [{ guard: frees, target: 'free', actions: onRfb }, { actions: onRfb }],
        task: { actions: onTask },
        cancel: [{ guard: frees, target: 'free', actions: onCancel }, { actions: onCancel }],
        cancelAll: [{ guard: frees, target: 'free', actions: onCancelAll }, { actions: onCancelAll }],
        lapse: { actions: onLapse },
        finished: [{ guard: frees, target: 'free', actions: onFinished }, { actions: onFinished }],
        silent: [{ guard: frees, target: 'free', actions: onSilent }, { actions: onSilent }],
        progress: [{ guard: frees, target: 'free', actions: onProgress }, { actions: onProgress }],
        joined: [
          { guard: freesByProcessor, target: 'free', actions: onNewProcessor },
          { guard: isOwnProcessor, actions: onNewProcessor },
          {},
        ],
      },
    },
    // queues what is announced, so as to miss nothing once its processor is back
    stranded: {
      on: {
        rfb: { actions: queueOnly },
        task: { actions: refuse },
        cancel: { actions: rule('cancel', cancelledInQueue) },
        cancelAll: { actions: rule('cancelAll', cancelledInQueue) },
        lapse: { actions: rule('lapse', lapse) },
        progress: { target: 'free', actions: rule('progress', recover) },
        joined: [{ guard: isOwnProcessor, target: 'free', actions: rule('joined', recover) }, {}],
      },
    },
  },
})
