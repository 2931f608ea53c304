/**
 * What a step tells of itself for the trace, encoded while the step goes on. On its way it is one list:
 *
 *   what was handled | for each message: the message, and for each recipient to whom, its seq, its way | what else there is
 *
 * It is mailed to the system or, in the system's own thread, written into its journal.
 */
import { SYSTEM } from './memory/board.ts'
import type { Codec } from './memory/codec.ts'
import type { Words } from './memory/log.ts'
import * as record from './memory/record.ts'
import { isMessage, isObject, type Message, type Plain } from './plain.ts'
import type { EnvelopeId, Handled, Item, Send, StepReport } from './report.ts'
import type { Time } from './time.ts'

/** Where accounts are written one after another. */
export interface Journal {
  /** How many were written. */
  readonly count: number
  /** Room for one of `words`: its address in `chunk`, whose first int32 says so; -1 if there is none any more. */
  claim(words: number): number
  readonly chunk: Words
  /** Takes back the last, if there are more than `count`. */
  takeBack(count: number): void
}

/** The journal, while it is to be written to. */
export type OpenJournal = () => Journal | undefined

/** Whose account it is, when, and what was being handled. */
export interface Told {
  readonly slot: number
  readonly life: number
  readonly at: Time
  readonly cause: EnvelopeId | null
}

// int32 fields of an entry, from twice its word address; the first is the journal's
const SLOT = 1
const LIFE = 2
/** Slot, life and seq; a slot < 0 is none. */
const CAUSE = 3
// from its word address
const AT = 3
const LIST = 4
/** So many words longer is the same account when it is mailed. */
export const MAILED = record.BODY - LIST

type Timer = Extract<Handled, { readonly timer: string }>

/** Of mail only the type: the record names its cause. Null if it is not told. */
type Opening = string | Timer | true | null

/** When it will arrive; or that it will not, or came out otherwise. */
export type Way = number | Omit<Send, 'id' | 'to' | 'message'>

type Remark = Pick<StepReport, 'unhandled' | 'state'>

export class Account {
  readonly #codec: Codec
  #isEmpty = true
  #isLossy = false
  #isNew = false

  constructor(codec: Codec) {
    this.#codec = codec
  }

  /** Does it tell nothing? */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Does it tell of a message that did not leave? */
  get isLossy(): boolean {
    return this.#isLossy
  }

  /** A step begins; what it handles need not be told. */
  begin(on?: Handled): void {
    this.#isEmpty = true
    this.#isLossy = false
    if (on) this.#open(openingOf(on))
  }

  /** Another message was encoded, of which `sent` may tell. */
  encoded(): void {
    this.#isNew = true
  }

  /** The message that was encoded last was sent to a slot, or was lost on its way out, then maybe to nobody's address. */
  sent(id: EnvelopeId, to: number | string, way: Way): void {
    if (this.#isEmpty) this.#open(null)
    if (this.#isNew) this.#codec.addEncoded()
    this.#isNew = false
    this.#codec.addToList(to)
    this.#codec.addToList(id[2])
    this.#codec.addToList(way)
    if (isLoss(way)) this.#isLossy = true
  }

  remark(remark: Remark): void {
    if (this.#isEmpty) this.#open(null)
    this.#codec.addToList(remark)
  }

  /** Writes it into a journal. */
  enter(journal: Journal, { slot, life, at, cause }: Told): void {
    const entry = journal.claim(LIST + this.#codec.endList())
    if (entry < 0) return
    const { i32, f64 } = journal.chunk
    const i = 2 * entry
    i32[i + SLOT] = slot
    i32[i + LIFE] = life
    i32[i + CAUSE] = cause ? cause[0] : -1
    i32[i + CAUSE + 1] = cause ? cause[1] : 0
    i32[i + CAUSE + 2] = cause ? cause[2] : 0
    f64[entry + AT] = at
    this.#codec.storeIn(i32, entry + LIST)
  }

  #open(opening: Opening): void {
    this.#isEmpty = false
    this.#codec.beginList()
    this.#codec.addToList(opening)
  }
}

export const isLoss = (way: Way): boolean => typeof way !== 'number' && way.lost !== undefined

/** What an entry of a journal tells, at address `entry` of the memory that `codec` reads. */
export function entryAt({ i32, f64 }: Words, codec: Codec, entry: number, nameOf: (slot: number) => string): Item {
  const field = (which: number): number => i32[2 * entry + which] ?? 0
  const [slot, life, at] = [field(SLOT), field(LIFE), f64[entry + AT] ?? 0]
  const cause = field(CAUSE) < 0 ? null : ([field(CAUSE), field(CAUSE + 1), field(CAUSE + 2)] as const)
  const list = codec.decode(entry + LIST)
  const report = reportOf(Array.isArray(list) ? list : [], { slot, life, cause }, nameOf)
  return { id: [slot, life, -1], cause, to: SYSTEM, sentAt: at, due: at, what: { type: 'report', report } }
}

/** The report that an account comes to. */
export function reportOf(
  [opening = null, ...rest]: readonly Plain[],
  { slot, life, cause }: Omit<Told, 'at'>,
  nameOf: (slot: number) => string,
): StepReport {
  const on = handledOf(opening, cause)
  const sends: Send[] = []
  const remarks: Remark[] = []
  let message: Message | undefined
  for (let i = 0; i < rest.length; i++) {
    const to = rest[i] ?? null
    if (isMessage(to)) message = to
    else if (isRemark(to)) remarks.push(to)
    else if (typeof to === 'number' || typeof to === 'string') {
      const [seq, way] = [rest[++i], rest[++i]]
      if (typeof seq !== 'number' || !isWay(way) || !message) continue
      const name = typeof to === 'number' ? nameOf(to) : to
      sends.push({ id: [slot, life, seq], to: name, message, ...(typeof way === 'number' ? { due: way } : way) })
    }
  }
  return { type: 'step', ...(on && { on }), ...(sends.length > 0 && { sends }), ...Object.assign({}, ...remarks) }
}

function openingOf(on: Handled): Opening {
  if ('mail' in on) return on.type
  return 'timer' in on ? on : true
}

function handledOf(opening: Plain, cause: EnvelopeId | null): Handled | undefined {
  if (typeof opening === 'string') return cause ? { mail: cause, type: opening } : undefined
  if (isTimer(opening)) return opening
  return opening === null ? undefined : { start: true }
}

const isTimer = (value: Plain): value is Timer => isObject(value)
const isWay = (value: Plain | undefined): value is Way => typeof value === 'number' || isObject(value)
const isRemark = (value: Plain): value is Remark => isObject(value)
