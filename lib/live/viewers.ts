/** The viewers of a live page: each gets every change, or the whole run again if it was too slow to read them. */
import type { ServerResponse } from 'node:http'
import type { LiveMessage } from '../report/live-messages.ts'
import { Refused, SAFE } from './answers.ts'

const VIEWERS_MAX = 8
/** A page that reads nothing for this time gives way to a new one. */
const STALLED_MS = 5000
/** The most time for the last message to be sent. */
const LEAVE_MS = 500

interface Viewer {
  readonly response: ServerResponse
  /** Whether it was sent every message so far. */
  isEven: boolean
  /** The time since which messages are unread; undefined if it has read all. */
  fullSince: number | undefined
}

export class Viewers {
  readonly #all = new Set<Viewer>()
  readonly #clock: () => number

  /** `clock` returns the time in milliseconds. */
  constructor(clock = () => performance.now()) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  /**
   * Adds a viewer, whose page gets all later messages through this response.
   *
   * @throws Refused if there are too many viewers
   */
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
      // a slow viewer is left out, and gets the whole run once it has read the rest
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

/** Makes a value at the first call, and returns the same value at later calls. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A server-sent event; JSON has no line ends. */
const textOf = (message: LiveMessage): string => `data: ${JSON.stringify(message)}\n\n`
