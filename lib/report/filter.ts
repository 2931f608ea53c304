/** The filter of the events and messages that are shown. */
import type { Graph } from './graph.ts'

export interface Filter {
  /** Parts of actors' names, separated by commas or spaces; '' for all actors. */
  readonly actors: string
  /** The type of messages; '' for all. */
  readonly type: string
  /** A task or job; '' for all. */
  readonly topic: string
}

export const EVERYTHING: Filter = { actors: '', type: '', topic: '' }

export const isEverything = ({ actors, type, topic }: Filter): boolean => `${actors}${type}${topic}`.trim() === ''

/** The lanes that are shown, from top to bottom. The system's lane is shown only if all are, or if the filter names it. */
export function lanesIn(graph: Graph, { actors }: Filter): readonly number[] {
  const parts = actors.split(/[\s,]+/).filter(Boolean)
  const { tree } = graph
  return parts.length === 0 ? tree : tree.filter((lane) => parts.some((part) => graph.laneName(lane).includes(part)))
}

/** Marks with 1 the messages of the filter's type and topic. */
export function sendsIn({ run }: Graph, { type, topic }: Filter): Uint8Array {
  const { sends, texts } = run
  const [wantedType, wantedTopic] = [texts.indexOf(type), texts.indexOf(topic.trim())]
  const marks = new Uint8Array(sends.to.length)
  for (let send = 0; send < marks.length; send++) {
    const isType = type === '' || sends.type[send] === wantedType
    marks[send] = isType && (topic.trim() === '' || sends.topic[send] === wantedTopic) ? 1 : 0
  }
  return marks
}

/** Marks with 1 the events in shown lanes that handled or sent such a message; all events there if no message is filtered. */
export function eventsIn(graph: Graph, filter: Filter, sends: Uint8Array): Uint8Array {
  const lanes = new Set(lanesIn(graph, filter))
  const isAny = filter.type === '' && filter.topic.trim() === ''
  const marks = new Uint8Array(graph.count)
  for (let event = 0; event < graph.count; event++) {
    if (!lanes.has(graph.lane(event))) continue
    const handled = graph.mail[event] ?? -1
    const isIt = isAny || (handled >= 0 && sends[handled] === 1) || hasSent(graph, event, sends)
    if (isIt) marks[event] = 1
  }
  return marks
}

function hasSent({ sends }: Graph, event: number, marks: Uint8Array): boolean {
  const [from = 0, to = 0] = [sends[event], sends[event + 1]]
  for (let send = from; send < to; send++) if (marks[send]) return true
  return false
}
