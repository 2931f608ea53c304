/**
 * Notes from one node to another, each once and in order whatever the network loses: one stream of bytes. They are kept
 * until they are acknowledged, and sent again, some at a time, when that takes longer than from one tally to the next; in
 * parts, where they are longer than the server takes at that time.
 */
import type { Line } from './line.ts'
import type { Frames, Note } from './wire.ts'

/** Most bytes that are kept for one node. */
const KEPT_MB = 256
/** Most bytes that are sent again at one tally. */
const AGAIN_MB = 8
const MB = 1024 * 1024
/** Of a message beside a part of a note, in bytes. */
const AROUND = 256

export type FlowLine = Pick<Line, 'packing' | 'self' | 'limit' | 'publish'>

interface Kept {
  readonly bytes: Uint8Array
  /** Bytes of the stream up to its first. */
  readonly start: number
}

export class Flow {
  readonly #line: FlowLine
  readonly #to: number
  #kept: Kept[] = []
  #sent = 0
  /** At the last tally of the other: bytes that it had heard, and bytes that had been sent. */
  #acknowledged = 0
  #before = 0
  #heard = 0
  /** Of the note that is being heard. */
  readonly #parts: Uint8Array[] = []

  constructor(line: FlowLine, to: number) {
    this.#line = line
    this.#to = to
  }

  /** Bytes sent, and heard. */
  get sent(): number {
    return this.#sent
  }
  get heard(): number {
    return this.#heard
  }

  /** @throws Error that names the limit, if the other does not acknowledge */
  push(note: Note): void {
    const bytes = this.#line.packing.pack(note)
    const kept = { bytes, start: this.#sent }
    this.#sent += bytes.length
    if (this.#sent - this.#acknowledged > KEPT_MB * MB) {
      throw new Error(`more than ${KEPT_MB} MB for one node are unacknowledged`)
    }
    this.#kept.push(kept)
    this.#publish(kept, 0, this.#sent)
  }

  /** What of a note is from byte `first` of the stream on, and before byte `last`. */
  #publish({ bytes, start }: Kept, first: number, last: number): void {
    const { packing, self: from, limit } = this.#line
    const end = Math.min(bytes.length, last - start)
    for (let i = Math.max(0, first - start); i < end; ) {
      const part = bytes.subarray(i, Math.min(end, i + limit - AROUND))
      const at = start + i
      i += part.length
      this.#line.publish(this.#to, 'flow', packing.pack({ from, at, isLast: i === bytes.length, bytes: part }))
    }
  }

  /** The note that this completes. */
  hear({ at, isLast, bytes }: Frames['flow']): Note | undefined {
    if (at !== this.#heard) return undefined
    this.#heard += bytes.length
    this.#parts.push(bytes)
    return isLast ? this.#line.packing.note(Buffer.concat(this.#parts.splice(0))) : undefined
  }

  /** The other has heard so much: if that was no more at its last tally, what was sent before that is sent again. */
  tally(heard: number): void {
    if (heard < this.#acknowledged || heard > this.#sent) return
    if (heard === this.#acknowledged) this.#repeat()
    this.#kept = this.#kept.filter(({ bytes, start }) => start + bytes.length > heard)
    this.#acknowledged = heard
    this.#before = this.#sent
  }

  /** From the first on that is not acknowledged, which is what the other waits for. */
  #repeat(): void {
    const last = Math.min(this.#before, this.#acknowledged + AGAIN_MB * MB)
    for (const kept of this.#kept) {
      if (kept.start >= last) return
      this.#publish(kept, this.#acknowledged, last)
    }
  }
}
