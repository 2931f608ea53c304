/** What somebody has chosen to see of a run: the one state of the page, which all its views show. */
import { EVERYTHING, type Filter } from '../filter.ts'

export interface Choice {
  /** The selected event; -1: none, and the moment is the end of what is shown. */
  readonly event: number
  readonly filter: Filter
}

export class Store {
  #choice: Choice
  readonly #listeners: ((choice: Choice) => void)[] = []

  constructor(event: number) {
    this.#choice = { event, filter: EVERYTHING }
  }

  get choice(): Choice {
    return this.#choice
  }

  choose(part: Partial<Choice>): void {
    this.#choice = { ...this.#choice, ...part }
    for (const listener of this.#listeners) listener(this.#choice)
  }

  /** Calls at once, and then after every change. */
  listen(listener: (choice: Choice) => void): void {
    this.#listeners.push(listener)
    listener(this.#choice)
  }
}
