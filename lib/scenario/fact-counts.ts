/** What is shown of a scenario that says nothing about its facts: how many there were, and when. */
import type { Message } from '../core/data.ts'
import { table } from '../core/table.ts'
import type { Results } from './definition.ts'
import type { RunResult } from './run-scenario.ts'
import type { Timeline } from './timeline.ts'
import { missedLines } from './verdict.ts'

/** The number of facts of each type. */
export class FactCounts {
  readonly #counts = new Map<string, number>()

  fold({ type }: Message): void {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1)
  }

  results(run: RunResult): Results {
    const rows = [...this.#counts].map(([type, count]) => [type, String(count)])
    const text = [table(['fact', 'number'], rows), ...missedLines(run)].join('\n')
    return { values: { facts: Object.fromEntries(this.#counts) }, text }
  }
}

/** Each fact begins a bar of its actor, which lasts until the actor's next fact. */
export const FACTS_TIMELINE: Timeline = {
  marks: ({ type }, who) => [{ type: 'begins', row: who, label: type, tone: type }],
  rowOf: (who) => who,
}
