/** The messages to a live page, as JSON. */

import type { Delta } from './delta.ts'
import type { ShownSentence } from './links.ts'
import type { Front, ShownPicture, ShownRun, ShownTable } from './types.ts'

export type LiveMessage =
  | {
      readonly type: 'whole'
      readonly run: ShownRun
      readonly status: LiveStatus
      readonly pictures: readonly ShownPicture[]
    }
  /** The change of the run since the last message, null if nothing shown has changed; pictures only if they were drawn again. */
  | {
      readonly type: 'more'
      readonly delta: Delta | null
      readonly status: LiveStatus
      readonly pictures?: readonly ShownPicture[]
    }
  /** The end of the run, with its answer and results. */
  | { readonly type: 'end'; readonly front: Front }
  /** The run was interrupted. */
  | { readonly type: 'gone' }

export interface LiveStatus {
  /** The instant of the status, in millionths of a unit. */
  readonly now: number
  /** How many milliseconds of real time a unit takes. */
  readonly scale: number
  /** The messages that were sent and the steps that were taken so far. */
  readonly messages: number
  readonly steps: number
  /** The actors that have not ended, in spawn order; the list is limited, and 'omitted' is the number of the rest. */
  readonly actors: readonly LiveActor[]
  readonly omitted: number
  /** The numbers of all actors, with those that are not listed. */
  readonly totals: ActorTotals
  /** The machines of actors that have not ended; the list is limited too. */
  readonly machines: readonly string[]
  /** How many messages are sent and how many steps are taken per second of real time, over the last seconds. */
  readonly messageRate: number
  readonly stepRate: number
  /** The promises of the run as they stand so far; those that are broken come first. */
  readonly promises: readonly ShownPromise[]
  /** The faults so far, as `printFault` prints them. */
  readonly faults: readonly string[]
  /** The numbers of the actors, with option `metrics`. */
  readonly metrics: readonly ShownTable[]
}

export interface ShownPromise {
  readonly name: string
  /** Whether it is kept so far, broken, or asked only when the run is over; or that the oracle failed. */
  readonly standing: 'kept' | 'broken' | 'asked at the end' | 'cannot be asked'
  /** What broke it, a sentence each, at most a few; or the error of the oracle. */
  readonly broken: readonly ShownSentence[]
  /** When a picture first found it broken, or when the oracle failed, in millionths of a unit; null for others. */
  readonly since: number | null
}

export interface ActorTotals {
  readonly alive: number
  readonly dead: number
  readonly ended: number
  /** The messages that wait for actors, with those on their way. */
  readonly waiting: number
}

/** An actor as it is now. */
export interface LiveActor {
  readonly address: string
  readonly life: 'alive' | 'dead' | 'paused'
  /** Since when it is dead, or until when it is paused, in millionths of a unit; null for an actor that is alive. */
  readonly at: number | null
  /** The state of its statechart; `-` for an actor without states. */
  readonly state: string
  /** The messages that wait for it, with those on their way. */
  readonly mailbox: number
  /** How many steps it takes per second of real time, over the last seconds. */
  readonly rate: number
  /** How many steps it has taken in all. */
  readonly steps: number
  /** The name of its work, such as `task 15`; '' if that is not known. */
  readonly doing: string
}
