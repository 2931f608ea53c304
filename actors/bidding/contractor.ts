/**
 * A contractor sells the time of its machine's processor. This file holds what all contractors have in common: they
 * execute the tasks awarded to them, answer queries, and notice when their processor or a client has died. The protocol
 * decides when to bid, what to do with an award, and what to do next:
 * `export default contractor({ consider, accept, proceed })`.
 */
import { type Delivery, type Joined, now, type Ref, tell, turn } from '../../lib/actor.ts'
import { type Finished, isSame, type Progress } from '../processor/messages.ts'
import { type Award, attemptOf, awardOf, EMPTY, type Question, type Request } from './agenda.ts'
import type { Attempt, Query, Rfb, Task, ToClient } from './messages.ts'
import {
  type Context,
  createMachine,
  deliver,
  drop,
  endProbe,
  giveUp,
  handlers,
  type It,
  listen,
  lose,
  observe,
  onEntry,
  ownProcessor,
  probe,
  refuse,
  refuseHeld,
} from './moves.ts'

/** The decisions of a contractor that differ from protocol to protocol. */
export interface ContractorProtocol {
  /** Handles a request: bids at once, later or never. The request may be a repeat, and the task may be held already. */
  readonly consider: (it: It, request: Request) => void
  /** Accepts or refuses an award. Its task is not executing and not in the agenda. */
  readonly accept: (it: It, award: Award) => void
  /** Makes the next move after any change: starts a task or bids. */
  readonly proceed: (it: It) => void
  /** Handles a request while the processor does not answer; default nothing. */
  readonly whileStranded?: (it: It, request: Request) => void
  /** Handles a question (`awaitAnswer`) without an answer in time; `proceed` follows. Default nothing. */
  readonly onLapse?: (it: It, question: Question) => void
  /** Handles the timer of `wakeAfter`; default nothing. */
  readonly onWake?: (it: It) => void
}

type FromClient = Delivery<Ref<ToClient>>

// --- messages about an older attempt are ignored -------------------------------------------------------------------

const isSuperseded = (it: It, { task, attempt }: Attempt) => attemptOf(it.context, task) > attempt

const requestOf = (
  { task, attempt, priority, arrival, estimate, files = [] }: Rfb | Task,
  client: Ref<ToClient>,
): Request => {
  return { client, task, attempt, priority, arrival, estimate, files }
}

const awardIn = (message: Task, client: Ref<ToClient>): Award => {
  const { task, attempt, priority, arrival, estimate, files = [], work, start: promise, points = 0 } = message
  return { client, task, attempt, priority, arrival, estimate, files, work, promise, points, heard: now() }
}

/** Whether the attempt is the newest that is known of its task. If it is new, the older attempt is dropped. */
function renews(it: It, { task, attempt }: Attempt): boolean {
  const known = attemptOf(it.context, task)
  const isNewer = known > 0 && known < attempt
  if (isNewer) drop(it, task)
  return isNewer
}

/** The executing task if the event is about it. It may be about a task that was cancelled in the same instant. */
const executingOf = ({ context: { executing } }: It, attempt: Attempt) =>
  executing && isSame(executing, attempt) ? executing : undefined

function forget(it: It, attempt: Attempt): void {
  if (!isSuperseded(it, attempt)) giveUp(it, attempt.task)
}

/** The machine of a contractor of this protocol. */
export function contractor({ consider, accept, proceed, whileStranded, onLapse, onWake }: ContractorProtocol) {
  // --- the market --------------------------------------------------------------------------------------------------

  const onRfb = turn((it: It, rfb: Rfb, { from }: FromClient) => {
    if (isSuperseded(it, rfb)) return
    const isRenewed = renews(it, rfb)
    consider(it, requestOf(rfb, from))
    // the machine may have been freed of the older attempt
    if (isRenewed) proceed(it)
  })

  const onTask = turn((it: It, task: Task, { from }: FromClient) => {
    if (isSuperseded(it, task)) return
    if (task.renewed && !awardOf(it.context, task)) return
    const executing = executingOf(it, task)
    if (executing) {
      it.context.executing = { ...executing, heard: now(), isUnwanted: false }
      listen(it, executing)
      return
    }
    drop(it, task.task)
    accept(it, awardIn(task, from))
    proceed(it)
  })

  const onCancel = turn((it: It, attempt: Attempt) => {
    forget(it, attempt)
    proceed(it)
  })

  function lapse(it: It): void {
    const { question } = it.context
    if (!question) return
    it.context.question = null
    onLapse?.(it, question)
    it.do(observe({ type: 'lapsed', task: question.task, attempt: question.attempt, client: question.client }))
  }

  const onLapsed = turn((it: It) => {
    lapse(it)
    proceed(it)
  })

  // --- executions and queries ----------------------------------------------------------------------------------------

  const onFinished = turn((it: It, finished: Finished) => {
    const executing = executingOf(it, finished)
    if (!executing) return
    deliver(it, executing, finished)
    proceed(it)
  })

  const onTooLong = turn((it: It, attempt: Attempt) => {
    const executing = executingOf(it, attempt)
    if (!executing) return
    const { client } = executing
    drop(it, executing.task)
    it.do(tell(client, { type: 'cutOff', task: executing.task, attempt: executing.attempt }))
    it.do(observe({ type: 'tooLong', task: executing.task, attempt: executing.attempt, client }))
    proceed(it)
  })

  const onSilent = turn((it: It, attempt: Attempt) => {
    const award = awardOf(it.context, attempt)
    if (!award) return
    drop(it, award.task)
    it.do(observe({ type: 'abandoned', task: award.task, attempt: award.attempt, client: award.client }))
    proceed(it)
  })

  /** Answers for held tasks itself. Only the processor knows whether the executing task still runs, so it is probed. */
  const onQuery = turn((it: It, query: Query, { from }: FromClient) => {
    const award = awardOf(it.context, query)
    if (!award) return it.do(tell(from, { type: 'status', task: query.task, attempt: query.attempt, state: 'unknown' }))
    const { executing } = it.context
    listen(it, award)
    if (award !== executing)
      it.do(tell(award.client, { type: 'status', task: award.task, attempt: award.attempt, state: 'held' }))
    // tasks queued behind a task without queries would never learn that the processor is gone
    if (executing) probe(it, executing)
  })

  const onProgress = turn((it: It, progress: Progress) => {
    endProbe(it)
    const executing = executingOf(it, progress)
    if (!executing) return
    if (progress.running)
      return it.do(
        tell(executing.client, {
          type: 'status',
          task: executing.task,
          attempt: executing.attempt,
          state: 'executing',
        }),
      )
    lose(it)
    proceed(it)
  })

  // --- a processor that dies and comes back ------------------------------------------------------------------------
  // A new incarnation of the processor knows nothing: the task that it executed is lost, and the client is told. The
  // word of the restart may come late, when the new incarnation has a task already, so the processor is probed first. A
  // processor that does not answer strands the contractor. It refuses its tasks and bids for nothing until the
  // processor answers; otherwise, being free, it would win one task after the other and fail them all.

  const onNewProcessor = turn((it: It) => {
    endProbe(it)
    if (it.context.executing) probe(it, it.context.executing)
  })

  const strand = turn((it: It) => {
    it.context.probing = false
    lose(it)
    refuseHeld(it)
    it.do(observe({ type: 'stranded' }))
  })

  const recover = turn((it: It) => {
    it.do(observe({ type: 'recovered' }))
    proceed(it)
  })

  const refuseAll = turn((it: It, task: Task, { from }: FromClient) => {
    if (isSuperseded(it, task)) return
    drop(it, task.task)
    refuse(it, { task: task.task, attempt: task.attempt, client: from })
  })

  const onRfbWhileStranded = turn((it: It, rfb: Rfb, { from }: FromClient) => {
    if (isSuperseded(it, rfb)) return
    renews(it, rfb)
    whileStranded?.(it, requestOf(rfb, from))
  })

  // --- the statechart ----------------------------------------------------------------------------------------------

  return createMachine({
    context: ({ input: { index, speed, terms, files = [], owner = null } }) => {
      return { index, speed, terms, files, owner, ...EMPTY, probing: false }
    },
    // the processor may still execute a task of an earlier incarnation of this contractor
    entry: onEntry(() => [{}, tell(ownProcessor(), { type: 'reset' })]),
    initial: 'trading',
    on: handlers({
      query: onQuery,
      // these may come for a task that was cancelled in the same instant
      finished: {},
      tooLong: {},
      wake: {},
      deaf: { target: '.stranded', handle: strand },
    }),
    states: {
      trading: {
        on: handlers({
          rfb: onRfb,
          task: onTask,
          cancel: onCancel,
          cancelAll: onCancel,
          lapse: onLapsed,
          wake: turn((it: It) => onWake?.(it)),
          finished: onFinished,
          tooLong: onTooLong,
          silent: onSilent,
          progress: onProgress,
          joined: [{ guard: isOwnProcessor, handle: onNewProcessor }, {}],
        }),
        initial: 'free',
        states: {
          free: { always: { guard: isExecuting, target: 'busy' } },
          busy: { always: { guard: isIdle, target: 'free' } },
        },
      },
      // still handles requests, so that none is missed once the processor is back
      stranded: {
        on: handlers({
          rfb: onRfbWhileStranded,
          task: refuseAll,
          cancel: turn(forget),
          cancelAll: turn(forget),
          lapse: turn(lapse),
          progress: { target: 'trading', handle: recover },
          joined: [{ guard: isOwnProcessor, target: 'trading', handle: recover }, {}],
        }),
      },
    },
  })
}

const isExecuting = ({ context }: { context: Context }) => context.executing !== null
const isIdle = ({ context }: { context: Context }) => context.executing === null
const isOwnProcessor = ({ event }: { event: Joined }) => event.address === ownProcessor()
