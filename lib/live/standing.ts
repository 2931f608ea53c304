/** How the promises of a run stand while it goes on, for its live page. */
import type { Time } from '../core/time.ts'
import type { ShownSentence } from '../report/links.ts'
import type { ShownPromise } from '../report/live-messages.ts'
import type { PromisesSoFar } from '../scenario/command.ts'

/** The most violations of one promise that are told. */
const TOLD_MAX = 3

export class Standing {
  readonly #ask: () => PromisesSoFar | undefined
  readonly #linked: (text: string) => ShownSentence
  /** When each promise was first found broken. */
  readonly #since = new Map<string, Time>()
  #shown: readonly ShownPromise[] = []

  constructor(ask: () => PromisesSoFar | undefined, linked: (text: string) => ShownSentence) {
    this.#ask = ask
    this.#linked = linked
  }

  /** The promises as they stood when they were last asked; those that are broken come first. */
  get shown(): readonly ShownPromise[] {
    return this.#shown
  }

  /** Asks how the promises stand. If that fails, the error and what was broken before are shown, and the run goes on. */
  measure(now: Time): void {
    try {
      this.#take(this.#ask() ?? { named: [], broken: [] }, now)
    } catch (error) {
      const broken = [[error instanceof Error ? error.message : String(error)]]
      const failed = { name: 'the promises', standing: 'cannot be asked', broken, since: now } as const
      this.#shown = [failed, ...this.#shown.filter(({ standing }) => standing === 'broken')]
    }
  }

  #take({ named, broken }: PromisesSoFar, now: Time): void {
    const texts = new Map<string, string[]>()
    for (const { property, text } of broken) texts.set(property, [...(texts.get(property) ?? []), text])
    for (const name of texts.keys()) if (!this.#since.has(name)) this.#since.set(name, now)
    const found = [...texts].map(
      ([name, own]): ShownPromise => ({
        name,
        standing: 'broken',
        broken: own.slice(0, TOLD_MAX).map(this.#linked),
        since: this.#since.get(name) ?? now,
      }),
    )
    const others = named
      .filter(({ name }) => !texts.has(name))
      .map(
        ({ name, eventually }): ShownPromise => ({
          name,
          standing: eventually ? 'asked at the end' : 'kept',
          broken: [],
          since: null,
        }),
      )
    this.#shown = [...found, ...others]
  }
}
