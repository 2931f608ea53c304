/**
 * Mail within one thread: messages are copied, but not encoded, and envelopes are objects in lists. What an actor is handed is the
 * same as from another thread.
 */
import type { EnvelopeId } from '../actor/step-report.ts'
import { type Address, SYSTEM } from '../core/address.ts'
import { Copier } from '../core/copier.ts'
import type { Plain } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import { blockOf } from './block.ts'
import {
  bySending,
  CLASS_MAIL,
  CLASS_NEWS,
  CLASS_TRACE,
  type LinkedEnvelope,
  LOST_EARLIER_INCARNATION,
  type SequencePlace,
} from './envelope.ts'
import { type Board, PAGE_WORDS } from './layout.ts'
import { type CopyHeader, type Endpoint, faultOfMail, type Mail, type OnLinked } from './mail.ts'
import { MailMemoryFull } from './pages.ts'
import { BODY } from './record.ts'
import { Sequence } from './sequence.ts'
import { SHAPES_WORDS } from './shapes.ts'
import { Tape } from './tape.ts'

/** The envelopes of one slot. */
class Slot {
  /** The first of those that it has sent and that are not linked yet. */
  published: LocalEnvelope | undefined
  /** The number of reports since then that went to the recording alone. */
  unposted = 0
  /** The first and the last envelope that are linked to the slot and not disposed of; all of them are in the order of linking. */
  #first: LocalEnvelope | undefined
  #last: LocalEnvelope | undefined
  /** The first linked envelope that the slot has not collected. */
  #fresh: LocalEnvelope | undefined

  add(envelope: LocalEnvelope): void {
    envelope.slot = this
    envelope.before = this.#last
    envelope.after = undefined
    if (this.#last) this.#last.after = envelope
    else this.#first = envelope
    this.#last = envelope
    this.#fresh ??= envelope
  }

  remove(envelope: LocalEnvelope): void {
    const { before, after } = envelope
    envelope.slot = undefined
    envelope.before = undefined
    envelope.after = undefined
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    if (this.#fresh === envelope) this.#fresh = after
  }

  collect(each: (envelope: LocalEnvelope) => void): void {
    for (let one = this.#fresh; one; one = one.after) each(one)
    this.#fresh = undefined
  }

  get unread(): LocalEnvelope[] {
    const unread: LocalEnvelope[] = []
    for (let one = this.#first; one; one = one.after) unread.push(one)
    return unread
  }
}

const NO_PLACE: SequencePlace = { n: 0, base: 0 }

/** A recording to which steps write their reports. */
interface Recording {
  readonly tape: Tape
  /** Whether lines are heard, so that the system needs each report whole. */
  readonly isHeard: () => boolean
}

export class LocalMail implements Mail {
  readonly board: Board
  readonly copier = new Copier()
  recording: Recording | undefined
  readonly #slots: Slot[] = []
  readonly #addresses: Address[] = []
  /** The size of all messages that are posted and not disposed of, in words. */
  #words = 0

  constructor(board: Board) {
    this.board = board
  }

  slot(slot: number): Slot {
    let found = this.#slots[slot]
    if (!found) {
      while (this.#slots.length <= slot) this.#slots.push(new Slot())
      found = this.slot(slot)
    }
    return found
  }

  endpoint(slot: number, incarnation: number): Endpoint {
    return new LocalEndpoint(this, slot, incarnation)
  }

  incarnationOf(slot: number): number {
    return this.board.i32[this.board.incarnation + slot] ?? 0
  }

  /**
   * Counts a message that is posted.
   *
   * @throws MailMemoryFull if all messages are too large together
   */
  add(words: number): void {
    const { pages } = this.board.size
    if (this.#words + words > pages * PAGE_WORDS) {
      const size = (pages * PAGE_WORDS * 8) / 1024 / 1024
      throw new MailMemoryFull(
        `mail memory full: unread mail takes ${size} MB (option memoryMB, --max-memory); it piles up somewhere`,
      )
    }
    this.#words += words
  }

  remove(words: number): void {
    this.#words -= words
  }

  link(slot: number, onLinked: OnLinked): void {
    const { i32, pending, reports } = this.board
    const from = this.slot(slot)
    i32[reports] = (i32[reports] ?? 0) + from.unposted
    from.unposted = 0
    let next = from.published
    from.published = undefined
    while (next) {
      const envelope = next
      next = envelope.after
      const { to, class: kind, due } = envelope
      envelope.lost = faultOfMail(this.board, to, envelope.toIncarnation, kind)
      const recipient = envelope.lost === 0 ? to : SYSTEM
      this.slot(recipient).add(envelope)
      const count = recipient === SYSTEM ? reports : pending + recipient
      i32[count] = (i32[count] ?? 0) + 1
      if (envelope.lost === 0) onLinked(to, kind, due)
    }
  }

  takeUndelivered(slot: number, reason: number): readonly LinkedEnvelope[] {
    const { unread } = this.slot(slot)
    for (const envelope of unread) envelope.lose(reason)
    return unread.sort(bySending)
  }

  unread(): readonly LinkedEnvelope[] {
    return this.#slots.flatMap(({ unread }) => unread).sort(bySending)
  }

  setAddress(slot: number, address: Address): void {
    this.#addresses[slot] = address
  }

  addressOf(slot: number): Address {
    return this.#addresses[slot] ?? ''
  }

  tape(limit: number, isHeard: () => boolean): Tape {
    const block = blockOf(new ArrayBuffer(8 * (1 + SHAPES_WORDS)))
    block.i32[0] = 1
    const tape = new Tape({ block, definitions: { pointer: 0, start: 1, end: 1 + SHAPES_WORDS } }, limit)
    this.recording = { tape, isHeard }
    return tape
  }
}

/** What a sender writes on an envelope. */
type Heading = Pick<
  LinkedEnvelope,
  'id' | 'class' | 'to' | 'toIncarnation' | 'cause' | 'sentAt' | 'subround' | 'due' | 'place'
>

class LocalEnvelope implements LinkedEnvelope {
  readonly arrival = 0
  readonly id: EnvelopeId
  readonly class: number
  readonly to: number
  readonly toIncarnation: number
  readonly cause: EnvelopeId | null
  readonly sentAt: Time
  readonly subround: number
  readonly due: Time
  readonly place: SequencePlace
  lost = 0
  /** The number of reports that steps had written before it. */
  readonly #reports: number
  /** Whether the step has written its report to the recording. */
  readonly #isWritten: boolean
  /** The slot whose list it is in, and its neighbours there. */
  slot: Slot | undefined = undefined
  before: LocalEnvelope | undefined = undefined
  after: LocalEnvelope | undefined = undefined
  readonly #mail: LocalMail
  readonly #message: Plain
  /** The size of the message; 0 for a report, which does not count. */
  readonly #words: number

  constructor(mail: LocalMail, heading: Heading, message: Plain, words: number, isWritten: boolean) {
    this.id = heading.id
    this.class = heading.class
    this.to = heading.to
    this.toIncarnation = heading.toIncarnation
    this.cause = heading.cause
    this.sentAt = heading.sentAt
    this.subround = heading.subround
    this.due = heading.due
    this.place = heading.place
    this.#mail = mail
    this.#message = message
    this.#words = words
    this.#reports = mail.recording?.tape.written ?? 0
    this.#isWritten = isWritten
    mail.add(words)
  }

  read(): Plain {
    return this.#message
  }

  readFirst(): Plain {
    return isPlainList(this.#message) ? (this.#message[0] ?? null) : this.#message
  }

  release(): void {
    if (this.lost === 0) this.#uncount()
    this.slot?.remove(this)
    this.#mail.remove(this.#words)
  }

  /** Takes back an envelope that was never linked. */
  discard(): void {
    this.#mail.remove(this.#words)
  }

  refuse(): void {
    this.lose(LOST_EARLIER_INCARNATION)
    this.#mail.slot(SYSTEM).add(this)
  }

  /** Takes it away from its recipient; `reason` is a LOST_* code. */
  lose(reason: number): void {
    this.#uncount()
    this.slot?.remove(this)
    this.lost = reason
  }

  #uncount(): void {
    if (this.to === SYSTEM) return
    const { i32, pending } = this.#mail.board
    i32[pending + this.to] = (i32[pending + this.to] ?? 0) - 1
  }

  addTo(tape: Tape): void {
    if (this.#isWritten) tape.readTo(this.#reports)
    else tape.addEnvelope(this, this.#reports)
  }
}

const isPlainList = (value: Plain): value is readonly Plain[] => Array.isArray(value)

class LocalEndpoint implements Endpoint {
  cause: EnvelopeId | null = null
  readonly #mail: LocalMail
  readonly #slot: number
  readonly #incarnation: number
  readonly #sequence: Sequence
  #now: Time = 0
  #subround = 0
  /** The envelopes since the last `publish`, each after the one before. */
  #first: LocalEnvelope | undefined
  #last: LocalEnvelope | undefined
  #count = 0
  #packed: Plain = null
  #words = 0
  /** Whether the packed copy has been handed out: whoever is next needs a copy of its own. */
  #isTaken = false
  /** The report of the step under way, if the system needs it whole. */
  #report: Plain[] | undefined
  /** Whether what is posted now is a report that the recording has already. */
  #isWritten = false
  /** The number of reports since the last `publish` that went to the recording alone. */
  #unposted = 0

  constructor(mail: LocalMail, slot: number, incarnation: number) {
    this.#mail = mail
    this.#slot = slot
    this.#incarnation = incarnation
    this.#sequence = new Sequence(slot, incarnation)
  }

  moveTo(now: Time, subround: number): void {
    this.#now = now
    this.#subround = subround
  }

  pack(message: Plain): void {
    const { copier } = this.#mail
    this.#packed = copier.copy(message)
    this.#words = BODY + copier.words
    this.#isTaken = false
  }

  #takePacked(): Plain {
    if (this.#isTaken) return this.#mail.copier.copy(this.#packed)
    this.#isTaken = true
    return this.#packed
  }

  nextId(): EnvelopeId {
    return this.#sequence.next(CLASS_MAIL)
  }

  post(to: number, kind: number, due: Time): EnvelopeId {
    const id = this.#sequence.next(kind)
    this.#send(to, kind, due, id, this.cause)
    return id
  }

  postNews(to: number, due: Time, name: EnvelopeId): void {
    this.#sequence.next(CLASS_NEWS) // so that later mail has the same numbers as in shared memory
    this.#send(to, CLASS_NEWS, due, name, name)
  }

  postCopy(to: number, kind: number, due: Time, { toIncarnation, seq, n = 0, base = 0 }: CopyHeader): void {
    const id = seq === undefined ? this.#sequence.next(kind) : this.#sequence.at(seq)
    this.#send(to, kind, due, id, null, toIncarnation, { n, base })
  }

  #send(
    to: number,
    kind: number,
    due: Time,
    id: EnvelopeId,
    cause: EnvelopeId | null,
    toIncarnation = this.#mail.incarnationOf(to),
    place = NO_PLACE,
  ): void {
    const sentAt = this.#now
    const subround = this.#subround
    const heading = { id, class: kind, to, toIncarnation, cause, sentAt, subround, due, place }
    const envelope = new LocalEnvelope(this.#mail, heading, this.#takePacked(), this.#words, this.#isWritten)
    if (this.#last) this.#last.after = envelope
    else this.#first = envelope
    this.#last = envelope
    this.#count++
  }

  beginReport(): void {
    const { recording } = this.#mail
    this.#report = !recording || recording.isHeard() ? [null] : undefined
    recording?.tape.beginReport()
  }

  addPacked(): void {
    this.#mail.recording?.tape.addToReport(this.#packed)
    this.#report?.push(this.#takePacked())
  }

  addToReport(item: Plain): void {
    this.#mail.recording?.tape.addToReport(item)
    this.#report?.push(item)
  }

  postReport(kind: number, first: Plain): void {
    const { recording } = this.#mail
    if (recording) {
      const { cause } = this
      recording.tape.endReport(first, { slot: this.#slot, incarnation: this.#incarnation, at: this.#now, cause })
    }
    const report = this.#report
    if (!report && kind === CLASS_TRACE) {
      this.#unposted++
      return
    }
    this.pack(first)
    if (report) {
      report[0] = this.#packed
      this.#packed = report
    }
    this.#isWritten = recording !== undefined
    this.postPacked(kind)
    this.#isWritten = false
  }

  postPacked(kind: number): void {
    this.#words = 0
    this.post(SYSTEM, kind, this.#now)
  }

  get savepoint(): number {
    return this.#count
  }

  rollback(savepoint: number): void {
    let last: LocalEnvelope | undefined
    let next = this.#first
    for (let i = 0; i < savepoint; i++) {
      last = next
      next = next?.after
    }
    for (; next; next = next.after) next.discard()
    if (last) last.after = undefined
    else this.#first = undefined
    this.#last = last
    this.#count = savepoint
  }

  publish(): void {
    if (this.#unposted > 0) {
      this.#mail.slot(this.#slot).unposted += this.#unposted
      this.#unposted = 0
    }
    if (!this.#first) return
    this.#mail.slot(this.#slot).published = this.#first
    this.#first = undefined
    this.#last = undefined
    this.#count = 0
  }

  collect(each: (envelope: LinkedEnvelope) => void): void {
    this.#mail.slot(this.#slot).collect(each)
  }
}
