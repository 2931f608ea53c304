/** The layout of a space-time diagram: lanes from top to bottom, events from left to right, by order or by time. */
import type { AxisName } from '../address.ts'
import { eventsIn, lanesIn, sendsIn } from '../filter.ts'
import { countUpTo, type Graph } from '../graph.ts'
import type { OrderAxis } from '../order-axis.ts'
import type { Bounds, Viewport } from '../viewport.ts'
import type { PageState } from './store.ts'

export const TOP = 26

/** How wide the names on the left of every picture are, in pixels, so that one time is at one place in all of them. */
export const leftOf = (width: number): number => (width < 560 ? 96 : 150)

/** The state of a dead actor. */
export const DEAD = -1

/** A stretch of an actor's life: from an event on it is in one state, or dead. */
export interface Stretch {
  readonly event: number
  readonly state: number
}

/** The horizontal places of all events, which are the same for every picture of a run. */
export class Places {
  readonly graph: Graph
  readonly axis: AxisName
  /** The place of each event along the axis. */
  readonly of: Float64Array
  /** The events in the order of their places. */
  readonly #order: Int32Array
  readonly #sorted: Float64Array
  /** Where the first and the last event are, with a little room around columns. */
  readonly bounds: Bounds

  /** `order` has the places of the axis by order. */
  constructor(graph: Graph, axis: AxisName, order: OrderAxis) {
    this.graph = graph
    this.axis = axis
    this.of = axis === 'order' ? order.places : graph.at
    const { of } = this
    this.#order = Int32Array.from(of, (_, event) => event).sort((one, other) => (of[one] ?? 0) - (of[other] ?? 0))
    this.#sorted = Float64Array.from(this.#order, (event) => of[event] ?? 0)
    const last = this.#sorted.at(-1) ?? 0
    this.bounds = axis === 'order' ? { from: -1, to: last + 1, least: 4 } : { from: 0, to: Math.max(1, last), least: 1 }
  }

  /** All events in the order of their places. */
  get order(): Int32Array {
    return this.#order
  }

  /** The events between two places. */
  between({ from, to }: Viewport): Int32Array {
    const first = countUpTo(this.#sorted, (place) => place < from)
    return this.#order.subarray(
      first,
      countUpTo(this.#sorted, (place) => place <= to),
    )
  }
}

/** The stretches of every lane. */
export function stretchesOf(graph: Graph): readonly (readonly Stretch[])[] {
  const all: Stretch[][] = graph.run.lanes.map(() => [])
  const add = (lane: number, event: number, state: number): void => {
    const own = all[lane]
    if (own && own.at(-1)?.state !== state) own.push({ event, state })
  }
  for (let event = 0; event < graph.count; event++) {
    const lane = graph.lane(event)
    if (lane > 0) add(lane, event, graph.run.events.state[event] ?? 0)
    else if (['died', 'ended'].includes(graph.kind(event))) add(graph.about[event] ?? 0, event, DEAD)
  }
  return all
}

/** The reader's choice of shown lanes and messages, and the selected event. */
export interface Selected {
  readonly lanes: readonly number[]
  /** The row of each lane from the top; -1 if it is not shown. */
  readonly rows: Int32Array
  readonly sends: Uint8Array
  readonly events: Uint8Array
  /** Whether only what is about one object is shown: all of that is drawn in full, whatever else is selected. */
  readonly isTopical: boolean
  /** The selected event, -1 for none, and what led to it and what came of it. */
  readonly event: number
  readonly past: Uint8Array | null
  readonly future: Uint8Array | null
}

export function selectedBy(graph: Graph, { filter, event, isWhole }: PageState): Selected {
  const lanes = lanesIn(graph, filter)
  const sends = sendsIn(graph, filter)
  const events = eventsIn(graph, filter, sends)
  const shown = { lanes, rows: rowsOf(graph, lanes), sends, events, isTopical: filter.topic.trim() !== '', event }
  if (event < 0) return { ...shown, past: null, future: null }
  const [past, future] = isWhole
    ? [graph.past(event), graph.future(event)]
    : [graph.led(event), graph.consequences(event)]
  return { ...shown, past, future }
}

/** Reduces the lanes to those with events between two places, and that of the selected event. */
export function inSight(graph: Graph, selected: Selected, places: Places, viewport: Viewport): Selected {
  const busy = new Set([selected.event < 0 ? -1 : laneOf(graph, selected.event)])
  const add = (event: number): void => void busy.add(laneOf(graph, event))
  for (const event of places.between(viewport)) {
    if (!selected.events[event]) continue
    add(event)
    const mail = graph.mail[event] ?? -1
    if (mail >= 0) add(graph.sender[mail] ?? 0)
  }
  const lanes = selected.lanes.filter((lane) => busy.has(lane))
  return { ...selected, lanes, rows: rowsOf(graph, lanes) }
}

function rowsOf({ run }: Graph, lanes: readonly number[]): Int32Array {
  const rows = new Int32Array(run.lanes.length).fill(-1)
  for (const [row, lane] of lanes.entries()) rows[lane] = row
  return rows
}

/** The lane of an event; an event of the system that is about an actor is in that actor's lane. */
export const laneOf = (graph: Graph, event: number): number => {
  const lane = graph.lane(event)
  return lane === 0 ? (graph.about[event] ?? 0) : lane
}
