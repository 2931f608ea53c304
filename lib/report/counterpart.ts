/** The events of two runs side by side that belong together. */
import type { Graph } from './graph.ts'

/**
 * The event of another run that corresponds to an event of this one: the same step of the same actor, or where the runs differ
 * there, the last event up to that time; -1 if there is none.
 */
export function counterpart(graph: Graph, event: number, other: Graph): number {
  const lane = graph.lane(event)
  const place = graph.lanes[lane]?.indexOf(event) ?? -1
  const name = graph.laneName(lane)
  const twin = other.lanes[other.run.lanes.findIndex((one) => one.name === name)]?.[place]
  const isAlike = twin !== undefined && other.kind(twin) === graph.kind(event) && other.name(twin) === graph.name(event)
  return isAlike ? twin : other.lastAt(graph.at[event] ?? 0)
}
