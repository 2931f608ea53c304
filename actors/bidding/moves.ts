/** What a contractor can do, in steps that its rules put together. */
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
  /** The place in the market, 1 for the first; decides ties. */
  readonly index: number
  /** Work done per unit of time. */
  readonly speed: number
  readonly terms: Terms
  /** The files that are there from the start; default none. */
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
  /** The processor has not yet answered a probe. */
  readonly probing: boolean
}

/** One step of a contractor: what it changes and does. */
export type Move = (context: Context) => Decision<Context>

/** Several moves as one, each on what the one before has left. */
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

// --- what a task would take ----------------------------------------------------------------------------------------

/** Until the files are there that a task needs and this machine lacks. */
const loadingOf = ({ files, terms }: Context, needed: readonly string[]): Time =>
  needed.filter((file) => !files.includes(file)).length * terms.loadTime

/** How long this machine would be taken by a task, as far as is known beforehand. */
export const predict = (context: Context, { estimate, files }: Pick<Request, 'estimate' | 'files'>): Time =>
  loadingOf(context, files) + duration(Math.max(0, estimate), context.speed)

// --- bids ----------------------------------------------------------------------------------------------------------

/** When a task could begin that is awarded as soon as a bid sent now is heard. */
export const soonest = ({ terms }: Context): Time => now() + 2 * terms.delay

/** Bids to begin then; default at once. */
export const bid =
  (request: Request, start?: Time): Move =>
  (context) => {
    const from = start ?? soonest(context)
    const completion = from + predict(context, request)
    const { index } = context
    return [{}, answer(request.client, { type: 'bid', ...stamp(request), start: from, completion, index })]
  }

/** Is this the very attempt that is known of the task? */
export const knows = (context: Context, { task, attempt }: Attempt): boolean => attemptOf(context, task) === attempt

/** From now on the client's answer is waited for, `messages` messages long and then for the timeout. */
export const awaitAnswer =
  ({ client, ...attempt }: Question, messages: number): Move =>
  ({ terms: { timeout, delay } }) => {
    const lapse = timeout === null ? [] : [timer('lapse', timeout + messages * delay, { type: 'lapse' })]
    return [{ question: { ...stamp(attempt), client } }, ...lapse]
  }

// --- awards --------------------------------------------------------------------------------------------------------

/** Takes a task, to be executed in its turn. */
export const hold =
  (award: Award): Move =>
  ({ held, terms: { silence } }) => [{ held: enqueue(held, award) }, ...listen(silence, award)]

/** Hands a task back that is not to be executed here. */
export const refuse = ({ client, ...attempt }: Attempt & { readonly client: Address }): Effect =>
  answer(client, { type: 'bump', ...stamp(attempt), kept: false })

/** From now on the client has to be heard within the silence. */
export const listen = (silence: Time | null, attempt: Attempt): Effect[] =>
  silence === null ? [] : [timer(`silence:${attempt.task}`, silence, { type: 'silent', ...stamp(attempt) })]

/** Begins the best of the held tasks, if nothing is executing. */
export const begin: Move = (context) => {
  const { executing, held, question, terms } = context
  const [award, ...others] = held
  if (executing || !award) return [{}]
  // what was asked about it is settled, whatever its client will say
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

/** Forgets all there is of a task, and stops it if it is executing. */
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

/** Its client has no use for the task any more. */
export const giveUp =
  (task: number): Move =>
  (context) => {
    const { executing, terms } = context
    if (terms.abort || executing?.task !== task) return drop(task)(context)
    // no client will ask after it any more
    const hush = terms.silence === null ? [] : [cancel(`silence:${task}`)]
    return [{ executing: { ...executing, isUnwanted: true } }, ...hush]
  }

/** The executing task has ended by itself. */
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

/** The executing task was lost by the processor. */
export const lose: Move = (context) => {
  const { executing } = context
  if (!executing) return [{}]
  const loss = answer(executing.client, { type: 'status', ...stamp(executing), state: 'unknown' })
  return inTurn(context, drop(executing.task), doing(loss))
}

/** Hands the held tasks back, not begun. */
export const refuseHeld: Move = (context) =>
  inTurn(context, ...context.held.flatMap((award) => [drop(award.task), doing(refuse(award))]))

/** Makes the protocol's `onWake` happen; a machine has one such alarm. */
export const wakeAfter = (delay: Time): Effect => timer('wake', delay, { type: 'wake' })

// --- the processor -------------------------------------------------------------------------------------------------

/** Asks the processor whether it is at work; it has to answer within the timeout. */
export const probe =
  (attempt: Attempt): Move =>
  ({ terms: { timeout }, probing }) => {
    const question = order({ type: 'probe', ...stamp(attempt) })
    if (timeout === null || probing) return [{}, question]
    return [{ probing: true }, question, timer('probe', timeout, { type: 'deaf' })]
  }

/** The processor is there. */
export const endProbe: Move = ({ probing }) => (probing ? [{ probing: false }, cancel('probe')] : [{}])
