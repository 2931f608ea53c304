/**
 * The interface of the engines that run machines. A state is opaque and immutable, so it can be kept and tried again with
 * another event. Effects are plain data, in order. The cell owns everything else: mailbox, timers, errors.
 */
import type { EventObject } from 'xstate'
import type { Effect } from '../actor/effect.ts'
import type { Plain } from '../core/data.ts'

export type Step<State> = readonly [state: State, effects: readonly Effect[]]

export interface View {
  /** The statechart's configuration: a name, or an object of names. */
  readonly value: Plain
  readonly context: unknown
  readonly status: 'active' | 'done' | 'error' | 'stopped'
}

/** An engine for one machine. A state whose status is not `active` takes no more steps. */
export interface Engine<State = object> {
  /** The name of the engine, and why it was chosen, for people. */
  readonly name: string
  initial(input: unknown): Step<State>
  /** The same state, if neither the configuration nor the context was touched. */
  step(state: State, event: EventObject): Step<State>
  view(state: State): View
  /** Says whether `event` would take any transition in this state. */
  handles(state: State, event: EventObject): boolean
  /** Says whether the machine names events of this type anywhere. */
  knows(type: string): boolean
  /** The types of events that any of its states handles, `*` and `bid.*` among them. */
  readonly types: readonly string[]
  /** The paths of all its states, the outer before the inner: `trading`, `trading.busy`. */
  readonly states: readonly string[]
  /** Its child charts, and the paths of their states. */
  readonly charts: readonly { readonly name: string; readonly states: readonly string[] }[]
  /** The type of message that goes first in its mailbox; undefined if there is none. */
  readonly urgent: string | undefined
}

/**
 * The engines: plans compiled from the machine, XState itself, or both together, which ends the run where they differ. All
 * give the same run, byte for byte. A machine that cannot be compiled runs on XState under each of them.
 */
export const ENGINES = ['compiled', 'xstate', 'shadow'] as const
export type EngineName = (typeof ENGINES)[number]
