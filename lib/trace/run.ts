/** A run as its trace tells it: what every actor handled, in what order, and what came of each. */
import type { Address } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import type { Time, TimerKind } from '../core/time.ts'
import type { Line } from './lines.ts'

export interface Run {
  /** The file, or what else errors are to name. */
  readonly where: string
  /** Every setting that influenced the run: see `headOf`. */
  readonly head: Line
  /** In the order of the trace, a linear extension of happens-before. */
  readonly steps: readonly Step[]
  /** The incarnations in the order of their beginnings. */
  readonly incarnations: readonly Incarnation[]
  /** Messages to actors and to the system, by envelope (`slot.incarnation.seq`). */
  readonly sends: ReadonlyMap<string, Sent>
  /** What the system did, in order. */
  readonly system: readonly SystemEvent[]
  readonly deadLetters: readonly DeadLetter[]
}

/** Where in the trace: the index of its line (from 0, the head), which is also an order. */
interface Instant {
  readonly line: number
  readonly at: Time
}

/** One incarnation of an actor. */
export interface Incarnation extends Instant {
  readonly who: Address
  readonly slot: number
  readonly incarnation: number
  /** Of its machine: a path from the root of the package (see modules.ts). */
  readonly module: string
  readonly input: Plain
  /** What earlier incarnations of the address wrote down. */
  readonly records: readonly Plain[]
  readonly steps: readonly Step[]
  readonly news: readonly News[]
  /** Null while it goes on. */
  readonly end: End | null
}

/** What an incarnation was told of others, whether its machine handles such news or not. */
export interface News extends Instant {
  readonly type: 'joined' | 'left'
  readonly address: Address
  /** It was told before the step of this number. */
  readonly before: number
}

export interface End extends Instant {
  readonly type: 'died' | 'stopped'
  /** Of a death: `Killed`, or the name of the error; else ''. */
  readonly cause: string
  readonly message: string
}

/** One handling of one thing, by one incarnation. */
export interface Step extends Instant {
  /** In the whole run, from 0. */
  readonly index: number
  readonly who: Address
  readonly slot: number
  readonly incarnation: number
  /** In this incarnation, from 0, which is its start. */
  readonly n: number
  readonly on: Start | Mail | Timer
  readonly sends: readonly Sent[]
  /** The configuration of the statechart before and after the step; null if there has been none. */
  readonly before: Plain
  readonly state: Plain
  readonly facts: readonly Message[]
  readonly records: readonly Plain[]
  /** No transition took the event. */
  readonly unhandled: boolean
  /** What the step threw; nothing else came of it then. */
  readonly crash: { readonly error: string; readonly message: string } | null
  /** The machine reached a final state. */
  readonly stopped: boolean
}

export interface Start {
  readonly what: 'start'
}

export interface Mail {
  readonly what: 'mail'
  /** The envelope, `slot.incarnation.seq`. */
  readonly id: string
  /** An actor, or `system`. */
  readonly from: Address
  readonly type: string
  readonly message: Message
}

export interface Timer {
  readonly what: 'timer'
  readonly id: string
  /** How many timers this incarnation had set before. */
  readonly n: number
  readonly kind: TimerKind
  readonly event: Message
}

/** One message to one recipient. */
export interface Sent extends Instant {
  readonly id: string
  readonly from: Address
  readonly to: Address
  readonly message: Message
  /** Null if it was lost on the way out. */
  readonly due: Time | null
  /** The index of the step that sent it; null for the system. */
  readonly step: number | null
}

/** Its line does not say when: `at` is that of the line before. */
export interface DeadLetter extends Instant {
  readonly id: string
  readonly from: Address
  readonly to: Address
  readonly type: string
  readonly reason: string
}

export type SystemEvent = Instant & {
  /** Among all that the system did, from 0. */
  readonly place: number
} & SystemAct

export type SystemAct =
  | { readonly type: 'spawn'; readonly incarnation: Incarnation }
  | { readonly type: 'died'; readonly incarnation: Incarnation; readonly cause: string; readonly message: string }
  /** As `printFault` prints it. */
  | { readonly type: 'fault'; readonly fault: string }
  /** An actor is not restarted any more. */
  | { readonly type: 'gave up'; readonly who: Address }
  /** An incarnation is told to start. */
  | { readonly type: 'begin'; readonly incarnation: Incarnation }
  /** A computation of an actor has ended, which the actor is told by an order. */
  | { readonly type: 'computed'; readonly who: Address; readonly id: string; readonly order: string }
  | { readonly type: 'send'; readonly sent: Sent }
  /** A message to `system`, of a type. */
  | { readonly type: 'answer'; readonly id: string; readonly from: Address; readonly message: string }

/** What a step handled, by the one name that it has in schedules, orders and errors. */
export function thingOf({ on, slot, incarnation }: Step): string {
  if (on.what === 'mail') return on.id
  return on.what === 'timer' ? `${slot}.${incarnation}.t${on.n}` : `${slot}.${incarnation}.start`
}

/** The type of the event that the machine saw; of the start what XState calls it. */
export function eventOf({ on }: Step): string {
  if (on.what === 'mail') return on.type
  return on.what === 'timer' ? on.event.type : 'xstate.init'
}

/** For people: an actor, with the number of its incarnation from the second on. */
export const incarnationName = ({
  who,
  incarnation,
}: {
  readonly who: Address
  readonly incarnation: number
}): string => (incarnation === 0 ? who : `${who}#${incarnation + 1}`)
