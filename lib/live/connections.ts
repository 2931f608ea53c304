/**
 * The connections of a live page's server. Each carries one request, and counts as silent until the request has come. If
 * there are too many silent connections, the oldest is closed, so they cannot lock out a user with the key.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Refused, SAFE } from './answers.ts'

const SILENT_MAX = 32
const REQUESTS_MAX = 32

export class Connections {
  /** The silent connections, the oldest first. */
  readonly #silent = new Set<Duplex>()
  /** Requests with the key that are being answered, without those of viewers. */
  readonly #asking = new Set<ServerResponse>()

  add(socket: Duplex): void {
    this.#silent.add(socket)
    socket.once('close', () => this.#silent.delete(socket))
    const [oldest] = this.#silent
    if (this.#silent.size <= SILENT_MAX || !oldest) return
    this.#silent.delete(oldest)
    refuseConnection(oldest, new Refused(503, `at most ${SILENT_MAX} connections may be silent at once`))
  }

  /** Whether this is the first request of its connection. */
  hear(socket: Duplex): boolean {
    return this.#silent.delete(socket)
  }

  /**
   * Counts a request with the key, until its connection is closed or `release` is called.
   *
   * @throws Refused
   */
  admit(response: ServerResponse): void {
    if (this.#asking.size >= REQUESTS_MAX) {
      throw new Refused(503, `at most ${REQUESTS_MAX} requests may be answered at once`)
    }
    this.#asking.add(response)
    response.once('close', () => this.release(response))
  }

  release(response: ServerResponse): void {
    this.#asking.delete(response)
  }
}

/** Closes a connection with the reason, unless something was sent on it before. */
export function refuseConnection(socket: Duplex, { status, message }: Refused): void {
  if (!(socket instanceof Socket) || !socket.writable || socket.bytesWritten > 0) return void socket.destroy()
  const text = JSON.stringify({ error: message })
  const headers = { ...SAFE, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () => socket.destroy())
}
