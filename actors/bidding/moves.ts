/** The moves of a contractor: the small steps that its rules are composed of. Each changes the turn that it is given. */
import {
  actor,
  cancel,
  type Joined,
  machineOf,
  now,
  type Ref,
  ref,
  self,
  type Time,
  type Turn,
  tell,
} from '../../lib/actor.ts'
import { type Attempt, duration, type FromProcessor, type Return, type ToProcessor } from '../processor/messages.ts'
import {
  type Agenda,
  type Award,
  attemptOf,
  type Execution,
  enqueue,
  type Question,
  type Request,
  without,
} from './agenda.ts'
import type { ContractorFact, ToClient, ToContractor } from './messages.ts'
import type { Terms } from './terms.ts'

/** What a contractor is spawned with. */
export type ContractorInput = {
  /** The contractor's place in the market, from 1; it decides ties. */
  readonly index: number
  /** Work done per unit of time. */
  readonly speed: number
  readonly terms: Terms
  /** The files that the machine has from the start; default none. */
  readonly files?: readonly string[]
  /** The client that owns this machine and earns the points spent on it; default none. */
  readonly owner?: Ref<ToClient>
}

export interface Context extends Agenda {
  readonly index: number
  readonly speed: number
  readonly terms: Terms
  readonly files: readonly string[]
  readonly owner: Ref<ToClient> | null
  /** Whether the processor has yet to answer a probe. */
  readonly probing: boolean
}

type Own =
  /** The question was not answered in time. */
  | { type: 'lapse' }
  /** The processor did not answer a probe in time. */
  | { type: 'deaf' }
  | { type: 'wake' }
  /** The client of this task sent no query for too long. */
  | (Attempt & { type: 'silent' })
  /** The task exceeds its limit. */
  | (Attempt & { type: 'tooLong' })

type Event = ToContractor | FromProcessor | Joined | Own

export const { createMachine, handlers, onEntry, observe, timer } = actor<{
  input: ContractorInput
  context: Context
  event: Event
  reply: ToClient
  fact: ContractorFact
}>()

/** A turn of a contractor. */
export type It = Turn<Context>

export const ownProcessor = (): Ref<ToProcessor> => ref(`processor@${machineOf(self())}`)

// --- predictions ---------------------------------------------------------------------------------------------------

/** The time to load the files that a task needs and this machine lacks. */
const loadingOf = ({ files, terms }: Context, needed: readonly string[]): Time =>
  needed.filter((file) => !files.includes(file)).length * terms.loadTime

/** The time that this machine would need for a task, by the estimate. */
export const predict = (context: Context, { estimate, files }: Pick<Request, 'estimate' | 'files'>): Time =>
  loadingOf(context, files) + duration(Math.max(0, estimate), context.speed)

// --- bids ----------------------------------------------------------------------------------------------------------

/** The earliest start of a task that is awarded as soon as a bid sent now arrives. */
export const soonest = ({ terms }: Context): Time => now() + 2 * terms.delay

/** Bids for a task with a promised start; by default the earliest possible. */
export function bid(it: It, request: Request, start = soonest(it.context)): void {
  const completion = start + predict(it.context, request)
  it.do(
    tell(request.client, {
      type: 'bid',
      task: request.task,
      attempt: request.attempt,
      start,
      completion,
      index: it.context.index,
    }),
  )
}

/** Whether this attempt is the one that the agenda has of its task. */
export const knows = (context: Context, { task, attempt }: Attempt): boolean => attemptOf(context, task) === attempt

/** Opens a question. It lapses after the timeout plus the delays of `messages` messages. */
export function awaitAnswer(it: It, { task, attempt, client }: Question, messages: number): void {
  const { timeout, delay } = it.context.terms
  it.context.question = { task, attempt, client }
  if (timeout !== null) it.do(timer('lapse', timeout + messages * delay, { type: 'lapse' }))
}

function settle(it: It): void {
  it.context.question = null
  if (it.context.terms.timeout !== null) it.do(cancel('lapse'))
}

// --- awards --------------------------------------------------------------------------------------------------------

/** Accepts an award, to be executed in the order of priority. */
export function hold(it: It, award: Award): void {
  it.context.held = enqueue(it.context.held, award)
  listen(it, award)
}

/** Refuses a task: its client announces it again. */
export const refuse = (it: It, { task, attempt, client }: Question): void =>
  it.do(tell(client, { type: 'bump', task, attempt, kept: false }))

/** Restarts the timer after which a client without a query counts as dead. */
export function listen(it: It, attempt: Attempt): void {
  const { silence } = it.context.terms
  if (silence !== null)
    it.do(timer(`silence:${attempt.task}`, silence, { type: 'silent', task: attempt.task, attempt: attempt.attempt }))
}

function stopListening(it: It, task: number): void {
  if (it.context.terms.silence !== null) it.do(cancel(`silence:${task}`))
}

/** The execution of a task that begins now. */
const executionOf = (award: Award): Execution => ({
  client: award.client,
  task: award.task,
  attempt: award.attempt,
  priority: award.priority,
  arrival: award.arrival,
  estimate: award.estimate,
  files: award.files,
  work: award.work,
  promise: award.promise,
  points: award.points,
  heard: award.heard,
  since: now(),
  isUnwanted: false,
})

/** Begins the best of the held tasks, if nothing is executing. */
export function begin(it: It): void {
  const { executing, held, question, terms } = it.context
  const [award, ...others] = held
  if (executing || !award) return
  it.context.executing = executionOf(award)
  it.context.held = others
  // a question about this task is settled by its start
  if (question?.task === award.task) settle(it)
  it.do(
    tell(ownProcessor(), {
      type: 'run',
      task: award.task,
      attempt: award.attempt,
      work: award.work,
      setup: loadingOf(it.context, award.files),
    }),
  )
  if (terms.cutoff === null) return
  const limit = Math.round(predict(it.context, award) * (1 + terms.cutoff))
  it.do(timer('cutOff', limit, { type: 'tooLong', task: award.task, attempt: award.attempt }))
}

/** Removes a task from the agenda, and stops it if it is executing. */
export function drop(it: It, task: number): void {
  if (attemptOf(it.context, task) === 0) return
  const { executing, held, question } = it.context
  if (executing?.task === task) {
    it.do(observe({ type: 'stopped', task: executing.task, attempt: executing.attempt, heard: executing.heard }))
    it.do(tell(ownProcessor(), { type: 'abort', task: executing.task, attempt: executing.attempt }))
    unlimit(it)
  }
  if (executing?.task === task || held.some((award) => award.task === task)) stopListening(it, task)
  if (question?.task === task) settle(it)
  Object.assign(it.context, without(it.context, task))
}

function unlimit(it: It): void {
  if (it.context.terms.cutoff !== null) it.do(cancel('cutOff'))
}

/** Gives up a cancelled task. An execution is aborted, or marked as unwanted if the terms say so. */
export function giveUp(it: It, task: number): void {
  const { executing, terms } = it.context
  if (terms.abort || executing?.task !== task) return drop(it, task)
  it.context.executing = { ...executing, isUnwanted: true }
  // no client will query it any more
  stopListening(it, task)
}

/** Sends the result of the execution that has just ended, unless its client has cancelled it. */
export function deliver(it: It, executing: Execution, { outcome, work = 0 }: Return): void {
  const { files, owner } = it.context
  const { task, attempt, client, points, isUnwanted } = executing
  unlimit(it)
  stopListening(it, task)
  const result = { type: 'result', task, attempt } as const
  if (!isUnwanted) it.do(tell(client, outcome ? { ...result, outcome, work } : result))
  if (!isUnwanted && owner !== null && owner !== client && points > 0) {
    it.do(tell(owner, { type: 'earned', task, attempt, points }))
  }
  it.context.executing = null
  const loaded = executing.files.filter((file) => !files.includes(file))
  if (loaded.length > 0) it.context.files = [...files, ...loaded]
}

/** Tells the client that the processor has lost its executing task. */
export function lose(it: It): void {
  const { executing } = it.context
  if (!executing) return
  drop(it, executing.task)
  it.do(tell(executing.client, { type: 'status', task: executing.task, attempt: executing.attempt, state: 'unknown' }))
}

/** Refuses all held tasks. */
export function refuseHeld(it: It): void {
  for (const award of it.context.held) {
    drop(it, award.task)
    refuse(it, award)
  }
}

/** Calls the protocol's `onWake` after the delay. A contractor has one such timer. */
export const wakeAfter = (it: It, delay: Time): void => it.do(timer('wake', delay, { type: 'wake' }))

// --- the processor -------------------------------------------------------------------------------------------------

/**
 * Asks the processor whether it executes the attempt. Without an answer within the timeout it counts as dead. This is no
 * detector of the kit: its only member is asked when a client asks, and an answer ends the timer.
 */
export function probe(it: It, attempt: Attempt): void {
  const { timeout } = it.context.terms
  it.do(tell(ownProcessor(), { type: 'probe', task: attempt.task, attempt: attempt.attempt }))
  if (timeout === null || it.context.probing) return
  it.context.probing = true
  it.do(timer('probe', timeout, { type: 'deaf' }))
}

/** Ends a probe, since the processor has answered. */
export function endProbe(it: It): void {
  if (!it.context.probing) return
  it.context.probing = false
  it.do(cancel('probe'))
}
