/**
 * A reliable stream of notes from one node to another: each arrives once and in order, whatever the network loses. The sender
 * keeps notes until they are acknowledged. It retransmits those that were not acknowledged between two tallies, a limited
 * number of bytes at a time. A note longer than a message of the server is sent in parts.
 *
 * Reliable delivery between actors (lib/cell/reliable) retransmits, too, but by other rules: there each message has its own
 * timeouts and is given up after some attempts, and a receiver says which messages it holds. Here bytes are counted, the
 * receiver takes them in order only, and a stream that makes no progress ends its node. So they share no window.
 */
import type { NodeChannel } from './node-channel.ts'
import type { Frames, Note } from './protocol.ts'
import { StreamError } from './sequence.ts'

/** The most unacknowledged bytes for one node. */
const UNACKNOWLEDGED_MB = 256
/** The most bytes that are retransmitted at one tally. */
const RETRANSMIT_MB = 8
const MB = 1024 * 1024
/** The bytes of a message around a part of a note. */
const AROUND = 256
/** After this many tallies without a further acknowledged byte, the stream has failed. */
const STUCK_ACKNOWLEDGEMENTS = 10

export type StreamChannel = Pick<NodeChannel, 'packing' | 'limit' | 'publish'>

interface UnacknowledgedNote {
  readonly bytes: Uint8Array
  /** The offset of its first byte in the stream. */
  readonly start: number
}

export class ReliableStream {
  readonly #line: StreamChannel
  readonly #to: number
  #kept: UnacknowledgedNote[] = []
  #sent = 0
  /** The bytes that the receiver had at its last tally, and the bytes sent by then. */
  #acknowledged = 0
  #before = 0
  /** Consecutive tallies without progress of the receiver, although bytes were outstanding. */
  #stuck = 0
  #heard = 0
  /** The parts of the note that is being received. */
  readonly #parts: Uint8Array[] = []
  /** The total size of these parts in bytes. */
  #partial = 0

  constructor(line: StreamChannel, to: number) {
    this.#line = line
    this.#to = to
  }

  /** The number of bytes sent. */
  get sent(): number {
    return this.#sent
  }
  get heard(): number {
    return this.#heard
  }

  /** Sends a note. @throws Error that names the limit, if the receiver does not acknowledge */
  push(note: Note): void {
    const bytes = this.#line.packing.pack(note)
    const kept = { bytes, start: this.#sent }
    this.#sent += bytes.length
    if (this.#sent - this.#acknowledged > UNACKNOWLEDGED_MB * MB) {
      throw new Error(`more than ${UNACKNOWLEDGED_MB} MB for one node are unacknowledged`)
    }
    this.#kept.push(kept)
    this.#publish(kept, 0, this.#sent)
  }

  /** Sends the part of a note from byte `first` of the stream to before byte `last`. */
  #publish({ bytes, start }: UnacknowledgedNote, first: number, last: number): void {
    const { packing, limit } = this.#line
    const end = Math.min(bytes.length, last - start)
    for (let i = Math.max(0, first - start); i < end; ) {
      const part = bytes.subarray(i, Math.min(end, i + limit - AROUND))
      const at = start + i
      i += part.length
      this.#line.publish(this.#to, 'flow', packing.pack({ at, isLast: i === bytes.length, bytes: part }))
    }
  }

  /**
   * Takes a part, and returns the note that it completes.
   *
   * @throws StreamError if the bytes are no note, or too many for one
   */
  hear({ at, isLast, bytes }: Frames['flow']): Note | undefined {
    if (at !== this.#heard) return undefined
    this.#heard += bytes.length
    this.#parts.push(bytes)
    this.#partial += bytes.length
    if (this.#partial > UNACKNOWLEDGED_MB * MB) throw new StreamError(`a note of more than ${UNACKNOWLEDGED_MB} MB`)
    if (!isLast) return undefined
    this.#partial = 0
    const note = this.#line.packing.note(Buffer.concat(this.#parts.splice(0)))
    if (!note) throw new StreamError(`the note that ends at byte ${this.#heard} cannot be read`)
    return note
  }

  /**
   * Takes an acknowledgement of the receiver. Without progress since its last one, bytes sent before that are sent again.
   *
   * @throws StreamError if it acknowledges more than was sent, or if it made no progress for too long
   */
  tally(heard: number): void {
    if (heard > this.#sent) throw new StreamError(`${heard} bytes were heard, but only ${this.#sent} were sent`)
    if (heard < this.#acknowledged) return
    if (heard > this.#acknowledged || heard === this.#sent) this.#stuck = 0
    else if (++this.#stuck > STUCK_ACKNOWLEDGEMENTS) {
      throw new StreamError(`only ${heard} of ${this.#sent} bytes were heard, at ${this.#stuck} tallies in a row`)
    }
    if (heard === this.#acknowledged) this.#repeat()
    this.#kept = this.#kept.filter(({ bytes, start }) => start + bytes.length > heard)
    this.#acknowledged = heard
    this.#before = this.#sent
  }

  /** Retransmits from the first unacknowledged byte on, since the receiver waits for that. */
  #repeat(): void {
    const last = Math.min(this.#before, this.#acknowledged + RETRANSMIT_MB * MB)
    for (const kept of this.#kept) {
      if (kept.start >= last) return
      this.#publish(kept, this.#acknowledged, last)
    }
  }
}
