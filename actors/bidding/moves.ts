/** The moves of a contractor: the small steps that its rules are composed of. */
import {
  type Address,
  cancel,
  type Decision,
  type Effect,
  machineOf,
  now,
  observe,
  self,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import { type Attempt, duration, type Return, type ToProcessor } from '../processor/messages.ts'
import { type Agenda, type Award, attemptOf, enqueue, type Question, type Request, without } from './agenda.ts'
import type { ContractorFact, ToClient } from './messages.ts'
import type { Terms } from './terms.ts'

export type ContractorInput = {
  /** The contractor's place in the market, from 1; it decides ties. */
  readonly index: number
  /** Work done per unit of time. */
  readonly speed: number
  readonly terms: Terms
  /** The files that the machine has from the start; default none. */
  readonly files?: readonly string[]
  /** The client that owns this machine and earns the points spent on it; default none. */
  readonly owner?: Address
}

export interface Context extends Agenda {
  readonly index: number
  readonly speed: number
  readonly terms: Terms
  readonly files: readonly string[]
  readonly owner: Address | null
  /** Whether the processor has yet to answer a probe. */
  readonly probing: boolean
}

/** A function of the context that returns its changes and effects. */
export type Move = (context: Context) => Decision<Context>

/** Makes several moves as one; each gets the context that the previous one left. */
export function inTurn(context: Context, ...moves: Move[]): Decision<Context> {
  let current = context
  const effects: Effect[] = []
  for (const move of moves) {
    const [changes, ...more] = move(current)
    current = { ...current, ...changes }
    effects.push(...more)
  }
  return [current, ...effects]
}

export const doing =
  (...effects: Effect[]): Move =>
  () => [{}, ...effects]

export const nothing: Move = () => [{}]

export const ownProcessor = (): Address => `processor@${machineOf(self())}`
export const order = (message: ToProcessor): Effect => tell(ownProcessor(), message)
export const answer = (client: Address, message: ToClient): Effect => tell(client, message)
export const stamp = ({ task, attempt }: Attempt): Attempt => ({ task, attempt })

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
export const bid =
  (request: Request, start?: Time): Move =>
  (context) => {
    const from = start ?? soonest(context)
    const completion = from + predict(context, request)
    const { index } = context
    return [{}, answer(request.client, { type: 'bid', ...stamp(request), start: from, completion, index })]
  }

/** Whether this attempt is the one that the agenda has of its task. */
export const knows = (context: Context, { task, attempt }: Attempt): boolean => attemptOf(context, task) === attempt

/** Opens a question. It lapses after the timeout plus the delays of `messages` messages. */
export const awaitAnswer =
  ({ client, ...attempt }: Question, messages: number): Move =>
  ({ terms: { timeout, delay } }) => {
    const lapse = timeout === null ? [] : [timer('lapse', timeout + messages * delay, { type: 'lapse' })]
    return [{ question: { ...stamp(attempt), client } }, ...lapse]
  }

// --- awards --------------------------------------------------------------------------------------------------------

/** Accepts an award, to be executed in the order of priority. */
export const hold =
  (award: Award): Move =>
  ({ held, terms: { silence } }) => [{ held: enqueue(held, award) }, ...listen(silence, award)]

/** Refuses a task: its client announces it again. */
export const refuse = ({ client, ...attempt }: Attempt & { readonly client: Address }): Effect =>
  answer(client, { type: 'bump', ...stamp(attempt), kept: false })

/** Restarts the timer after which a client without a query counts as dead. */
export const listen = (silence: Time | null, attempt: Attempt): Effect[] =>
  silence === null ? [] : [timer(`silence:${attempt.task}`, silence, { type: 'silent', ...stamp(attempt) })]

/** Begins the best of the held tasks, if nothing is executing. */
export const begin: Move = (context) => {
  const { executing, held, question, terms } = context
  const [award, ...others] = held
  if (executing || !award) return [{}]
  // a question about this task is settled by its start
  const isAsked = question?.task === award.task
  const limit = terms.cutoff === null ? [] : [cutOffAfter(predict(context, award) * (1 + terms.cutoff), award)]
  return [
    { executing: { ...award, since: now(), isUnwanted: false }, held: others, ...(isAsked && { question: null }) },
    ...(isAsked && terms.timeout !== null ? [cancel('lapse')] : []),
    order({ type: 'run', ...stamp(award), work: award.work, setup: loadingOf(context, award.files) }),
    ...limit,
  ]
}

const cutOffAfter = (time: Time, award: Award): Effect =>
  timer('cutOff', Math.round(time), { type: 'tooLong', ...stamp(award) })

/** Removes a task from the agenda, and stops it if it is executing. */
export const drop =
  (task: number): Move =>
  (context) => {
    const { executing, held, question, terms } = context
    const effects: Effect[] = []
    const isOf = (attempt: Attempt | null) => attempt?.task === task
    if (executing && isOf(executing)) {
      const attempt = stamp(executing)
      const stopped: ContractorFact = { type: 'stopped', ...attempt, heard: executing.heard }
      effects.push(observe(stopped), order({ type: 'abort', ...attempt }), ...unlimit(terms))
    }
    if (terms.silence !== null && [executing, ...held].some(isOf)) effects.push(cancel(`silence:${task}`))
    if (terms.timeout !== null && isOf(question)) effects.push(cancel('lapse'))
    return [without(context, task), ...effects]
  }

const unlimit = ({ cutoff }: Terms): Effect[] => (cutoff === null ? [] : [cancel('cutOff')])

/** Gives up a cancelled task. An execution is aborted, or marked as unwanted if the terms say so. */
export const giveUp =
  (task: number): Move =>
  (context) => {
    const { executing, terms } = context
    if (terms.abort || executing?.task !== task) return drop(task)(context)
    // no client will query it any more
    const hush = terms.silence === null ? [] : [cancel(`silence:${task}`)]
    return [{ executing: { ...executing, isUnwanted: true } }, ...hush]
  }

/** Sends the result of the execution that has just ended, unless its client has cancelled it. */
export const deliver =
  (returned: Return): Move =>
  ({ executing, terms, files, owner }) => {
    if (!executing) return [{}]
    const { task, client, points, isUnwanted } = executing
    const effects = unlimit(terms)
    if (terms.silence !== null) effects.push(cancel(`silence:${task}`))
    if (!isUnwanted) effects.push(answer(client, { type: 'result', ...stamp(executing), ...returned }))
    if (!isUnwanted && owner !== null && owner !== client && points > 0) {
      effects.push(answer(owner, { type: 'earned', ...stamp(executing), points }))
    }
    const loaded = executing.files.filter((file) => !files.includes(file))
    return [{ executing: null, ...(loaded.length > 0 && { files: [...files, ...loaded] }) }, ...effects]
  }

/** Tells the client that the processor has lost its executing task. */
export const lose: Move = (context) => {
  const { executing } = context
  if (!executing) return [{}]
  const loss = answer(executing.client, { type: 'status', ...stamp(executing), state: 'unknown' })
  return inTurn(context, drop(executing.task), doing(loss))
}

/** Refuses all held tasks. */
export const refuseHeld: Move = (context) =>
  inTurn(context, ...context.held.flatMap((award) => [drop(award.task), doing(refuse(award))]))

/** Calls the protocol's `onWake` after the delay. A contractor has one such timer. */
export const wakeAfter = (delay: Time): Effect => timer('wake', delay, { type: 'wake' })

// --- the processor -------------------------------------------------------------------------------------------------

/** Asks the processor whether it executes the attempt. Without an answer within the timeout it counts as dead. */
export const probe =
  (attempt: Attempt): Move =>
  ({ terms: { timeout }, probing }) => {
    const question = order({ type: 'probe', ...stamp(attempt) })
    if (timeout === null || probing) return [{}, question]
    return [{ probing: true }, question, timer('probe', timeout, { type: 'deaf' })]
  }

/** Ends a probe, since the processor has answered. */
export const endProbe: Move = ({ probing }) => (probing ? [{ probing: false }, cancel('probe')] : [{}])
