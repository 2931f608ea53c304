/** Follows a run for its live page: makes a new picture from time to time, with a small share of the main thread's time. */

import { Texts } from '../report/contents.ts'
import { LIMITS, type PageLimits, shownPrefix } from '../report/model.ts'
import { Beginning } from '../report/prefix.ts'
import { Reading } from '../report/reading.ts'
import type { ShownRun } from '../report/types.ts'
import type { PageReader } from '../scenario/page.ts'
import type { Line } from '../trace/lines.ts'

/** The limits of a live page: later events are only counted. */
export const LIVE_LIMITS: PageLimits = { ...LIMITS, events: 20_000, contents: 200_000, bars: 5_000 }
/** The least time between two pictures. */
const PAUSE_MS = 250
/** The least pause between two pictures, as a multiple of the time to make one. */
const REST = 9

export interface FollowerListener {
  /** Says whether there is a viewer. */
  readonly isWanted: () => boolean
  readonly onShown: (shown: ShownRun) => void
  /** Called instead from time to time, as long as nothing happens. */
  readonly onQuiet: () => void
  /** Called if the run cannot be shown; the run goes on. */
  readonly onFailure: (error: unknown) => void
}

export class Follower {
  readonly #beginning = new Beginning(LIVE_LIMITS.events)
  readonly #texts = new Texts()
  readonly #reading: Reading
  readonly #listener: FollowerListener
  #timer: NodeJS.Timeout | undefined
  #isNew = false
  #making: Promise<void> | undefined
  #isOver = false

  constructor(page: PageReader, listener: FollowerListener) {
    this.#reading = new Reading(page, LIVE_LIMITS)
    this.#listener = listener
  }

  add(line: Line): void {
    this.#reading.add(line)
    this.#beginning.add(line)
    this.#isNew = true
  }

  /** Makes pictures from time to time, as long as there are viewers. */
  start(): void {
    if (!this.#timer && !this.#isOver) this.#wait(0)
  }

  /** Makes the last picture, of the whole run. */
  async finish(): Promise<void> {
    this.stop()
    await this.#making
    if (this.#listener.isWanted()) await this.#make().catch(this.#listener.onFailure)
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#making = this.#turn().catch((error: unknown) => {
        this.stop()
        this.#listener.onFailure(error)
      })
    }, ms)
  }

  async #turn(): Promise<void> {
    const began = performance.now()
    if (this.#isNew) await this.#make()
    else this.#listener.onQuiet()
    this.#timer = undefined
    if (this.#listener.isWanted() && !this.#isOver) this.#wait(Math.max(PAUSE_MS, REST * (performance.now() - began)))
  }

  async #make(): Promise<void> {
    this.#isNew = false
    // lines go on coming while machines are loaded, so the present ones are taken here
    const { lines, events, shown, until, isCut } = this.#beginning
    const prefix = { lines: [...lines], events, shown, until, isCut }
    this.#listener.onShown(await shownPrefix(prefix, this.#reading, { name: '' }, LIVE_LIMITS, this.#texts))
  }
}
