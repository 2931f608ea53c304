/**
 * A log into which actors write their step records, instead of mailing them to the system. It is used where the trace
 * is kept in the thread of the actors themselves, that is inline.
 */

import type { EnvelopeId, InboxItem } from '../actor/step-report.ts'
import { SYSTEM } from '../core/address.ts'
import type { Time } from '../core/time.ts'
import type { Words } from '../memory/block.ts'
import type { Codec } from '../memory/codec.ts'
import { BODY } from '../memory/envelope.ts'
import { reportOf } from './step-record.ts'

export interface StepLog {
  /** Whether step records go into the log; while a listener hears of every step at once, they are mailed instead. */
  readonly isOpen: boolean
  /** The number of step records written. */
  readonly count: number
  /** Makes room for an entry and returns its address in `chunk`, where its first int32 is `words`; -1 if the log is full. */
  claim(words: number): number
  readonly chunk: Words
  /** Takes back the last entry if there are more than `count`. */
  takeBack(count: number): void
}

/** The actor of a step, its instant, and the cause of what was handled. */
export interface EntryHeading {
  readonly slot: number
  readonly incarnation: number
  readonly at: Time
  readonly cause: EnvelopeId | null
}

// int32 fields of an entry, from twice its word address; the first is the number of its words
const SLOT = 1
const INCARNATION = 2
/** The offset of the cause: slot, incarnation and sequence number; a slot below 0 means no cause. */
const CAUSE = 3
// offsets from the word address of an entry
const AT = 3
/** The offset of the step record. */
const LIST = 4

/** How many words longer a mailed record is than an entry. */
export const MAILED = BODY - LIST

/** Writes the step record that `codec` has encoded. */
export function writeEntry(log: StepLog, codec: Codec, { slot, incarnation, at, cause }: EntryHeading): void {
  const entry = log.claim(LIST + codec.endList())
  if (entry < 0) return
  const { i32, f64 } = log.chunk
  const i = 2 * entry
  i32[i + SLOT] = slot
  i32[i + INCARNATION] = incarnation
  i32[i + CAUSE] = cause ? cause[0] : -1
  i32[i + CAUSE + 1] = cause ? cause[1] : 0
  i32[i + CAUSE + 2] = cause ? cause[2] : 0
  f64[entry + AT] = at
  codec.storeIn(i32, entry + LIST)
}

/** Reads the entry at address `entry` of the memory that `codec` reads. */
export function readEntry(
  { i32, f64 }: Words,
  codec: Codec,
  entry: number,
  nameOf: (slot: number) => string,
): InboxItem {
  const field = (which: number): number => i32[2 * entry + which] ?? 0
  const id = [field(SLOT), field(INCARNATION), -1] as const
  const cause = field(CAUSE) < 0 ? null : ([field(CAUSE), field(CAUSE + 1), field(CAUSE + 2)] as const)
  const at = f64[entry + AT] ?? 0
  const list = codec.decode(entry + LIST)
  const report = reportOf(Array.isArray(list) ? list : [], id, cause, nameOf)
  return { id, cause, to: SYSTEM, sentAt: at, due: at, what: { type: 'report', report } }
}
