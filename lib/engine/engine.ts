/**
 * What runs a machine. A state is opaque and immutable, so it can be kept and tried again with another event;
 * effects are plain data, in order. The cell owns everything else: mailbox, timers, errors.
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

/** Who does not look into states takes them as objects. A state whose status is not `active` takes no more steps. */
export interface Engine<State = object> {
  /** Which it is, and why no other: for people. */
  readonly name: string
  initial(input: unknown): Step<State>
  /** The same state, if neither the configuration nor the context was touched. */
  step(state: State, event: EventObject): Step<State>
  view(state: State): View
  /** Would `event` take any transition in this state? */
  handles(state: State, event: EventObject): boolean
  /** Does the machine name events of this type anywhere? */
  knows(type: string): boolean
  /** The paths of all its states, the outer before the inner: `trading`, `trading.busy`. */
  readonly states: readonly string[]
}

/**
 * What a run may be told to take: plans compiled from the machine, XState itself, or both beside each other, which ends
 * the run where they differ. All give the same run, byte for byte. What cannot be compiled runs on XState under each.
 */
export const ENGINES = ['compiled', 'xstate', 'shadow'] as const
export type EngineName = (typeof ENGINES)[number]
