/**
 * The server of a live page. It listens on this machine only, and every request needs the key in the address, which pages of
 * another origin and other users of the machine do not have. Host and Origin must be the server's own, against DNS
 * rebinding.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Plain } from '../core/data.ts'
import { OPENMETRICS_TYPE } from '../system/metrics.ts'
import { Refused, SAFE } from './answers.ts'
import { Connections, refuseConnection } from './connections.ts'
import { Viewers } from './viewers.ts'

/** The most bytes of a request's body. */
export const BODY_MAX = 1000
/** The most bytes of a request's headers. */
const HEAD_MAX = 8192
/** The most time for a request to arrive, and for a page to be read. */
const PATIENCE_MS = 5000

export interface Pages {
  /** The page and its content security policy. */
  page(): Promise<{ readonly html: string; readonly policy: string }>
  /** The report of the run so far, as a page of its own, and the name of its file. @throws Refused */
  report(): Promise<{ readonly html: string; readonly policy: string; readonly name: string }>
  /** Called when there is a new viewer. */
  onViewer(): void
  /** The numbers of the actors as OpenMetrics text. @throws Refused */
  metrics(): string
  /** Carries out a request and says what was done. @throws Refused */
  ask(asked: Plain): Promise<string>
}

export class LiveServer {
  readonly viewers = new Viewers()
  /** The key. It must not be predictable, so it does not come from the run's seed. */
  readonly #key = randomBytes(18).toString('base64url')
  readonly #pages: Pages
  readonly #patienceMs: number
  readonly #server: Server
  readonly #connections = new Connections()
  /** Whether a report is being made. */
  #isSaving = false

  constructor(pages: Pages, patienceMs = PATIENCE_MS) {
    this.#pages = pages
    this.#patienceMs = patienceMs
    const limits = {
      maxHeaderSize: HEAD_MAX,
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      // Node checks for timeouts at this interval; its default is half a minute
      connectionsCheckingInterval: patienceMs / 5,
    }
    this.#server = createServer(limits, (request, response) => {
      this.#handle(request, response).catch((error: unknown) => refuse(request, response, error))
    })
    this.#server.on('connection', (socket) => this.#connections.add(socket))
    this.#server.on('clientError', (error, socket) => refuseConnection(socket, this.#refusalOf(error)))
  }

  /** Begins to listen; resolves with the address of the page. */
  open(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${this.#port}/${this.#key}/`))
    })
  }

  /** Closes all connections after sending what was written before. Idempotent. */
  async close(): Promise<void> {
    await this.viewers.close()
    if (!this.#server.listening) return
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  get #port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  #refusalOf({ code }: NodeJS.ErrnoException): Refused {
    if (code === 'HPE_HEADER_OVERFLOW') return new Refused(431, `at most ${HEAD_MAX} bytes of headers may be sent`)
    if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return new Refused(400, 'the request must be HTTP/1.1')
    return new Refused(408, `a request must arrive within ${this.#patienceMs / 1000} s`)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // pipelined requests would wait for each other, and hold resources meanwhile
    if (!this.#connections.hear(request.socket)) return void request.destroy()
    const { method, headers, url = '' } = request
    // not `localhost`: a browser may first try ::1 for it, where another user can listen
    const here = `127.0.0.1:${this.#port}`
    const { host, origin } = headers
    if (host !== here) throw new Refused(403, `Host is ${here} here`)
    if (origin !== undefined && origin !== `http://${here}`) throw new Refused(403, `Origin is http://${here} here`)
    const root = `/${this.#key}/`
    if (!isSame(url.slice(0, root.length), root)) throw new Refused(403, 'the address has not the key of this run')
    this.#connections.admit(response)
    const what = `${method} ${url.slice(root.length)}`
    if (what === 'GET ') return this.#page(response)
    if (what === 'GET events') {
      this.viewers.add(response)
      this.#connections.release(response)
      return this.#pages.onViewer()
    }
    if (what === 'GET report') return this.#report(response)
    if (what === 'GET metrics') {
      const text = this.#pages.metrics()
      return void response.writeHead(200, { ...SAFE, 'content-type': OPENMETRICS_TYPE }).end(text)
    }
    if (what !== 'POST faults')
      throw new Refused(404, 'there is GET /, GET /events, GET /report, GET /metrics and POST /faults')
    if (headers['content-type'] !== 'application/json') throw new Refused(415, 'faults are application/json')
    const done = await this.#pages.ask(parsed(await bodyOf(request)))
    response.writeHead(200, { ...SAFE, 'content-type': 'application/json' }).end(JSON.stringify({ done }))
  }

  async #page(response: ServerResponse): Promise<void> {
    this.#send(response, await this.#pages.page())
  }

  async #report(response: ServerResponse): Promise<void> {
    // one at a time: it may have several megabytes
    if (this.#isSaving) throw new Refused(429, 'one page is saved at a time: try again')
    this.#isSaving = true
    try {
      const report = await this.#pages.report()
      this.#send(response, report, { 'content-disposition': `attachment; filename="${report.name}"` })
    } finally {
      this.#isSaving = false
    }
  }

  #send(
    response: ServerResponse,
    { html, policy }: { readonly html: string; readonly policy: string },
    more: { readonly [name: string]: string } = {},
  ): void {
    response.setTimeout(this.#patienceMs, () => response.destroy())
    const framing = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    response.writeHead(200, {
      ...SAFE,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${policy}; ${framing}`,
      ...more,
    })
    response.end(html)
  }
}

/** Compares two texts in constant time, so that a key cannot be guessed bit by bit. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other))
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_MAX) throw new Refused(413, `at most ${BODY_MAX} bytes may be asked with`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(body: string): Plain {
  try {
    return JSON.parse(body)
  } catch {
    throw new Refused(400, 'expected JSON')
  }
}

/** Refuses a request without reading the rest of it. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const { status, message } = error instanceof Refused ? error : new Refused(500, String(error))
  if (response.headersSent || response.destroyed) return void response.destroy()
  response.writeHead(status, { ...SAFE, 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: message }), () => request.destroy())
}
