/** Follows a run for its live page: makes a new picture from time to time, with a small share of the main thread's time. */

import type { Address } from '../core/address.ts'
import type { Time } from '../core/time.ts'
import { coloredTypes } from '../report/colored-types.ts'
import { Texts } from '../report/contents.ts'
import type { ShownSentence } from '../report/links.ts'
import { LIMITS, type PageLimits, shownPrefix } from '../report/model.ts'
import { shownPictures } from '../report/pictures.ts'
import { Reading } from '../report/reading.ts'
import type { ShownPicture, ShownRun } from '../report/types.ts'
import { Window } from '../report/window.ts'
import type { PageReader, Sentence } from '../scenario/page.ts'
import type { Line } from '../trace/lines.ts'

/** The default number of the last events on a live page. */
export const LIVE_EVENTS = 5_000
/** The limits of a live page. */
const LIVE_LIMITS: PageLimits = { ...LIMITS, contents: 700_000, bars: 3_000, isRecent: true }
/** The least time between two pictures. */
const PAUSE_MS = 250
/** The least pause between two pictures, as a multiple of the time to make one. */
const REST = 9
/** The least time between two drawings of the protocol's pictures, and the least pause as a multiple of the time to draw them. */
const DRAWN_MS = 1_000
const DRAWN_REST = 30

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
  readonly #window: Window
  readonly #texts = new Texts()
  readonly #reading: Reading
  readonly #listener: FollowerListener
  #timer: NodeJS.Timeout | undefined
  #isNew = false
  #colored: readonly number[] = []
  #drawn: { readonly pictures: readonly ShownPicture[]; readonly next: number } = { pictures: [], next: 0 }
  #making: Promise<void> | undefined
  #isOver = false

  /** `events` is the number of the last events that are shown. */
  constructor(page: PageReader, listener: FollowerListener, events = LIVE_EVENTS) {
    this.#window = new Window(events)
    this.#reading = new Reading(page, LIVE_LIMITS, false)
    this.#listener = listener
  }

  add(line: Line): void {
    this.#reading.add(line)
    this.#window.add(line)
    this.#isNew = true
  }

  /** A sentence, in which the names of the last picture are links. */
  linked(sentence: Sentence): ShownSentence {
    return this.#reading.linked(sentence)
  }

  /** What an actor is at work on; '' if that is not known. */
  doing(who: Address): string {
    return this.#reading.doing(who)
  }

  /** Since when actors and whole machines (`@m1`) are dead. */
  get deadSince(): ReadonlyMap<string, Time> {
    return this.#reading.deadSince
  }

  /** Makes pictures from time to time, as long as there are viewers. */
  start(): void {
    if (!this.#timer && !this.#isOver) this.#wait(0)
  }

  /** The pictures that the protocol draws of the run so far, as they were last drawn. */
  get drawn(): readonly ShownPicture[] {
    return this.#drawn.pictures
  }

  /** A picture of the run as it is now, for one who asks. */
  async shown(): Promise<ShownRun> {
    // one at a time, since they share their texts
    await this.#making
    this.#draw()
    return this.#picture()
  }

  /** Makes the last picture, of the whole run. */
  async finish(): Promise<void> {
    this.stop()
    await this.#making
    this.#reading.end()
    this.#drawn = { ...this.#drawn, next: 0 }
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
    this.#draw()
    this.#listener.onShown(await this.#picture())
  }

  /** Draws the pictures of the protocol, unless they were drawn a moment ago. The time counts as a part of that of the page. */
  #draw(): void {
    const began = performance.now()
    if (began < this.#drawn.next) return
    const pictures = shownPictures([this.#reading.pictures('')])
    const now = performance.now()
    this.#drawn = { pictures, next: now + Math.max(DRAWN_MS, DRAWN_REST * (now - began)) }
  }

  async #picture(): Promise<ShownRun> {
    // lines go on coming while machines are loaded, so the present ones are taken here
    const { prefix } = this.#window
    const shown = await shownPrefix(prefix, this.#reading, { name: '' }, LIVE_LIMITS, this.#texts)
    this.#colored = coloredTypes(this.#colored, shown.sends.type)
    return this.#colored.length > 0 ? { ...shown, colored: this.#colored } : shown
  }
}
