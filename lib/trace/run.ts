/** A run as read from its trace: the steps of every actor in order, with their outcomes. */
import type { EnteredState } from '../actor/effect.ts'
import type { Letter } from '../actor/requests.ts'
import type { Address } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import type { Time, TimerKind } from '../core/time.ts'
import type { Line } from './lines.ts'

export interface Run {
  /** The name of the trace in errors, such as its file. */
  readonly where: string
  /** Every setting that influenced the run: see `headOf`. */
  readonly head: Line
  /** The steps in the order of the trace, a linear extension of happens-before. */
  readonly steps: readonly Step[]
  /** The incarnations in the order of their beginnings. */
  readonly incarnations: readonly Incarnation[]
  /** Messages to actors and to the system, by envelope (`slot.incarnation.seq`). */
  readonly sends: ReadonlyMap<string, Sent>
  /** The acts of the system, in order. */
  readonly system: readonly SystemEvent[]
  readonly deadLetters: readonly DeadLetter[]
}

/** A place in the trace: the index of its line, counted from the head (0). Places are ordered. */
interface Instant {
  readonly line: number
  readonly at: Time
}

/** One incarnation of an actor. */
export interface Incarnation extends Instant {
  readonly who: Address
  readonly slot: number
  readonly incarnation: number
  /** The module of its machine, as a path from the root of the package (see lib/core/code-registry.ts). */
  readonly module: string
  readonly input: Plain
  /** The records that earlier incarnations of the address persisted. */
  readonly records: readonly Plain[]
  readonly steps: readonly Step[]
  readonly news: readonly News[]
  /** The address of its parent; null for an actor that no actor spawned. */
  readonly parent: Address | null
  /** The end of the incarnation; null while it lives. */
  readonly end: End | null
}

/** News about other actors that an incarnation was told, whether its machine handles them or not. */
export interface News extends Instant {
  readonly type: 'joined' | 'left'
  readonly address: Address
  /** The number of the step that the news came before. */
  readonly before: number
}

export interface End extends Instant {
  /** `ended`: its parent stopped it, or its parent ended. */
  readonly type: 'died' | 'stopped' | 'ended'
  /** The cause of a death: `Killed`, or the name of the error; '' if the actor stopped or was ended. */
  readonly cause: string
  /** The message of the error, or why it was ended. */
  readonly message: string
}

/** One step: an incarnation handles one event. */
export interface Step extends Instant {
  /** The number of the step in the whole run, from 0. */
  readonly index: number
  readonly who: Address
  readonly slot: number
  readonly incarnation: number
  /** The number of the step in its incarnation; 0 is the start. */
  readonly n: number
  readonly on: Start | TracedMail | Timer
  /** How far the clock of its machine was ahead; negative if it was behind. */
  readonly skew: Time
  readonly sends: readonly Sent[]
  /** The configuration of the statechart before and after the step; null if there has been none. */
  readonly before: Plain
  readonly state: Plain
  readonly facts: readonly Message[]
  readonly records: readonly Plain[]
  /** The states that conversations entered, in order. */
  readonly entered: readonly EnteredState[]
  /** The step deferred its message. */
  readonly deferred: boolean
  /** No transition took the event. */
  readonly unhandled: boolean
  /** The error of a step that failed, or null; such a step has no other outcome. */
  readonly crash: { readonly error: string; readonly message: string } | null
  /** The machine reached a final state. */
  readonly stopped: boolean
  /** The promises of the scenario that are broken from a fact of this step on. */
  readonly broken: readonly string[]
}

export interface Start {
  readonly what: 'start'
}

export interface TracedMail {
  readonly what: 'mail'
  /** The envelope, `slot.incarnation.seq`. */
  readonly id: string
  /** An actor, or `system`. */
  readonly from: Address
  readonly type: string
  readonly message: Message
  /** The message was deferred by an earlier step. */
  readonly again?: true
}

export interface Timer {
  readonly what: 'timer'
  readonly id: string
  /** The number of timers that this incarnation had set before. */
  readonly n: number
  readonly kind: TimerKind
  readonly event: Message
  /** The envelope that was handled last when the timer was set: by a step with mail itself, or by one with a timer that such mail led to. */
  readonly cause: string | null
}

/** One message to one recipient. */
export interface Sent extends Instant {
  readonly id: string
  readonly from: Address
  readonly to: Address
  readonly message: Message
  /** The letter that carried the message, if it makes, answers or refuses a request. */
  readonly letter?: Letter
  /** The envelope that the network doubled, if this is the copy. */
  readonly copyOf?: string
  /** The due time; null if the message was lost before it left. */
  readonly due: Time | null
  /** The index of the step that sent it; null for the system. */
  readonly step: number | null
}

/** A dead letter. Its line has no time, so `at` is that of the line before. */
export interface DeadLetter extends Instant {
  readonly id: string
  readonly from: Address
  readonly to: Address
  readonly type: string
  readonly reason: string
}

export type SystemEvent = Instant & {
  /** The number of the act among all acts of the system, from 0. */
  readonly place: number
} & SystemAct

export type SystemAct =
  | { readonly type: 'spawn'; readonly incarnation: Incarnation }
  | { readonly type: 'died'; readonly incarnation: Incarnation; readonly cause: string; readonly message: string }
  /** The fault, as `printFault` prints it. */
  | { readonly type: 'fault'; readonly fault: string }
  /** An actor is not restarted any more. */
  | { readonly type: 'gave up'; readonly who: Address }
  /** An incarnation is ended by its parent, or with it; `why` says which. */
  | { readonly type: 'ended'; readonly incarnation: Incarnation; readonly why: string }
  /** An incarnation is told to start. */
  | { readonly type: 'begin'; readonly incarnation: Incarnation }
  /** A computation of an actor has ended, which the actor is told by an order. */
  | { readonly type: 'computed'; readonly who: Address; readonly id: string; readonly order: string }
  | { readonly type: 'send'; readonly sent: Sent }
  /** A message to `system`, of a type. */
  | { readonly type: 'answer'; readonly id: string; readonly from: Address; readonly message: string }

/** The name of a step's event, the same in schedules, orders and errors. */
export function thingOf({ on, slot, incarnation }: Step): string {
  if (on.what === 'mail') return on.id
  return on.what === 'timer' ? `${slot}.${incarnation}.t${on.n}` : `${slot}.${incarnation}.start`
}

/** The type of the event that the machine saw; for the start it is XState's own name. */
export function eventOf({ on }: Step): string {
  if (on.what === 'mail') return on.type
  return on.what === 'timer' ? on.event.type : 'xstate.init'
}

/** The name of an incarnation for people: its address, and its number from the second incarnation on. */
export const incarnationName = ({
  who,
  incarnation,
}: {
  readonly who: Address
  readonly incarnation: number
}): string => (incarnation === 0 ? who : `${who}#${incarnation + 1}`)
