/** Writes a trace to a file as it comes, up to a limit; hashes what it writes. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { later } from '../core/waiting.ts'
import type { Line } from './lines.ts'

const CHUNK_BYTES = 1 << 16
/** The longest time that lines wait to be written, so that a killed process leaves most of its trace. */
const WAIT_MS = 1000

export class TraceWriter {
  readonly #file: number | undefined
  readonly #limit: number
  readonly #hash = createHash('sha256')
  #buffer: string[] = []
  #buffered = 0
  #bytes = 0
  #full = false
  #cancel: (() => void) | undefined
  /** The error of a write that no caller awaited. */
  #failure: unknown

  /** Makes the writer of a trace of at most `limit` bytes. Without a path the trace is only hashed. */
  constructor(path: string | undefined, limit: number) {
    this.#file = path === undefined ? undefined : openSync(path, 'w')
    this.#limit = limit
  }

  write(line: Line): void {
    if (this.#full) return
    const text = `${JSON.stringify(line)}\n`
    const bytes = Buffer.byteLength(text)
    if (this.#bytes + bytes > this.#limit) {
      this.#full = true
      this.#put(`${JSON.stringify({ t: 'truncated', limit: this.#limit, option: 'traceBytes' })}\n`)
      return
    }
    this.#bytes += bytes
    this.#put(text)
  }

  #put(text: string): void {
    this.#buffer.push(text)
    this.#buffered += text.length
    if (this.#buffered >= CHUNK_BYTES) this.#flush()
    else if (this.#file !== undefined) this.#cancel ??= later(WAIT_MS, () => this.#flushLate())
  }

  #flushLate(): void {
    try {
      this.#flush()
    } catch (error) {
      this.#failure = error
    }
  }

  #flush(): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#cancel?.()
    this.#cancel = undefined
    const chunk = this.#buffer.join('')
    this.#buffer = []
    this.#buffered = 0
    this.#hash.update(chunk)
    if (this.#file !== undefined) writeFileSync(this.#file, chunk)
  }

  /** Ends the trace; the SHA-256 of everything written, in hex. */
  close(): string {
    this.#flush()
    if (this.#file !== undefined) closeSync(this.#file)
    return this.#hash.digest('hex')
  }
}
