/** Effects: what a machine asks its cell to do, as data, and the functions that make them. */
import type { Address } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import type { MessageTo } from '../core/ref.ts'
import type { Thrown } from '../core/thrown.ts'
import type { Time, TimerKind } from '../core/time.ts'

/** An effect is plain data. The cell carries the effects of a step out in order, once the step has succeeded. */
export type Effect =
  | { readonly type: 'tell'; readonly params: { readonly to: Address; readonly message: Message } }
  | { readonly type: 'timer'; readonly params: Timer }
  | { readonly type: 'compute'; readonly params: Computation }
  | { readonly type: 'cancel'; readonly params: { readonly id: string } }
  | { readonly type: 'observe'; readonly params: Message }
  | { readonly type: 'persist'; readonly params: Plain }
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
export type ComputationOutcome = { readonly result: Plain } | { readonly error: Thrown }

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

/** Cancels the timer or computation `id`, if there is one; its event does not come. */
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
