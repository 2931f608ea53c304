/** What a contractor can do, in steps that its rules put together. */
import {
  type Address,
  cancel,
  type Decision,
  type Effect,
  machineOf,
  now,
  self,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { ToProcessor } from '../processor/messages.ts'
import { type Agenda, type Award, type Request, without } from './agenda.ts'
import { enqueue, predictCompletion } from './dsp.ts'
import type { Attempt, ToClient } from './messages.ts'

export type ContractorInput = {
  /** The place in the market, 1 for the first; decides ties. */
  readonly index: number
  /** Work done per unit of time. */
  readonly speed: number
  /**
   * A free contractor may have several bids open, so an award can find the machine taken. Then the task waits its
   * turn (hold) or is refused (bump); or an open bid counts as busy, so that it cannot happen (commit).
   */
  readonly clash: 'hold' | 'bump' | 'commit'
  /** How long a message to or from a client takes. */
  readonly delay: Time
  /** How long an answer may take beyond the delays, > 0; null: for ever. */
  readonly timeout: Time | null
  /** A client that sends no query for so long is dead; more than its interval and two delays. Null: clients live. */
  readonly silence: Time | null
}

export interface Context extends ContractorInput, Agenda {
  /** The processor has not yet answered a probe. */
  readonly probing: boolean
}

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

export const ownProcessor = (): Address => `processor@${machineOf(self())}`
export const order = (message: ToProcessor): Effect => tell(ownProcessor(), message)
export const answer = (client: Address, message: ToClient): Effect => tell(client, message)
export const stamp = ({ task, incarnation }: Attempt): Attempt => ({ task, incarnation })

/** Takes up the best held task, or else bids for the head of the queue, if it is time for either. */
export const proceed: Move = (context) => {
  const { executing, held, queue, openBid } = context
  if (executing) return [{}]
  const [award, ...others] = held
  if (award) return [{ executing: award, held: others }, order({ type: 'run', ...stamp(award), work: award.work })]
  const [head] = queue
  return head && !openBid ? commitTo(head)(context) : [{}]
}

/** Answers an announcement: with a bid if there is nothing to do, or else later. */
export const consider =
  (request: Request): Move =>
  (context) => {
    const { executing, held, clash, openBid } = context
    if (executing || held.length > 0) return putOff(request)(context)
    if (clash !== 'commit') return [{}, bidFor(context, request)]
    return openBid ? putOff(request)(context) : commitTo(request)(context)
  }

export const putOff =
  (request: Request): Move =>
  ({ queue }) => [{ queue: enqueue(queue, request) }, answer(request.client, { type: 'ack', ...stamp(request) })]

/** Bids, and waits for the answer before bidding for anything else in the queue. */
const commitTo =
  (request: Request): Move =>
  (context) => {
    const { timeout, delay } = context
    const lapse = timeout === null ? [] : [timer('lapse', timeout + 2 * delay, { type: 'lapse' })]
    return [{ openBid: { ...stamp(request), client: request.client } }, bidFor(context, request), ...lapse]
  }

function bidFor({ delay, speed, index }: ContractorInput, { client, estimate, ...request }: Request): Effect {
  const completion = predictCompletion(now(), delay, estimate, speed)
  return answer(client, { type: 'bid', ...stamp(request), completion, index })
}

/** Accepts an award, to be executed now or in its turn; only `bump` does not let it wait. */
export const accept =
  (award: Award): Move =>
  ({ executing, held, clash, silence }) => {
    if (executing && clash === 'bump') return [{}, answer(award.client, { type: 'bump', ...stamp(award) })]
    return [{ held: enqueue(held, award) }, ...listen(silence, award)]
  }

/** From now on the client has to be heard within the silence. */
export const listen = (silence: Time | null, attempt: Attempt): Effect[] =>
  silence === null ? [] : [timer(`silence:${attempt.task}`, silence, { type: 'silent', ...stamp(attempt) })]

/** Forgets all there is of a task, and stops it if it is executing. */
export const drop =
  (task: number): Move =>
  (context) => {
    const { executing, held, openBid, silence, timeout } = context
    const effects: Effect[] = []
    const isOf = (attempt: Attempt | null) => attempt?.task === task
    if (executing && isOf(executing)) effects.push(order({ type: 'abort', ...stamp(executing) }))
    if (silence !== null && [executing, ...held].some(isOf)) effects.push(cancel(`silence:${task}`))
    if (timeout !== null && isOf(openBid)) effects.push(cancel('lapse'))
    return [without(context, task), ...effects]
  }

/** The executing task has ended by itself. */
export const deliver: Move = ({ executing, silence }) => {
  if (!executing) return [{}]
  const hush = silence === null ? [] : [cancel(`silence:${executing.task}`)]
  return [{ executing: null }, answer(executing.client, { type: 'result', ...stamp(executing) }), ...hush]
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
  inTurn(
    context,
    ...context.held.flatMap((award) => [
      drop(award.task),
      doing(answer(award.client, { type: 'bump', ...stamp(award) })),
    ]),
  )

/** Asks the processor whether it is at work; it has to answer within the timeout. */
export const probe =
  (attempt: Attempt): Move =>
  ({ timeout, probing }) => {
    const question = order({ type: 'probe', ...stamp(attempt) })
    if (timeout === null || probing) return [{}, question]
    return [{ probing: true }, question, timer('probe', timeout, { type: 'deaf' })]
  }

/** The processor is there. */
export const endProbe: Move = ({ probing }) => (probing ? [{ probing: false }, cancel('probe')] : [{}])
