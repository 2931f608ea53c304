/** Who looks on: each is told everything, or all anew once it has read what it was told before. */
import type { ServerResponse } from 'node:http'
import type { LiveMessage } from '../report/live-messages.ts'
import { Refused, SAFE } from './answers.ts'

const VIEWERS_MAX = 8
/** A page that has not read for so long gives way to a new one. */
const STALLED_MS = 5000
/** What is written last is given so long to leave. */
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

  /** Tells `more` to whom has all before it, and to the others `whole`. */
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

  /** And then nothing more; who is behind is told `whole` before. */
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
