/** A run while it goes on, as a page shows it: anew every so often, in a small part of main's time. */

import { LIMITS, type Limits, shownPrefix } from '../report/model.ts'
import { Beginning } from '../report/prefix.ts'
import { Texts } from '../report/texts.ts'
import type { Timeline } from '../report/timeline.ts'
import type { ShownRun } from '../report/types.ts'
import type { Line } from '../trace/lines.ts'

/** A run is shown from its beginning to so many events; what comes then is counted. */
export const LIVE_LIMITS: Limits = { ...LIMITS, events: 20_000, contents: 200_000, bars: 5_000 }
/** At least so long from one picture to the next. */
const PAUSE_MS = 250
/** And so many times as long as one takes to make: a tenth of the time is left for it. */
const REST = 9

export interface Audience {
  /** Does anybody look on? */
  readonly isWanted: () => boolean
  readonly onShown: (shown: ShownRun) => void
  /** It cannot be shown, which is no reason for a run to end. */
  readonly onFailure: (error: unknown) => void
}

export class Follower {
  readonly #beginning = new Beginning(LIVE_LIMITS.events)
  readonly #texts = new Texts()
  readonly #timeline: (() => Timeline) | undefined
  readonly #audience: Audience
  #timer: NodeJS.Timeout | undefined
  #isNew = false
  #making: Promise<void> | undefined
  #isOver = false

  constructor(timeline: (() => Timeline) | undefined, audience: Audience) {
    this.#timeline = timeline
    this.#audience = audience
  }

  add(line: Line): void {
    this.#beginning.add(line)
    this.#isNew = true
  }

  /** Has the run told of from time to time, as long as anybody looks on. */
  start(): void {
    if (!this.#timer && !this.#isOver) this.#wait(0)
  }

  /** The whole of it once more, and then no more. */
  async finish(): Promise<void> {
    this.stop()
    await this.#making
    if (this.#audience.isWanted()) await this.#make().catch(this.#audience.onFailure)
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#making = this.#turn().catch((error: unknown) => {
        this.stop()
        this.#audience.onFailure(error)
      })
    }, ms)
  }

  async #turn(): Promise<void> {
    const began = performance.now()
    if (this.#isNew) await this.#make()
    this.#timer = undefined
    if (this.#audience.isWanted() && !this.#isOver) this.#wait(Math.max(PAUSE_MS, REST * (performance.now() - began)))
  }

  async #make(): Promise<void> {
    this.#isNew = false
    // the lines go on while machines are loaded: this is about those of now
    const { lines, events, shown, until, isCut } = this.#beginning
    const prefix = { lines: [...lines], events, shown, until, isCut }
    this.#audience.onShown(await shownPrefix(prefix, { name: '', timeline: this.#timeline }, LIVE_LIMITS, this.#texts))
  }
}
