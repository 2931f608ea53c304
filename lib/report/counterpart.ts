/** The events of two runs side by side that belong together. */
import type { Graph } from './graph.ts'

/** How the events of a run correspond to those of another run. */
export interface Twins {
  /** For each event, the same event of the other run; -1 if only this run has it. */
  readonly of: Int32Array
  /** Marks with 1 the events of each actor up to where the two runs diverge for it. */
  readonly alike: Uint8Array
  /** The events that another order of the same actor's events has moved, and how: see `movedOf`. */
  readonly moved: ReadonlyMap<number, Moved>
}

/**
 * How an event was moved: its message was on its way for longer than in the other run (`held`), or for less (`not held`), or only the
 * order differs (`later`).
 */
export type Moved = 'held' | 'not held' | 'later'

/**
 * Pairs the events of two runs. Two events are the same if the same actor handled the same message of the same sender, or the same
 * timer, about the same object, and as often before. Times do not count.
 */
export function twinsOf(graph: Graph, other: Graph): Twins {
  const [own, theirs] = [keysOf(graph), keysOf(other)]
  const places = new Map(theirs.map((key, event) => [key, event]))
  const of = Int32Array.from(own, (key) => places.get(key) ?? -1)
  const alike = new Uint8Array(graph.count)
  const forks = forksOf(graph, other, of)
  for (const { own, place } of forks) for (const event of own.slice(0, place)) alike[event] = 1
  return { of, alike, moved: movedOf(graph, other, of, forks) }
}

/** The events of an actor in two runs, and the first place where they differ. */
interface Fork {
  readonly own: readonly number[]
  readonly others: readonly number[]
  readonly place: number
}

function forksOf(graph: Graph, other: Graph, of: Int32Array): readonly Fork[] {
  const lanes = new Map(other.run.lanes.map(({ name }, lane) => [name, lane]))
  return graph.lanes.map((own, lane) => {
    const others = other.lanes[lanes.get(graph.laneName(lane)) ?? -1] ?? []
    const place = own.findIndex((event, i) => of[event] !== others[i])
    return { own, others, place: place < 0 ? own.length : place }
  })
}

/**
 * Where the events of an actor diverge, each of the two runs handles an event first that the other one handles later. Of these two, the
 * one whose message took another time is the moved one. Without such an event the moved one is the later one of the first actor.
 */
function movedOf(graph: Graph, other: Graph, of: Int32Array, forks: readonly Fork[]): ReadonlyMap<number, Moved> {
  const moved = new Map<number, Moved>()
  let firstLater = graph.count
  for (const { own, others, place } of forks) {
    const first = own[place]
    const later = own.slice(place + 1).find((event) => of[event] === others[place])
    // both runs have both events
    if (first === undefined || later === undefined || (of[first] ?? -1) < 0) continue
    for (const event of [first, later]) {
      const longer = wayOf(graph, event) - wayOf(other, of[event] ?? -1)
      if (longer !== 0) moved.set(event, longer > 0 ? 'held' : 'not held')
    }
    firstLater = Math.min(firstLater, later)
  }
  if (moved.size === 0 && firstLater < graph.count) moved.set(firstLater, 'later')
  return moved
}

/** How long the message of an event was on its way; 0 for other events. */
const wayOf = ({ mail, at, sender }: Graph, event: number): number => {
  const own = mail[event] ?? -1
  return own < 0 ? 0 : (at[event] ?? 0) - (at[sender[own] ?? 0] ?? 0)
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
