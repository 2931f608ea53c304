/**
 * Messages that an actor keeps in hand until its state changes (deferred events of Harel's statecharts, `postpone` of
 * gen_statem, the stash of Akka). They are handled again in the order in which they came, before any newer mail.
 */
import { BourseError } from '../core/error.ts'

/** The deferred messages of an actor, in the order of their coming. */
export interface Deferred<T> {
  /** Those that wait for another state. */
  readonly waiting: readonly T[]
  /** Those to be handled again, since the state has changed. All of them came after those that wait. */
  readonly ready: readonly T[]
}

export const NONE_DEFERRED: Deferred<never> = { waiting: [], ready: [] }

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
  { waiting, ready }: Deferred<T>,
  own: T | undefined,
  isChanged: boolean,
  most: number,
): Deferred<T> {
  const kept = own === undefined ? waiting : [...waiting, own]
  if (kept.length + ready.length > most) {
    throw new BourseError('BOURSE_LIMIT', `an actor deferred more messages than option deferred allows, ${most}`)
  }
  return isChanged ? { waiting: [], ready: [...kept, ...ready] } : { waiting: kept, ready }
}

/** The message to be handled again next, and the rest; undefined if none is ready. */
export function takeReady<T>({ waiting, ready }: Deferred<T>): readonly [next: T, rest: Deferred<T>] | undefined {
  if (ready.length === 0) return undefined // as nearly always
  const [next, ...rest] = ready
  return next === undefined ? undefined : [next, { waiting, ready: rest }]
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
