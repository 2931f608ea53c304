/**
 * A contractor sells the time of its machine's processor. This file holds what all contractors have in common: they
 * execute the tasks awarded to them, answer queries, and notice when their processor or a client has died. The protocol
 * decides when to bid, what to do with an award, and what to do next:
 * `export default contractor({ consider, accept, proceed })`.
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
  /** Handles a request: bids at once, later or never. The request may be a repeat, and the task may be held already. */
  readonly consider: (request: Request) => Move
  /** Accepts or refuses an award. Its task is not executing and not in the agenda. */
  readonly accept: (award: Award) => Move
  /** Makes the next move after any change: starts a task or bids. */
  readonly proceed: Move
  /** Handles a request while the processor does not answer; default nothing. */
  readonly whileStranded?: (request: Request) => Move
  /** Handles a question (`awaitAnswer`) without an answer in time; `proceed` follows. Default nothing. */
  readonly onLapse?: (question: Question) => Move
  /** Handles the timer of `wakeAfter`; default nothing. */
  readonly onWake?: Move
}

type Own =
  /** The question was not answered in time. */
  | { type: 'lapse' }
  /** The processor did not answer a probe in time. */
  | { type: 'deaf' }
  | { type: 'wake' }
  /** Silent: the client of this task sent no query for too long. TooLong: the task exceeds its limit. */
  | (Attempt & { type: 'silent' | 'tooLong' })

type Event = Mail<ToContractor> | Mail<FromProcessor> | Joined | Own

const { createMachine, rule, onEntry } = actor<{ input: ContractorInput; context: Context; event: Event }>()

const note = (fact: ContractorFact) => observe(fact)

// --- messages about an older attempt are ignored -------------------------------------------------------------------

const isSuperseded = (context: Context, { task, attempt }: Attempt) => attemptOf(context, task) > attempt

const requestOf = (message: Mail<Rfb> | Mail<Task>): Request => {
  const { from: client, task, attempt, priority, arrival, estimate, files = [] } = message
  return { client, task, attempt, priority, arrival, estimate, files }
}

const awardIn = (message: Mail<Task>): Award => {
  const { work, start: promise, points = 0 } = message
  return { ...requestOf(message), work, promise, points, heard: now() }
}

/** Handles a request. It drops an older attempt of the task; `next` then uses what that has freed. */
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

  // --- executions and queries ----------------------------------------------------------------------------------------

  const onFinished = rule('finished', (context, { type, from, task, attempt, ...returned }) =>
    context.executing && isSame(context.executing, { task, attempt })
      ? inTurn(context, deliver(returned), proceed)
      : [{}],
  )

  const onTooLong = rule('tooLong', (context, attempt) => {
    const { executing } = context
    if (!executing || !isSame(executing, attempt)) return [{}]
    const cutOff = answer(executing.client, { type: 'cutOff', ...stamp(executing) })
    const tooLong = note({ type: 'tooLong', ...stamp(executing), client: executing.client })
    return inTurn(context, drop(executing.task), doing(cutOff, tooLong), proceed)
  })

  const onSilent = rule('silent', (context, attempt) => {
    const award = awardOf(context, attempt)
    if (!award) return [{}]
    const abandoned = note({ type: 'abandoned', ...stamp(award), client: award.client })
    return inTurn(context, drop(award.task), doing(abandoned), proceed)
  })

  /** Answers for held tasks itself. Only the processor knows whether the executing task still runs, so it is probed. */
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
  // A new incarnation of the processor knows nothing: the task that it executed is lost, and the client is told. The
  // word of the restart may come late, when the new incarnation has a task already, so the processor is probed first. A
  // processor that does not answer strands the contractor. It refuses its tasks and bids for nothing until the
  // processor answers; otherwise, being free, it would win one task after the other and fail them all.

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
    // the processor may still execute a task of an earlier incarnation of this contractor
    entry: onEntry(() => [{}, order({ type: 'reset' })]),
    initial: 'trading',
    on: {
      query: { actions: onQuery },
      // these may come for a task that was cancelled in the same instant
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
      // still handles requests, so that none is missed once the processor is back
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

type GuardArguments = { context: Context; event: Event }

const isExecuting = ({ context }: GuardArguments) => context.executing !== null
const isIdle = ({ context }: GuardArguments) => context.executing === null
const isOwnProcessor = ({ event }: GuardArguments) => event.type === 'joined' && event.address === ownProcessor()
