/** Effects: what a machine asks its cell to do, as data, and the functions that make them. */
import type { Address } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import type { MessageTo } from '../core/ref.ts'
import type { Failure } from '../core/thrown.ts'
import type { Time, TimerKind } from '../core/time.ts'
import type { ReceiveTimeout } from './receive-timeout.ts'

/** An effect is plain data. The cell carries the effects of a step out in order, once the step has succeeded. */
export type Effect =
  | { readonly type: 'tell'; readonly params: { readonly to: Address; readonly message: Message } }
  | { readonly type: 'ask'; readonly params: Ask }
  | { readonly type: 'answer'; readonly params: { readonly request: Request<never>; readonly message: Message } }
  | { readonly type: 'refuse'; readonly params: { readonly request: Request<never>; readonly reason: string } }
  | { readonly type: 'defer'; readonly params: { readonly until: 'state changes' } }
  | { readonly type: 'receiveTimeout'; readonly params: { readonly after: ReceiveTimeout } }
  | { readonly type: 'timer'; readonly params: Timer }
  | { readonly type: 'compute'; readonly params: Computation }
  | { readonly type: 'cancel'; readonly params: { readonly id: string } }
  | { readonly type: 'observe'; readonly params: Message }
  | { readonly type: 'persist' | 'snapshot'; readonly params: Plain }
  | { readonly type: 'enter'; readonly params: EnteredState }
  | SystemOrder

/** An order to the system about other actors; `children.ts` makes them. */
export type SystemOrder =
  | { readonly type: 'spawn'; readonly params: Spawning }
  | { readonly type: 'stop' | 'restart' | 'unwatch'; readonly params: { readonly address: Address } }
  | { readonly type: 'watch'; readonly params: { readonly address: Address; readonly delay: Time } }

/** A child to be spawned: its address, the `file:` URL of its module, its input and its options. */
export type Spawning = {
  readonly address: Address
  readonly module: string
  readonly input: Plain
  /** The options of the child (`ChildOptions`). */
  readonly options: Plain
}

/** A request of one actor to another. Asking an id again ends the ask of that id. */
export interface Ask {
  readonly id: string
  readonly to: Address
  readonly message: Message
  /** How long to wait for the answer, from now, >= 0. */
  readonly deadline: Time
}

/** The type of the replies of a request; nothing of this name exists at run time. */
declare const REPLY: unique symbol

/**
 * A request that an actor has received, as a token to answer it with. It is plain data: it may be kept in a context,
 * persisted, and passed on in a message to the actor that is to answer.
 */
export type Request<Reply extends Message = Message> = {
  /** The actor that asked. */
  readonly from: Address
  /** The incarnation of that actor. */
  readonly incarnation: number
  /** The id that it chose for its ask. */
  readonly id: string
  /** The number of timers that its incarnation had set before. */
  readonly n: number
  readonly [REPLY]?: (reply: Reply) => void
}

/** The outcome of an ask: the reply, the reason of a refusal, or neither before the deadline. */
export type AskOutcome<Reply extends Message = Message> =
  | { readonly reply: Reply }
  | { readonly refusal: string }
  | { readonly timeout: true }

/** A timer of one actor. Setting an id again replaces the timer of that id. */
export interface Timer {
  readonly id: string
  /** The time from now, >= 0. */
  readonly delay: Time
  readonly event: Message
  /** The kind decides the phase of an instant when the timer fires (see PHASES). */
  readonly kind: TimerKind
}

/** A function of a module and what to call it with. */
export type Call = {
  /** The URL or path of the module, which may be TypeScript. */
  readonly module: string
  readonly export: string
  readonly args: readonly Plain[]
}

/** A computation of one actor. Asking for an id again ends the computation of that id. */
export interface Computation {
  readonly id: string
  readonly call: Call
}

/** The outcome of a call: the value that the function (or its promise) returned, or the error that it threw. */
export type ComputationOutcome = { readonly result: Plain } | { readonly error: Failure }

/** A child chart entered a state. Only child charts make this effect; it changes nothing, and is told in traces. */
export type EnteredState = {
  /** The name of the chart. */
  readonly chart: string
  /** The key of the conversation. */
  readonly key: string | number
  /** The path of the state. */
  readonly state: string
}

/**
 * Sends one message; to a group (`contractor@*`), one to each current member but the sender. A reference (`ref`) takes the
 * messages that it names, and a plain address takes any message.
 */
export function tell<To extends Address>(to: To, message: MessageTo<To>): Effect
export function tell(to: Address, message: Message): Effect {
  return { type: 'tell', params: { to, message } }
}

/**
 * Sends a request to one actor. The event `answered` brings the outcome: a reply, a refusal, or a timeout once `deadline`
 * (from now) has passed. `cancel(id)` ends the ask, and so does the end of this actor; what is answered later is a dead letter.
 */
export function ask<To extends Address>(
  id: string,
  to: To,
  message: MessageTo<To>,
  options: { readonly deadline: Time },
): Effect
export function ask(id: string, to: Address, message: Message, { deadline }: { readonly deadline: Time }): Effect {
  return { type: 'ask', params: { id, to, message, deadline } }
}

/** Answers a request, in the step that handles it or in a later one. Only the first answer to a request counts. */
export function answer<Reply extends Message>(request: Request<Reply>, message: Reply): Effect {
  return { type: 'answer', params: { request, message } }
}

/** Refuses a request: the asker gets the reason in place of a reply. */
export function refuse(request: Request<never>, reason: string): Effect {
  return { type: 'refuse', params: { request, reason } }
}

/**
 * Keeps the message that this step handles until the state of the machine changes. Then the deferred messages are handled
 * again in the order of their coming, before newer mail. Timers cannot be deferred.
 */
export function defer(): Effect {
  return { type: 'defer', params: { until: 'state changes' } }
}

/**
 * Brings `event` back to this machine once it has received no message for `delay`, until this is set again; null ends it.
 * The event comes once for each silence. Timers do not end a silence.
 */
export function receiveTimeout(delay: null): Effect
export function receiveTimeout<M extends Message>(delay: Time, event: M): Effect
export function receiveTimeout(delay: Time | null, event: Message = { type: '' }): Effect {
  return { type: 'receiveTimeout', params: { after: delay === null ? null : { delay, event } } }
}

/** Sets the timer `id`; its event comes back to this machine after `delay`. */
export function timer<M extends Message>(id: string, delay: Time, event: M, kind: TimerKind = 'protocol'): Effect {
  return { type: 'timer', params: { id, delay, event, kind } }
}

/**
 * Calls a function in a thread of its own while this actor goes on. The event `computed` brings its outcome. It needs real
 * time, since virtual time would have to wait for it. `cancel(id)` ends a computation that takes too long.
 */
export function compute(id: string, call: Call): Effect {
  return { type: 'compute', params: { id, call } }
}

/** Cancels the timer, computation or ask `id`, if there is one; its event does not come. */
export function cancel(id: string): Effect {
  return { type: 'cancel', params: { id } }
}

/** Reports a fact to the observers of the run: oracles check invariants on facts, and results are computed from them. */
export function observe<M extends Message>(fact: M): Effect {
  return { type: 'observe', params: fact }
}

/** Appends a record to the log of this address. A later incarnation gets all records in its input. */
export function persist(record: Plain): Effect {
  return { type: 'persist', params: record }
}

/**
 * Replaces the log of this address by one record, so that it does not grow for ever. A later incarnation gets this record
 * and those that are persisted after it.
 */
export function snapshot(record: Plain): Effect {
  return { type: 'snapshot', params: record }
}
