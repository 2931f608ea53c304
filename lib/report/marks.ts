/** The faults of a run on its time axis: instants, and spans of time. */
import { shortTimes } from '../core/format.ts'
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

/** The text of a fault, without the word that every fault begins with, and with its times rounded for reading. */
export const faultText = (name: string): string => shortTimes(name.replace(/^fault: /, ''))

/** The name of an incident in every picture. `length` is how long it lasted; null if it lasted to the end. */
export function incidentName({ type, who, other, error, length }: Omit<ShownIncident, 'from'>): string {
  const name = who.replace(/^@/, '')
  switch (type) {
    case 'dead':
      return `${name} ${error !== '' ? 'crashed' : length === 0 ? 'restarted' : 'dead'}`
    case 'paused':
      return `${name} paused`
    case 'cut off':
      return `${name} cut off from ${other}`
    case 'slow links':
      return `slow links between ${name} and ${other}`
    case 'slow disk':
      return `slow disk of ${name}`
    case 'wrong clock':
      return `wrong clock of ${name}`
  }
}

/** The marks of a run in their order. A fault that begins or ends such a time has no mark of its own. */
export function timeMarks(graph: Graph): readonly TimeMark[] {
  const { incidents, until } = graph.run
  const marks = incidents.map((incident): TimeMark => {
    const { type, from, length } = incident
    return { type, from, until: length === null ? until : from + length, label: incidentName(incident) }
  })
  const ends = new Set(marks.flatMap(({ from, until }) => [from, until]))
  for (let event = 0; event < graph.count; event++) {
    const at = graph.at[event] ?? 0
    if (graph.kind(event) !== 'fault' || ends.has(at)) continue
    marks.push({ type: 'fault', from: at, until: at, label: faultText(graph.name(event)) })
  }
  return marks.sort((one, other) => one.from - other.from)
}
