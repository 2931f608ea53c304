/** What all runs of a page have in common, so that the same thing looks the same in each. */
import { frequentTypes } from './colored-types.ts'
import { type Ink, nth, toneInks } from './inks.ts'
import type { ShownRun } from './types.ts'

export interface Common {
  /** The end of the longest run. */
  readonly until: number
  /** The inks of the tones of bars and phases. */
  readonly tones: ReadonlyMap<string, Ink>
  /** The inks of the most frequent types of messages. */
  readonly types: ReadonlyMap<string, Ink>
  /** The states of each actor in the order of first use, which decides their colours. */
  readonly states: ReadonlyMap<string, readonly string[]>
}

export function commonOf(runs: readonly ShownRun[]): Common {
  const bars = runs.flatMap(({ bars, texts }) => [...new Set(bars.tone)].map((tone) => texts[tone] ?? ''))
  const phases = runs.flatMap(({ objects, texts }) =>
    objects.flatMap((kind) => [...new Set(kind.phases.tone)].map((tone) => texts[tone] ?? '')),
  )
  return {
    until: Math.max(0, ...runs.map(({ until }) => until)),
    tones: toneInks([...new Set([...bars, ...phases])]),
    types: new Map(frequentTypes(runs).map((type, place) => [type, nth(place)])),
    states: statesOf(runs),
  }
}

function statesOf(runs: readonly ShownRun[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, Set<string>>()
  for (const { lanes, events, texts } of runs) {
    for (const [event, lane] of events.lane.entries()) {
      if (lane === 0) continue
      const name = lanes[lane]?.name ?? ''
      const own = all.get(name) ?? new Set()
      all.set(name, own.add(texts[events.state[event] ?? 0] ?? ''))
    }
  }
  return new Map([...all].map(([name, states]) => [name, [...states]]))
}
