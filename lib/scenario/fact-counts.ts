/** What is shown of a scenario that says nothing about its facts: how many there were, and when. */
import type { Message } from '../core/data.ts'
import { add } from '../core/tally.ts'
import type { Results } from './definition.ts'
import type { Timeline } from './timeline.ts'

/** The number of facts of each type. */
export class FactCounts {
  readonly #counts = new Map<string, number>()

  fold({ type }: Message): void {
    add(this.#counts, type)
  }

  results(): Results {
    return {
      values: { facts: Object.fromEntries(this.#counts) },
      tables: [{ columns: [{ name: 'fact' }, { name: 'number' }], rows: [...this.#counts] }],
    }
  }
}

/** Each fact begins a bar of its actor, which lasts until the actor's next fact. */
export const FACTS_TIMELINE: Timeline = {
  marks: ({ type }, who) => [{ type: 'begins', row: who, label: type, tone: type }],
  rowOf: (who) => who,
}
