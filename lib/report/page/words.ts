/** Texts about events. */
import type { Graph } from '../graph.ts'
import { faultText } from '../marks.ts'
import { BROKE, CRASHED, STOPPED, UNHANDLED } from '../types.ts'

/** An instant in units, exactly. Where a reader does not need that, `shortUnits` prints it. */
export const exactText = (at: number): string => String(at / 1_000_000)

/** The text of an event, such as `contractor@m1: rfb`. */
export function eventText(graph: Graph, event: number): string {
  const about = graph.about[event] ?? 0
  const who = about > 0 && graph.lane(event) === 0 ? 'system' : graph.laneName(graph.lane(event))
  const name = graph.name(event)
  return `${who}: ${graph.kind(event) === 'fault' ? `fault: ${faultText(name)}` : name}`
}

/** Remarks on unusual outcomes of an event. */
export function remarksOf(graph: Graph, event: number): string[] {
  const { remarks } = graph.run.events
  const flag = graph.flags[event] ?? 0
  const place = remarks.findIndex((one, i) => i % 2 === 0 && one === event)
  const text = place < 0 ? '' : graph.text(remarks[place + 1])
  return [
    ...(flag & BROKE ? [`broke a promise: ${text}`] : []),
    ...(flag & UNHANDLED ? ['no transition took it'] : []),
    ...(flag & CRASHED ? [`crashed: ${text}`] : []),
    ...(flag & STOPPED ? ['the actor stopped'] : []),
  ]
}

/** The text of a send, such as `bid to contractor@m1`. */
export function sendText(graph: Graph, send: number): string {
  const { type, to } = graph.run.sends
  const lost = graph.text(graph.reason[send])
  return `${graph.text(type[send])} to ${graph.laneName(to[send] ?? 0)}${lost === '' ? '' : ` (dead letter: ${lost})`}`
}

/** The fields of a message or fact, as far as the page has them. */
export function fieldsOf(graph: Graph, content: number): (readonly [name: string, value: string])[] | null {
  const { shapes, values } = graph.run.contents
  const [shape, ...own] = values[content] ?? []
  if (shape === undefined) return null
  return (shapes[shape] ?? []).map((name, i) => {
    const value = own[i] ?? null
    return [name, typeof value === 'string' ? value : JSON.stringify(value)] as const
  })
}

/** The name of a state of a statechart, or `dead`. */
export const stateText = (graph: Graph, state: number): string => (state < 0 ? 'dead' : graph.text(state))
