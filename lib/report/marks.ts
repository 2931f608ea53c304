/** The faults of a run on its time axis: instants, and times in which something was wrong. */
import type { Graph } from './graph.ts'
import type { ShownIncident } from './types.ts'

export interface TimeMark {
  readonly type: 'fault' | ShownIncident['type']
  readonly from: number
  /** The end; that of an instant is its beginning. */
  readonly until: number
  /** What happened, such as `m1 dead`. */
  readonly label: string
}

/** The text of a fault without the word that every fault begins with. */
export const faultText = (name: string): string => name.replace(/^fault: /, '')

function labelOf({ type, who, other, length }: ShownIncident): string {
  const name = who.replace(/^@/, '')
  switch (type) {
    case 'cut off':
      return `${name} | ${other} cut`
    case 'slow links':
      return `${name} | ${other} slow`
    case 'slow disk':
      return `${name} disk slow`
    default:
      return `${name} ${length === 0 ? 'restarted' : type}`
  }
}

/** The marks of a run in their order. A fault that begins or ends such a time has no mark of its own. */
export function timeMarks(graph: Graph): readonly TimeMark[] {
  const { incidents, until } = graph.run
  const marks = incidents.map((incident): TimeMark => {
    const { type, from, length } = incident
    return { type, from, until: length === null ? until : from + length, label: labelOf(incident) }
  })
  const ends = new Set(marks.flatMap(({ from, until }) => [from, until]))
  for (let event = 0; event < graph.count; event++) {
    const at = graph.at[event] ?? 0
    if (graph.kind(event) !== 'fault' || ends.has(at)) continue
    marks.push({ type: 'fault', from: at, until: at, label: faultText(graph.name(event)) })
  }
  return marks.sort((one, other) => one.from - other.from)
}
