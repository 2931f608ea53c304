/**
 * The end of an incarnation in shared memory. It writes records into pages of its slot or of its thread, and chains those of a step, so that one
 * store commits them.
 */
import type { EnvelopeId } from '../actor/step-report.ts'
import { SYSTEM } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import type { Codec } from './codec.ts'
import { CLASS_MAIL, CLASS_NEWS } from './envelope.ts'
import type { Board } from './layout.ts'
import type { CopyHeader, Endpoint } from './mail.ts'
import { nextOfStep, takeAll } from './mpsc-list.ts'
import { Pages } from './pages.ts'
import * as record from './record.ts'
import { SharedEnvelope } from './record.ts'
import { Sequence } from './sequence.ts'

export class SharedEndpoint implements Endpoint {
  cause: EnvelopeId | null = null
  readonly #board: Board
  readonly #codec: Codec
  readonly #pages: Pages
  readonly #slot: number
  readonly #sequence: Sequence
  #now: Time = 0
  #subround = 0
  /** The chain of records since the last `publish`. */
  #first = 0
  #last = 0
  /** The length of the message that was packed last, in words. */
  #words = 0
  #collected = 0

  constructor(board: Board, codec: Codec, slot: number, incarnation: number, pages = new Pages(board, slot)) {
    this.#board = board
    this.#codec = codec
    if (incarnation > 0) record.releaseDrafts(board, slot)
    this.#pages = pages
    this.#slot = slot
    this.#sequence = new Sequence(slot, incarnation)
  }

  moveTo(now: Time, subround: number): void {
    this.#now = now
    this.#subround = subround
  }

  pack(message: Plain): void {
    this.#words = this.#codec.encode(message)
  }

  nextId(): EnvelopeId {
    return this.#sequence.next(CLASS_MAIL)
  }

  post(to: number, kind: number, due: Time): EnvelopeId {
    const id = this.#sequence.next(kind)
    this.#write(to, kind, due, id, this.cause)
    return id
  }

  postNews(to: number, due: Time, name: EnvelopeId): void {
    this.#write(to, CLASS_NEWS, due, this.#sequence.next(CLASS_NEWS), name)
  }

  postCopy(to: number, kind: number, due: Time, { toIncarnation, seq, n = 0, base = 0 }: CopyHeader): void {
    const id = seq === undefined ? this.#sequence.next(kind) : this.#sequence.at(seq)
    const i = 2 * this.#write(to, kind, due, id, null)
    const { i32 } = this.#board
    i32[i + record.TO_INCARNATION] = toIncarnation
    i32[i + record.NUMBER] = n
    i32[i + record.BASE] = base
  }

  /** Writes a record around what was packed last, and chains it. Returns its address. */
  #write(to: number, kind: number, due: Time, id: EnvelopeId, cause: EnvelopeId | null): number {
    const { i32, incarnation } = this.#board
    const words = record.BODY + this.#words
    const at = this.#pages.allocate(words)
    const header = { id, class: kind, to, cause, sentAt: this.#now, subround: this.#subround, due, lost: 0 }
    record.writeHeader(this.#board, at, header, words)
    const i = 2 * at
    i32[i + record.NEXT] = 0
    i32[i + record.CHAIN] = 0
    i32[i + record.TO_INCARNATION] = Atomics.load(i32, incarnation + to)
    i32[i + record.RUN_AT] = this.#pages.run
    i32[i + record.STATE] = record.STATE_DRAFT
    this.#pages.commit(words)
    this.#codec.store(at + record.BODY)
    if (this.#last === 0) this.#first = at
    else i32[2 * this.#last + record.CHAIN] = at
    this.#last = at
    return at
  }

  beginReport(): void {
    this.#codec.beginList()
  }

  addPacked(): void {
    this.#codec.addEncoded()
  }

  addToReport(item: Plain): void {
    this.#codec.addToList(item)
  }

  postReport(kind: number, first: Plain): void {
    this.#words = this.#codec.endList(first)
    this.postPacked(kind)
  }

  postPacked(kind: number): void {
    this.post(SYSTEM, kind, this.#now)
  }

  get savepoint(): number {
    return this.#last
  }

  rollback(savepoint: number): void {
    const { i32 } = this.#board
    let at = savepoint === 0 ? this.#first : (i32[2 * savepoint + record.CHAIN] ?? 0)
    if (savepoint === 0) this.#first = 0
    else i32[2 * savepoint + record.CHAIN] = 0
    this.#last = savepoint
    for (; at !== 0; at = nextOfStep(this.#board, at)) record.release(this.#board, at)
  }

  /** Writes the start of the chain to the slot's word. The caller's store of `done` makes it valid. */
  publish(): void {
    this.#board.i32[this.#board.first + this.#slot] = this.#first
    this.#first = 0
    this.#last = 0
  }

  collect(each: (envelope: SharedEnvelope) => void): void {
    const { i32 } = this.#board
    for (const at of takeAll(this.#board, this.#slot)) {
      const { STATE, STATE_POSTED, STATE_HELD } = record
      // The system may have given up a record since, if its sender died while linking it.
      if (Atomics.compareExchange(i32, 2 * at + STATE, STATE_POSTED, STATE_HELD) !== STATE_POSTED) continue
      each(new SharedEnvelope(this.#board, this.#codec, at, this.#collected++))
    }
  }
}
