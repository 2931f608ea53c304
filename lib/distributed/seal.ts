/**
 * Seals: a frame says who sent it and its number, and carries an HMAC over both, its subject and its body. A frame that was
 * changed, sent to another subject, made without the secret, or sent again does not open. No messages and no clock here.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from './secret.ts'

const TAG = 16
const NUMBER = 6
/** The number of bytes of a frame before the sender's name. */
const HEAD = TAG + NUMBER + 1
const NAME_MAX = 64
/** The most bytes that a seal adds to a body. */
export const SEAL_BYTES = HEAD + NAME_MAX

/** The most senders whose numbers are remembered; the least recently heard are forgotten. */
const SENDERS_MAX = 10_000

export interface Opened {
  readonly from: string
  readonly n: number
  readonly body: Uint8Array
}

export class Seal {
  readonly #key: Uint8Array
  readonly #self: string
  #last = 0
  /** The highest number of each sender so far; the most recently heard sender comes last. */
  readonly #heard = new Map<string, number>()

  /** `self` names the sender; no other holder of the secret, past or present, has the same name. */
  constructor(secret: Secret, purpose: string, self: string) {
    if (Buffer.byteLength(self) > NAME_MAX) throw new RangeError(`a name of more than ${NAME_MAX} bytes`)
    this.#key = secret.keyFor(purpose)
    this.#self = self
  }

  /** Seals a body; returns the frame and its number. */
  seal(subject: string, body: Uint8Array): { readonly frame: Uint8Array; readonly n: number } {
    const name = Buffer.from(this.#self)
    const frame = Buffer.allocUnsafe(HEAD + name.length + body.length)
    const n = ++this.#last
    frame.writeUIntBE(n, TAG, NUMBER)
    frame[HEAD - 1] = name.length
    frame.set(name, HEAD)
    frame.set(body, HEAD + name.length)
    this.#tag(subject, frame.subarray(TAG)).copy(frame, 0, 0, TAG)
    return { frame, n }
  }

  /** Opens a frame for the first time; undefined for any other. */
  open(subject: string, frame: Uint8Array): Opened | undefined {
    const opened = this.read(subject, frame)
    return opened && this.#isNew(opened) ? opened : undefined
  }

  /** Opens a frame even if it was opened before. This is for answers, since each request has a subject of its own. */
  read(subject: string, frame: Uint8Array): Opened | undefined {
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
    const end = HEAD + (bytes[HEAD - 1] ?? 0)
    if (bytes.length < end || end === HEAD) return undefined
    const tag = this.#tag(subject, bytes.subarray(TAG)).subarray(0, TAG)
    if (!timingSafeEqual(tag, bytes.subarray(0, TAG))) return undefined
    return { from: bytes.toString('utf8', HEAD, end), n: bytes.readUIntBE(TAG, NUMBER), body: bytes.subarray(end) }
  }

  #tag(subject: string, rest: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(`${subject}\n`).update(rest).digest()
  }

  /** A server delivers what one connection sends in the order of sending: a lower number was delivered before. */
  #isNew({ from, n }: Opened): boolean {
    const highest = this.#heard.get(from) ?? 0
    if (n <= highest) return false
    this.#heard.delete(from)
    this.#heard.set(from, n)
    if (this.#heard.size > SENDERS_MAX) for (const oldest of this.#heard.keys()) return this.#heard.delete(oldest)
    return true
  }
}
