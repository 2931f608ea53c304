/** The events of two runs side by side that belong together. */
import type { Graph } from './graph.ts'

/** How the events of a run correspond to those of another run. */
export interface Twins {
  /** For each event, the same event of the other run; -1 if only this run has it. */
  readonly of: Int32Array
  /** Marks with 1 the events of each actor up to where the two runs diverge for it. */
  readonly alike: Uint8Array
}

/**
 * Pairs the events of two runs. Two events are the same if the same actor handled the same message of the same sender, or the same
 * timer, about the same object, and as often before. Times do not count.
 */
export function twinsOf(graph: Graph, other: Graph): Twins {
  const [own, theirs] = [keysOf(graph), keysOf(other)]
  const places = new Map(theirs.map((key, event) => [key, event]))
  const of = Int32Array.from(own, (key) => places.get(key) ?? -1)
  const alike = new Uint8Array(graph.count)
  const lanes = new Map(other.run.lanes.map(({ name }, lane) => [name, lane]))
  for (const [lane, events] of graph.lanes.entries()) {
    const others = other.lanes[lanes.get(graph.laneName(lane)) ?? -1] ?? []
    for (const [i, event] of events.entries()) {
      if (of[event] !== others[i]) break
      alike[event] = 1
    }
  }
  return { of, alike }
}

/** What each event is, with the number of such events before it. */
function keysOf(graph: Graph): readonly string[] {
  const counts = new Map<string, number>()
  return Array.from({ length: graph.count }, (_, event) => {
    const mail = graph.mail[event] ?? -1
    const from = mail < 0 ? '' : graph.laneName(graph.lane(graph.sender[mail] ?? 0))
    const topic = mail < 0 ? '' : graph.text(graph.run.sends.topic[mail])
    const what = [graph.laneName(graph.lane(event)), graph.kind(event), graph.name(event), from, topic].join('\n')
    const count = counts.get(what) ?? 0
    counts.set(what, count + 1)
    return `${what}\n${count}`
  })
}

/**
 * The event of the other run to look at together with an event: the same one, or else the last event up to that time of the actor that
 * it is about, or of any actor; -1 if there is none.
 */
export function counterpart({ of }: Twins, event: number, graph: Graph, other: Graph): number {
  const twin = of[event] ?? -1
  if (twin >= 0) return twin
  const lane = graph.lane(event) === 0 ? (graph.about[event] ?? 0) : graph.lane(event)
  const at = graph.at[event] ?? 0
  const own = other.run.lanes.findIndex(({ name }) => name === graph.laneName(lane))
  const last = own > 0 ? other.lastAt(at, [own]) : -1
  return last >= 0 ? last : other.lastAt(at)
}
