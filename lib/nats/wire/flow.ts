/**
 * Notes from one node to another, each once and in order whatever the network loses: they are kept until they are
 * acknowledged, and sent again, a part at a time, when that takes longer than from one tally to the next. A note that is
 * longer than the server takes travels in parts.
 */
import type { Line } from './line.ts'
import { HeardAll, Sent } from './numbers.ts'
import type { Frames, Note } from './wire.ts'

/** Most bytes that are kept for one node. */
const KEPT_MB = 256
/** Most bytes that are sent again at one tally. */
const AGAIN_MB = 8
/** Of a message beside a part of a note. */
const AROUND = 256

export type FlowLine = Pick<Line, 'packing' | 'self' | 'limit' | 'publish'>

export class Flow {
  readonly #line: FlowLine
  readonly #to: number
  readonly #sent = new Sent<Uint8Array>()
  readonly #heard = new HeardAll()
  readonly #parts: Uint8Array[] = []
  #kept = 0
  /** What the last tally of the other said that it had heard, and how much was sent before it. */
  #told = 0
  #before = 0

  constructor(line: FlowLine, to: number) {
    this.#line = line
    this.#to = to
  }

  /** How much was sent, and heard. */
  get sent(): number {
    return this.#sent.last
  }
  get heard(): number {
    return this.#heard.last
  }

  /** @throws Error that names the limit, if the other does not acknowledge */
  push(note: Note): void {
    const { packing, self: from, limit } = this.#line
    const most = limit - AROUND
    const bytes = packing.pack(note)
    let at = 0
    do {
      const part = bytes.subarray(at, at + most)
      at += most
      const frame = packing.pack({ from, n: this.#sent.last + 1, isLast: at >= bytes.length, bytes: part })
      this.#kept += frame.length
      if (this.#kept > KEPT_MB * 1024 * 1024) throw new Error(`more than ${KEPT_MB} MB for one node are unacknowledged`)
      this.#sent.push(frame)
      this.#publish(frame)
    } while (at < bytes.length)
  }

  #publish(frame: Uint8Array): void {
    this.#line.publish(this.#to, 'flow', frame)
  }

  /** The note that this completes. */
  hear({ n, isLast, bytes }: Frames['flow']): Note | undefined {
    if (!this.#heard.hear(n)) return undefined
    this.#parts.push(bytes)
    return isLast ? this.#line.packing.note(Buffer.concat(this.#parts.splice(0))) : undefined
  }

  /** The other has heard so much: if that was no more at its last tally, what was sent before that is sent again. */
  tally(heard: number): void {
    for (const frame of this.#sent.acknowledge(heard)) this.#kept -= frame.length
    if (heard === this.#told) this.#repeat(this.#before)
    this.#told = heard
    this.#before = this.#sent.last
  }

  /** What is not acknowledged of the first `n`, from the first on, which is what the other waits for. */
  #repeat(n: number): void {
    let bytes = 0
    for (const [at, frame] of this.#sent.unacknowledged()) {
      bytes += frame.length
      if (at > n || (bytes > AGAIN_MB * 1024 * 1024 && bytes > frame.length)) return
      this.#publish(frame)
    }
  }
}
