/**
 * Messages that an actor keeps in hand until its state changes (deferred events of Harel's statecharts, `postpone` of
 * gen_statem, the stash of Akka). They are handled again in the order in which they came, before any newer mail.
 */
import { BourseError } from '../core/error.ts'

/** The deferred messages of an actor. A step makes another value in constant time, unless it readies messages that wait. */
export interface Deferred<T> {
  /** The last of those that wait for another state. */
  readonly last: Waiting<T> | null
  /** The messages that were readied when the state changed, in the order of their coming. */
  readonly ready: readonly T[]
  /** The number of these that were handled again. The others came after all that wait. */
  readonly taken: number
}

/** A message that waits, and those that came before it. */
interface Waiting<T> {
  readonly message: T
  readonly before: Waiting<T> | null
  /** The number of messages, with this one. */
  readonly count: number
}

export const NONE_DEFERRED: Deferred<never> = { last: null, ready: [], taken: 0 }

/** The messages that wait for another state, in the order of their coming. */
export function waitingIn<T>({ last }: Deferred<T>): T[] {
  const messages: T[] = []
  for (let one = last; one; one = one.before) messages.push(one.message)
  return messages.reverse()
}

/** These messages, all of which wait for another state. */
export const allWaiting = <T>(messages: readonly T[]): Deferred<T> =>
  messages.reduce<Deferred<T>>((deferred, own) => deferredAfter(deferred, own, false, messages.length), NONE_DEFERRED)

/** Whether messages are to be handled again before anything else. */
export const isResuming = ({ ready, taken }: Deferred<unknown>): boolean => taken < ready.length

/** The most steps that one message may lead to by deferred messages, so that two of them cannot call each other for ever. */
export const REHANDLED_MAX = 100_000

/**
 * The deferred messages after a step.
 *
 * @param own the message that the step handled, if it deferred that message
 * @param most the most messages that may be deferred
 * @throws BourseError that names the limit
 */
export function deferredAfter<T>(
  { last: before, ready, taken }: Deferred<T>,
  own: T | undefined,
  isChanged: boolean,
  most: number,
): Deferred<T> {
  const last = own === undefined ? before : { message: own, before, count: 1 + (before?.count ?? 0) }
  if ((last?.count ?? 0) + ready.length - taken > most) {
    throw new BourseError('BOURSE_LIMIT', `an actor deferred more messages than option deferred allows, ${most}`)
  }
  const after = { last, ready, taken }
  if (!isChanged || last === null) return after
  return { last: null, ready: [...waitingIn(after), ...ready.slice(taken)], taken: 0 }
}

/** The message to be handled again next, and the rest; undefined if none is ready. */
export function takeReady<T>({ last, ready, taken }: Deferred<T>): readonly [next: T, rest: Deferred<T>] | undefined {
  if (ready.length === 0) return undefined // as nearly always
  const next = ready[taken]
  if (next === undefined) return undefined
  return [next, taken + 1 < ready.length ? { last, ready, taken: taken + 1 } : { last, ready: [], taken: 0 }]
}

/**
 * Checks that deferred messages come to rest.
 *
 * @param steps the steps that they have led to so far
 * @throws BourseError that names the limit
 */
export function requireRest(steps: number): void {
  if (steps < REHANDLED_MAX) return
  throw new BourseError(
    'BOURSE_LIMIT',
    `deferred messages were handled ${REHANDLED_MAX} times after one message (limit REHANDLED_MAX): they change the state and are deferred again for ever`,
  )
}
