/**
 * The server of a live page: on this machine only, for who knows its key, and for nobody whom a browser sends from
 * elsewhere. The key in the address is what a page of another origin, or another user of the machine, does not have;
 * Host and Origin are held to ours too, against names that are made to point here.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Plain } from '../core/data.ts'
import { Refused, SAFE } from './answers.ts'
import { Connections, refuseConnection } from './connections.ts'
import { Viewers } from './viewers.ts'

/** Bytes that may be asked with. */
export const BODY_MAX = 1000
/** Bytes of the headers of a request. */
const HEAD_MAX = 8192
/** How long a request may take to arrive, and its page may go unread. */
const PATIENCE_MS = 5000

export interface Pages {
  /** The page, and the policy that goes with it. */
  page(): Promise<{ readonly html: string; readonly policy: string }>
  /** A new viewer. */
  onViewer(): void
  /** Does what is asked, and says what was done. @throws Refused */
  ask(asked: Plain): Promise<string>
}

export class LiveServer {
  readonly viewers = new Viewers()
  /** Not to be guessed, and no part of the run: this is no chance of the model. */
  readonly #key = randomBytes(18).toString('base64url')
  readonly #pages: Pages
  readonly #patienceMs: number
  readonly #server: Server
  readonly #connections = new Connections()

  constructor(pages: Pages, patienceMs = PATIENCE_MS) {
    this.#pages = pages
    this.#patienceMs = patienceMs
    const limits = {
      maxHeaderSize: HEAD_MAX,
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      // how often Node looks for what is too late: by itself every half minute
      connectionsCheckingInterval: patienceMs / 5,
    }
    this.#server = createServer(limits, (request, response) => {
      this.#handle(request, response).catch((error: unknown) => refuse(request, response, error))
    })
    this.#server.on('connection', (socket) => this.#connections.add(socket))
    this.#server.on('clientError', (error, socket) => refuseConnection(socket, this.#refusalOf(error)))
  }

  /** Resolves with the address of the page. */
  open(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${this.#port}/${this.#key}/`))
    })
  }

  /** Ends all that is open; what was written before is sent first. Idempotent. */
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
    if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return new Refused(400, 'expected a request of HTTP/1.1')
    return new Refused(408, `a request must arrive within ${this.#patienceMs / 1000} s`)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // requests sent at once would wait for each other, and hold what they ask for meanwhile
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
    if (what !== 'POST faults') throw new Refused(404, 'there is GET /, GET /events and POST /faults')
    if (headers['content-type'] !== 'application/json') throw new Refused(415, 'faults are application/json')
    const done = await this.#pages.ask(parsed(await bodyOf(request)))
    response.writeHead(200, { ...SAFE, 'content-type': 'application/json' }).end(JSON.stringify({ done }))
  }

  async #page(response: ServerResponse): Promise<void> {
    const { html, policy } = await this.#pages.page()
    response.setTimeout(this.#patienceMs, () => response.destroy())
    const framing = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    response.writeHead(200, {
      ...SAFE,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${policy}; ${framing}`,
    })
    response.end(html)
  }
}

/** Takes as long whatever they have in common, so that a key cannot be guessed bit by bit. */
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

/** What is left of the request is not read. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const { status, message } = error instanceof Refused ? error : new Refused(500, String(error))
  if (response.headersSent || response.destroyed) return void response.destroy()
  response.writeHead(status, { ...SAFE, 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: message }), () => request.destroy())
}
