/** A client of a live server that can send any headers. */
import { type IncomingMessage, request } from 'node:http'
import type { Plain } from '../../lib/core/data.ts'
import { changed } from '../../lib/report/delta.ts'
import type { LiveMessage, LiveStatus } from '../../lib/report/live-messages.ts'

export interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function open(url: string, { method = 'GET', path = '', headers = {}, body }: Asked): Promise<IncomingMessage> {
  const { hostname, port, pathname } = new URL(url)
  const to = path.startsWith('/') ? path : `${pathname}${path}`
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path: to, method, headers, agent: false }, resolve)
    asking.on('error', reject)
    asking.end(body)
  })
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export async function ask(url: string, asked: Asked = {}): Promise<Answer> {
  const response = await open(url, asked)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}

const JSON_TYPE = { 'content-type': 'application/json' }

export const askFault = (url: string, fault: Plain, asked: Asked = {}): Promise<Answer> =>
  ask(url, {
    method: 'POST',
    path: 'faults',
    body: JSON.stringify(fault),
    ...asked,
    headers: { ...JSON_TYPE, ...asked.headers },
  })

/** A viewer that holds the same data as a live page. */
export class Viewer {
  readonly messages: LiveMessage[] = []
  readonly #response: IncomingMessage
  run: Plain = null
  status: LiveStatus | undefined
  #wake: () => void = () => {}
  isOver = false

  private constructor(response: IncomingMessage) {
    this.#response = response
    let rest = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) this.#take(JSON.parse(part.replace(/^data: /, '')))
      this.#wake()
    })
    response.on('close', () => {
      this.isOver = true
      this.#wake()
    })
  }

  static async at(url: string): Promise<Viewer> {
    return new Viewer(await open(url, { path: 'events' }))
  }

  #take(message: LiveMessage): void {
    this.messages.push(message)
    if (message.type === 'end' || message.type === 'gone') return
    this.status = message.status
    this.run =
      message.type === 'whole' ? JSON.parse(JSON.stringify(message.run)) : changed(this.run, message.delta ?? undefined)
  }

  /** The addresses of the dead. */
  get dead(): readonly string[] {
    return (this.status?.actors ?? []).filter(({ life }) => life === 'dead').map(({ address }) => address)
  }

  /** Waits until the messages so far satisfy a condition. */
  async until(holds: (viewer: Viewer) => boolean): Promise<void> {
    while (!holds(this)) {
      if (this.isOver) throw new Error('the connection ended before the condition held')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  leave(): void {
    this.#response.destroy()
  }
}
