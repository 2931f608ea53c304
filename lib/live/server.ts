/**
 * The server of a live page: on this machine only, for who knows its key, and for nobody whom a browser sends from
 * elsewhere. The key in the address is what a page of another origin, or another user of the machine, does not have;
 * Host and Origin are held to ours too, against names that are made to point here.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Plain } from '../plain.ts'
import { Refused, SAFE } from './answers.ts'
import { Viewers } from './viewers.ts'

/** Bytes that may be asked with. */
export const BODY_MAX = 1000
const CONNECTIONS_MAX = 32
const RECEIVING_MS = 5000

export interface Pages {
  /** The page, and the policy that goes with it. */
  page(): Promise<{ readonly html: string; readonly policy: string }>
  /** Somebody looks on from now on. */
  onViewer(): void
  /** Does what is asked, and says what was done. @throws Refused */
  ask(asked: Plain): Promise<string>
}

export class LiveServer {
  readonly viewers = new Viewers()
  /** Not to be guessed, and no part of the run: this is no chance of the model. */
  readonly #key = randomBytes(18).toString('base64url')
  readonly #pages: Pages
  readonly #server: Server

  constructor(pages: Pages) {
    this.#pages = pages
    const limits = { requestTimeout: RECEIVING_MS, headersTimeout: RECEIVING_MS, maxHeaderSize: 8192 }
    this.#server = createServer(limits, (request, response) => {
      this.#handle(request, response).catch((error: unknown) => refuse(request, response, error))
    })
    this.#server.maxConnections = CONNECTIONS_MAX
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

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers, url = '' } = request
    const hosts = [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`]
    const { host = '', origin } = headers
    if (!hosts.includes(host)) throw new Refused(403, `Host is ${hosts.join(' or ')} here`)
    if (origin !== undefined && origin !== `http://${host}`) throw new Refused(403, `Origin is http://${host} here`)
    if (!url.startsWith(`/${this.#key}/`)) throw new Refused(403, 'the address has not the key of this run')
    const what = `${method} ${url.slice(this.#key.length + 2)}`
    if (what === 'GET ') return this.#page(response)
    if (what === 'GET events') {
      this.viewers.add(response)
      return this.#pages.onViewer()
    }
    if (what !== 'POST faults') throw new Refused(404, 'there is GET /, GET /events and POST /faults')
    if (headers['content-type'] !== 'application/json') throw new Refused(415, 'faults are application/json')
    const done = await this.#pages.ask(parsed(await bodyOf(request)))
    response.writeHead(200, { ...SAFE, 'content-type': 'application/json' }).end(JSON.stringify({ done }))
  }

  async #page(response: ServerResponse): Promise<void> {
    const { html, policy } = await this.#pages.page()
    const framing = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    response.writeHead(200, {
      ...{ ...SAFE, 'content-type': 'text/html; charset=utf-8' },
      'content-security-policy': `${policy}; ${framing}`,
    })
    response.end(html)
  }
}

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
  response.writeHead(status, { ...SAFE, 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ error: message }), () => request.destroy())
}
