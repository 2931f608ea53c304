/** The reports of cells to the system, which become traces, facts and results, and the system's orders to cells. */

import type { Message, Plain } from '../core/data.ts'
import { isMessage } from '../core/data.ts'
import type { Thrown } from '../core/thrown.ts'
import type { Time } from '../core/time.ts'
import type { ComputationOutcome, EnteredState, SystemOrder } from './effect.ts'
import type { ComputationOrder } from './pending-computations.ts'

/** The name of an envelope: slot and incarnation of its sender, and its sequence number. */
export type EnvelopeId = readonly [slot: number, incarnation: number, seq: number]

export type Handled =
  | {
      readonly mail: EnvelopeId
      readonly type: string
      /** The message was deferred by an earlier step. */
      readonly again?: true
    }
  | {
      readonly timer: string
      /** The number of timers that this incarnation had set before. */
      readonly n: number
      readonly kind: string
      readonly event: Message
      readonly cause: EnvelopeId | null
    }
  | { readonly start: true /** The type of message that goes first. */; readonly urgent?: string | undefined }

/** One message to one recipient. If it was lost before it left, `due` is absent and `lost` says why. */
export type Send = {
  readonly id: EnvelopeId
  readonly to: string
  readonly message: Message
  readonly due?: number
  readonly lost?: number
  /** Reliable delivery: why the first copy was lost; the message will be retransmitted. */
  readonly missed?: number
  /** For a duplicate that the network made: the envelope that the actor sent. */
  readonly copyOf?: EnvelopeId
}

/** What became of a copy: when it will arrive, or the LOST_* code that says why it will not. */
export type CopyOutcome = { readonly due: Time } | { readonly missed: number }

/** An acknowledgement or a refusal, from a receiver to a sender; `incarnation` is the receiver's incarnation in question. */
export type WireReceipt =
  | { readonly type: 'ack'; readonly incarnation: number; readonly upTo: number; readonly held: readonly number[] }
  | { readonly type: 'refusal'; readonly incarnation: number; readonly lost: number }

export type WireEvent =
  /** A copy of a message after the first: retransmitted, or duplicated by the network. */
  | ({ readonly type: 'copy'; readonly id: EnvelopeId; readonly to: string; readonly attempt: number } & CopyOutcome)
  | ({ readonly type: 'receipt'; readonly to: string; readonly receipt: WireReceipt } & CopyOutcome)
  /** A copy came too early, or again. */
  | { readonly type: 'held' | 'suppressed'; readonly id: EnvelopeId }
  /** A message was given up. */
  | {
      readonly type: 'lost'
      readonly id: EnvelopeId
      readonly to: string
      readonly message: Message
      readonly lost: number
    }

/** The record of one step. */
export type StepRecord = {
  readonly type: 'step'
  /** What was handled; only in a trace, while a fault waits for a step, or if the step failed. */
  readonly on?: Handled | undefined
  /** How far the clock of its machine was ahead. Negative if it was behind, absent or 0 if it was right; only where `on` is there. */
  readonly skew?: Time | undefined
  /** The type of an event that no transition took. */
  readonly unhandled?: string | undefined
  /** The messages sent; without a trace only those that were lost before they left. */
  readonly sends?: readonly Send[] | undefined
  /** The LOST_* codes of these. */
  readonly lost?: readonly number[] | undefined
  /** The new configuration of the statechart, if it changed; only where `on` is there. */
  readonly state?: Plain | undefined
  /** The states that child charts entered; only where `on` is there. */
  readonly entered?: readonly EnteredState[] | undefined
  readonly facts?: readonly Message[] | undefined
  readonly computations?: readonly ComputationOrder[] | undefined
  readonly records?: readonly Plain[] | undefined
  /** The records replace those of earlier steps. */
  readonly isSnapshot?: true | undefined
  /** Orders to the system about other actors. */
  readonly orders?: readonly SystemOrder[] | undefined
  /** The message that the step deferred. */
  readonly deferred?: { readonly id: EnvelopeId; readonly type: string } | undefined
  /** The message that an earlier step had deferred, and that this step handled. */
  readonly resumed?: EnvelopeId | undefined
  /** The machine reached a final state. */
  readonly stopped?: true | undefined
  /** The error of a step that failed; such a step has no other result. */
  readonly crash?: Thrown | undefined
  /** The event whose step failed; only with `crash`, and absent for the start. */
  readonly event?: Message | undefined
}

/** What reliable delivery did in a round; without a trace only the messages that it gave up. */
export type WireReport = { readonly type: 'wire'; readonly events: readonly WireEvent[] }

/** A change of the directory that a cell was told of, whether or not its machine handles it. Only in a trace. */
export type NewsReport = {
  readonly type: 'news'
  readonly what: 'joined' | 'left'
  readonly address: string
  /** The name of the system's order. */
  readonly order: EnvelopeId
}

/** A step handled an event of a type that no state of its machine handles, for the first time in its incarnation. */
export type UnknownType = {
  readonly type: 'unknown type'
  readonly event: string
  readonly from: string
  /** The type that it may have meant. */
  readonly meant?: string | undefined
}

/** A step sent a message to an address or group that the actor knows nobody at. */
export type Misaddressed = { readonly type: 'misaddressed'; readonly to: string; readonly message: string }

/** What is probably a mistake of an actor's author. It is no part of a trace. */
export type Notice = UnknownType | Misaddressed

/** A message that an actor dropped, since nothing comes of it any more. */
export type DeadReport = {
  readonly type: 'dead'
  readonly id: EnvelopeId
  readonly message: Message
  /** A LOST_* code. */
  readonly lost: number
}

export type Report = StepRecord | WireReport | NewsReport | DeadReport | Notice

/** Says whether only a trace needs a report. The system need not read such a report during the run. */
export function isForTraceOnly(report: Report): boolean {
  if (report.type === 'news') return true
  if (report.type === 'dead') return false
  if (report.type === 'wire') return report.events.every(({ type }) => type !== 'lost')
  if (report.type !== 'step') return false
  const { lost, facts, computations, records, orders, deferred, resumed, stopped, crash } = report
  const acts = lost ?? facts ?? computations ?? records ?? orders ?? deferred ?? resumed ?? stopped ?? crash
  return acts === undefined
}

const REPORTS: ReadonlySet<string> = new Set<Report['type']>([
  ...(['step', 'wire', 'news', 'dead'] as const),
  ...(['unknown type', 'misaddressed'] as const),
])

export const isReport = (value: Plain): value is Report => isMessage(value) && REPORTS.has(value.type)

/** An order of the system to a cell. */
export type Control =
  | {
      readonly type: 'start'
      readonly input: Plain
      readonly records: readonly Plain[]
      /** It knows the actors in slots 1 to `slots`, but for those that have `stopped`. */
      readonly slots: number
      readonly stopped: readonly number[]
      /** Their addresses by slot; only on hosts, which cannot read them in the memory of the system. */
      readonly addresses?: readonly string[]
    }
  | { readonly type: 'joined'; readonly address: string; readonly slot: number }
  | { readonly type: 'left'; readonly address: string }
  | {
      readonly type: 'computed'
      readonly id: string
      /** The number of the computation, which the order to begin it has as well. */
      readonly n: number
      readonly outcome: ComputationOutcome
      readonly took: Time
    }

const CONTROLS: ReadonlySet<string> = new Set<Control['type']>(['start', 'joined', 'left', 'computed'])

export const isControl = (value: Plain): value is Control => isMessage(value) && CONTROLS.has(value.type)

/** One record from the system's inbox. */
export interface InboxItem {
  readonly id: EnvelopeId
  readonly cause: EnvelopeId | null
  readonly to: number
  readonly sentAt: Time
  readonly due: Time
  readonly what:
    | Report
    | { readonly type: 'mail'; readonly message: Message }
    /** Mail that could not be delivered; `reason` is a LOST_* code. */
    | { readonly type: 'dead letter'; readonly message: Message; readonly reason: number }
}
