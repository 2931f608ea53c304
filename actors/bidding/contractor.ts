/**
 * A contractor sells the time of its machine's processor. What all contractors have in common is here: they keep to
 * what they were awarded, answer for it, and know when their processor or a client is gone. When to bid, what to do
 * with an award and what comes next is the protocol's: `export default contractor({ consider, accept, proceed })`.
 */
import { actor, type Decision, type Joined, type Mail, now, observe } from '../../lib/actor.ts'
import { type FromProcessor, isSame } from '../processor/messages.ts'
import { type Award, attemptOf, awardOf, EMPTY, type Question, type Request } from './agenda.ts'
import type { Attempt, ContractorFact, Rfb, Task, ToContractor } from './messages.ts'
import {
  answer,
  type Context,
  type ContractorInput,
  deliver,
  doing,
  drop,
  endProbe,
  giveUp,
  inTurn,
  listen,
  lose,
  type Move,
  nothing,
  order,
  ownProcessor,
  probe,
  refuse,
  refuseHeld,
  stamp,
} from './moves.ts'

export interface ContractorProtocol {
  /** Bids for what is announced, now or later or never. It may be announced again, and it may be held already. */
  readonly consider: (request: Request) => Move
  /** Takes or refuses an award. It is never what is executing, and it is in no list. */
  readonly accept: (award: Award) => Move
  /** Something has changed: begins what is to be begun, bids for what is to be bid for. */
  readonly proceed: Move
  /** The same as `consider`, while the own processor does not answer; default nothing. */
  readonly whileStranded?: (request: Request) => Move
  /** A question (`awaitAnswer`) was not answered in time; then `proceed`. Default nothing. */
  readonly onLapse?: (question: Question) => Move
  /** The alarm (`wakeAfter`) has gone off; default nothing. */
  readonly onWake?: Move
}

type Own =
  /** The question was not answered in time. */
  | { type: 'lapse' }
  /** Nothing was heard from the processor. */
  | { type: 'deaf' }
  | { type: 'wake' }
  /** Nothing was heard from the client of this task, or it has been executing for too long. */
  | (Attempt & { type: 'silent' | 'tooLong' })

type Event = Mail<ToContractor> | Mail<FromProcessor> | Joined | Own

const { createMachine, rule, onEntry } = actor<{ input: ContractorInput; context: Context; event: Event }>()

const note = (fact: ContractorFact) => observe(fact)

// --- what is said about a task of which something newer is known is ignored ----------------------------------------

const isSuperseded = (context: Context, { task, attempt }: Attempt) => attemptOf(context, task) > attempt

const requestOf = (message: Mail<Rfb> | Mail<Task>): Request => {
  const { from: client, task, attempt, priority, arrival, estimate, files = [] } = message
  return { client, task, attempt, priority, arrival, estimate, files }
}

const awardIn = (message: Mail<Task>): Award => {
  const { work, start: promise, points = 0 } = message
  return { ...requestOf(message), work, promise, points, heard: now() }
}

/** Takes a request up; of an older attempt nothing is left, and `next` puts to use what that has freed. */
function hear(context: Context, rfb: Mail<Rfb>, take: (request: Request) => Move, next: Move): Decision<Context> {
  const known = attemptOf(context, rfb.task)
  if (known > rfb.attempt) return [{}]
  const taken = take(requestOf(rfb))
  return known === 0 || known === rfb.attempt ? taken(context) : inTurn(context, drop(rfb.task), taken, next)
}

/** The machine of a contractor of this protocol. */
export function contractor({
  consider,
  accept,
  proceed,
  whileStranded = () => nothing,
  onLapse: lapsed = () => nothing,
  onWake: wake = nothing,
}: ContractorProtocol) {
  // --- the market --------------------------------------------------------------------------------------------------

  const onRfb = rule('rfb', (context, rfb) => hear(context, rfb, consider, proceed))

  const onTask = rule('task', (context, task) => {
    if (isSuperseded(context, task)) return [{}]
    const { executing } = context
    if (task.renewed && !awardOf(context, task)) return [{}]
    if (executing && isSame(executing, task)) return [{ executing: { ...executing, heard: now(), isUnwanted: false } }]
    return inTurn(context, drop(task.task), accept(awardIn(task)), proceed)
  })

  const forget = (context: Context, attempt: Attempt): Decision<Context> =>
    isSuperseded(context, attempt) ? [{}] : giveUp(attempt.task)(context)

  const forgetAndProceed = (context: Context, attempt: Attempt): Decision<Context> =>
    inTurn(context, (current) => forget(current, attempt), proceed)

  const lapse: Move = (context) => {
    const { question } = context
    if (!question) return [{}]
    const { client } = question
    return inTurn(
      { ...context, question: null },
      lapsed(question),
      doing(note({ type: 'lapsed', ...stamp(question), client })),
    )
  }

  // --- the work ----------------------------------------------------------------------------------------------------

  const onFinished = rule('finished', (context, { type, from, task, attempt, ...returned }) =>
    context.executing && isSame(context.executing, { task, attempt })
      ? inTurn(context, deliver(returned), proceed)
      : [{}],
  )

  const onTooLong = rule('tooLong', (context, attempt) => {
    const { executing } = context
    if (!executing || !isSame(executing, attempt)) return [{}]
    const news = answer(executing.client, { type: 'cutOff', ...stamp(executing) })
    const tooLong = note({ type: 'tooLong', ...stamp(executing), client: executing.client })
    return inTurn(context, drop(executing.task), doing(news, tooLong), proceed)
  })

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
    const heard = doing(...listen(context.terms.silence, award))
    const { executing } = context
    if (award === executing) return inTurn(context, heard, probe(award))
    const isHeld = doing(answer(award.client, { type: 'status', ...stamp(award), state: 'held' }))
    // tasks queued behind a task without queries would never learn that the processor is gone
    return inTurn(context, heard, isHeld, executing ? probe(executing) : nothing)
  })

  const onProgress = rule('progress', (context, progress) => {
    const { executing } = context
    if (!executing || !isSame(executing, progress)) return endProbe(context)
    if (!progress.running) return inTurn(context, endProbe, lose, proceed)
    const status = answer(executing.client, { type: 'status', ...stamp(executing), state: 'executing' })
    return inTurn(context, endProbe, doing(status))
  })

  // --- a processor that dies and comes back ------------------------------------------------------------------------
  // A new incarnation of the processor knows nothing: what it executed is lost, and the client told so. The news may come late,
  // when the new incarnation has been given work: so the processor is asked. A processor that does not answer strands the
  // contractor: it hands everything back and bids for nothing until the processor is heard of again, or else it would win
  // one task after the other, being free, and fail them all.

  const onNewProcessor = rule('joined', (context) =>
    inTurn(context, endProbe, context.executing ? probe(context.executing) : proceed),
  )

  const strand = rule('deaf', (context) =>
    inTurn({ ...context, probing: false }, lose, refuseHeld, doing(note({ type: 'stranded' }))),
  )

  const recover: Move = (context) => inTurn(context, doing(note({ type: 'recovered' })), proceed)

  const refuseAll = rule('task', (context, task) =>
    isSuperseded(context, task) ? [{}] : inTurn(context, drop(task.task), doing(refuse(awardIn(task)))),
  )

  const onRfbWhileStranded = rule('rfb', (context, rfb) => hear(context, rfb, whileStranded, nothing))

  // --- the statechart ----------------------------------------------------------------------------------------------

  return createMachine({
    context: ({ input: { index, speed, terms, files = [], owner = null } }) => {
      return { index, speed, terms, files, owner, ...EMPTY, probing: false }
    },
    // a processor that outlived an earlier incarnation of this contractor works in vain
    entry: onEntry(() => [{}, order({ type: 'reset' })]),
    initial: 'trading',
    on: {
      query: { actions: onQuery },
      // what was cancelled had ended in the same instant
      finished: {},
      tooLong: {},
      wake: {},
      deaf: { target: '.stranded', actions: strand },
    },
    states: {
      trading: {
        on: {
          rfb: { actions: onRfb },
          task: { actions: onTask },
          cancel: { actions: rule('cancel', forgetAndProceed) },
          cancelAll: { actions: rule('cancelAll', forgetAndProceed) },
          lapse: { actions: rule('lapse', (context) => inTurn(context, lapse, proceed)) },
          wake: { actions: rule('wake', wake) },
          finished: { actions: onFinished },
          tooLong: { actions: onTooLong },
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
      // hears what is announced, so as to miss nothing once its processor is back
      stranded: {
        on: {
          rfb: { actions: onRfbWhileStranded },
          task: { actions: refuseAll },
          cancel: { actions: rule('cancel', forget) },
          cancelAll: { actions: rule('cancelAll', forget) },
          lapse: { actions: rule('lapse', lapse) },
          progress: { target: 'trading', actions: rule('progress', recover) },
          joined: [{ guard: isOwnProcessor, target: 'trading', actions: rule('joined', recover) }, {}],
        },
      },
    },
  })
}

type Met = { context: Context; event: Event }

const isExecuting = ({ context }: Met) => context.executing !== null
const isIdle = ({ context }: Met) => context.executing === null
const isOwnProcessor = ({ event }: Met) => event.type === 'joined' && event.address === ownProcessor()
