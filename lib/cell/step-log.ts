/**
 * Where the trace is kept in the thread of the actors themselves, they write their accounts into its journal instead of
 * mailing them.
 */

import type { EnvelopeId, InboxItem } from '../actor/step-report.ts'
import type { Time } from '../core/time.ts'
import type { Words } from '../memory/block.ts'
import type { Codec } from '../memory/codec.ts'
import { BODY } from '../memory/envelope.ts'
import { SYSTEM } from '../memory/layout.ts'
import { reportOf } from './step-record.ts'

export interface StepLog {
  /** Or does somebody hear of every step as it comes, so that its account has to be mailed? */
  readonly isOpen: boolean
  /** How many accounts were written. */
  readonly count: number
  /** Room for an entry of `words`: its address in `chunk`, whose first int32 says so; -1 if there is none any more. */
  claim(words: number): number
  readonly chunk: Words
  /** Takes back the last, if there are more than `count`. */
  takeBack(count: number): void
}

/** Whose account it is, when, and what was being handled. */
export interface EntryHeading {
  readonly slot: number
  readonly incarnation: number
  readonly at: Time
  readonly cause: EnvelopeId | null
}

// int32 fields of an entry, from twice its word address; the first is the number of its words
const SLOT = 1
const INCARNATION = 2
/** Slot, incarnation and seq; a slot < 0 means nothing. */
const CAUSE = 3
// from its word address
const AT = 3
/** The account begins here. */
const LIST = 4

/** So many words longer is what is mailed. */
export const MAILED = BODY - LIST

/** Writes the account that `codec` has. */
export function writeEntry(journal: StepLog, codec: Codec, { slot, incarnation, at, cause }: EntryHeading): void {
  const entry = journal.claim(LIST + codec.endList())
  if (entry < 0) return
  const { i32, f64 } = journal.chunk
  const i = 2 * entry
  i32[i + SLOT] = slot
  i32[i + INCARNATION] = incarnation
  i32[i + CAUSE] = cause ? cause[0] : -1
  i32[i + CAUSE + 1] = cause ? cause[1] : 0
  i32[i + CAUSE + 2] = cause ? cause[2] : 0
  f64[entry + AT] = at
  codec.storeIn(i32, entry + LIST)
}

/** The entry at address `entry` of the memory that `codec` reads. */
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
