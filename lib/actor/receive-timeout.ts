/**
 * Receive timeouts (Akka): an event that comes when an actor has received nothing for a while. It is a timer that each
 * message sets again; once it has fired, the next message sets it.
 */
import { type Message, RUNTIME_PREFIX } from '../core/data.ts'
import { instantAfter, type Time } from '../core/time.ts'
import type { PendingChange } from './timers.ts'

/** The id of the timer, which no other timer can have. */
export const RECEIVE_TIMEOUT = `${RUNTIME_PREFIX}receiveTimeout`

/** The silence after which an event comes, and the event; null for none. */
export type ReceiveTimeout = { readonly delay: Time; readonly event: Message } | null

/** What a step does to the receive timeout of its actor. */
export interface TimeoutStep {
  /** The receive timeout that the step set; undefined if it set none. */
  readonly receiveTimeout: ReceiveTimeout | undefined
  /** Whether the step handled a message, and not a timer. */
  readonly isReceiving: boolean
  readonly pending: readonly PendingChange[]
}

/** The receive timeout of an actor after a step, and the changes to its timers with that of the receive timeout. */
export function timeoutAfter(
  before: ReceiveTimeout,
  { receiveTimeout, isReceiving, pending }: TimeoutStep,
  now: Time,
): { readonly receiveTimeout: ReceiveTimeout; readonly pending: readonly PendingChange[] } {
  const after = receiveTimeout === undefined ? before : receiveTimeout
  if (receiveTimeout === undefined && (after === null || !isReceiving)) return { receiveTimeout: after, pending }
  const id = RECEIVE_TIMEOUT
  if (after === null) return { receiveTimeout: null, pending: [...pending, { type: 'cancel', id }] }
  const { delay, event } = after
  const due = instantAfter(now, delay, 'the receive timeout')
  return { receiveTimeout: after, pending: [...pending, { type: 'set', id, kind: 'protocol', event, due }] }
}
