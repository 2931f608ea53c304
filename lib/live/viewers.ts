/** The viewers of a live page: each gets every change, or the whole run again if it was too slow to read them. */
import type { ServerResponse } from 'node:http'
import type { LiveMessage } from '../report/live-messages.ts'
import { Refused, SAFE } from './answers.ts'

const VIEWERS_MAX = 8
/** The time after which a page that reads nothing gives way to a new one. */
const STALLED_MS = 5000
/** The time that the last message has to leave. */
const LEAVE_MS = 500

interface Viewer {
  readonly response: ServerResponse
  /** Has it all that was told so far? */
  isEven: boolean
  /** When it was told more than it has read since; undefined: it has read all. */
  fullSince: number | undefined
}

export class Viewers {
  readonly #all = new Set<Viewer>()
  readonly #clock: () => number

  /** The clock is in milliseconds. */
  constructor(clock = () => performance.now()) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  /** @throws Refused */
  add(response: ServerResponse): void {
    if (this.#all.size >= VIEWERS_MAX) this.#dropStalled()
    if (this.#all.size >= VIEWERS_MAX) throw new Refused(503, `at most ${VIEWERS_MAX} pages may look on at once`)
    const viewer: Viewer = { response, isEven: false, fullSince: undefined }
    this.#all.add(viewer)
    response.on('close', () => this.#all.delete(viewer))
    response.on('drain', () => {
      viewer.fullSince = undefined
    })
    response.writeHead(200, { ...SAFE, 'content-type': 'text/event-stream' })
    response.flushHeaders()
  }

  /** Sends `more` to viewers that have all before it, and `whole` to the others. */
  tell(more: LiveMessage | undefined, whole: () => LiveMessage): void {
    const wholeText = once(() => textOf(whole()))
    const moreText = more && once(() => textOf(more))
    for (const viewer of this.#all) {
      // a slow one is left out, and told all of it when it comes back
      if (viewer.fullSince !== undefined) viewer.isEven = false
      else this.#write(viewer, viewer.isEven && moreText ? moreText() : wholeText())
    }
  }

  #write(viewer: Viewer, text: string): void {
    viewer.isEven = true
    if (!viewer.response.write(text)) viewer.fullSince = this.#clock()
  }

  #dropStalled(): void {
    const now = this.#clock()
    for (const viewer of this.#all) {
      if (now - (viewer.fullSince ?? now) <= STALLED_MS) continue
      this.#all.delete(viewer)
      viewer.response.destroy()
    }
  }

  /** Sends the last message; viewers that are behind get `whole` first. */
  end(message: LiveMessage, whole: () => LiveMessage | undefined): void {
    const text = textOf(message)
    for (const { response, isEven } of this.#all) {
      const before = isEven ? undefined : whole()
      response.end(before ? textOf(before) + text : text)
    }
  }

  async close(): Promise<void> {
    const gone = [...this.#all].map(
      ({ response }) =>
        new Promise<void>((resolve) => {
          if (response.writableFinished || response.destroyed) return resolve()
          response.once('finish', resolve).once('close', resolve)
          response.end(response.writableEnded ? undefined : textOf({ type: 'gone' }))
        }),
    )
    const late = new Promise<void>((resolve) => setTimeout(resolve, LEAVE_MS).unref())
    await Promise.race([Promise.all(gone), late])
    for (const { response } of this.#all) response.destroy()
  }
}

/** Made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** JSON has no line ends. */
const textOf = (message: LiveMessage): string => `data: ${JSON.stringify(message)}\n\n`
