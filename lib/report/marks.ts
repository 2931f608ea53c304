/** The faults of a run on its time axis: instants, and times in which something was wrong. */
import type { Graph } from './graph.ts'

export interface TimeMark {
  readonly type: 'fault' | 'dead' | 'paused' | 'cut off'
  readonly from: number
  /** The end; that of an instant is its beginning. */
  readonly until: number
  /** What happened, such as `m1 dead`. */
  readonly label: string
}

/** The text of a fault without the word that every fault begins with. */
export const faultText = (name: string): string => name.replace(/^fault: /, '')

/** The marks of a run in their order. A fault that begins or ends such a time has no mark of its own. */
export function timeMarks(graph: Graph): readonly TimeMark[] {
  const { incidents, until } = graph.run
  const marks = incidents.map(({ type, who, other, from, length }): TimeMark => {
    const name = who.replace(/^@/, '')
    const label = type === 'cut off' ? `${name} | ${other} cut` : `${name} ${length === 0 ? 'restarted' : type}`
    return { type, from, until: length === null ? until : from + length, label }
  })
  const ends = new Set(marks.flatMap(({ from, until }) => [from, until]))
  for (let event = 0; event < graph.count; event++) {
    const at = graph.at[event] ?? 0
    if (graph.kind(event) !== 'fault' || ends.has(at)) continue
    marks.push({ type: 'fault', from: at, until: at, label: faultText(graph.name(event)) })
  }
  return marks.sort((one, other) => one.from - other.from)
}
