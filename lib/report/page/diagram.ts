/** The space-time diagram: a line for each actor, messages as arrows, states as bands. */
import { shortUnits } from '../../core/format.ts'
import type { AxisName } from '../address.ts'
import { COLORED } from '../colored-types.ts'
import type { Common } from '../common.ts'
import type { Moved, Twins } from '../counterpart.ts'
import { LaneDensity } from '../density.ts'
import { EVERYTHING, eventsIn, type Filter, isEverything, sendsIn } from '../filter.ts'
import type { Graph } from '../graph.ts'
import { matchesIn, matchesText, nextMatch } from '../matches.ts'
import { isWrong, openingOf, PARTS } from '../opening.ts'
import { OrderAxis } from '../order-axis.ts'
import { BROKE } from '../types.ts'
import {
  around,
  type Bounds,
  clamped,
  following,
  isWhole,
  panned,
  showing,
  type Viewport,
  zoomed,
} from '../viewport.ts'
import { reachOf } from './arrows.ts'
import { type Ink, nth } from './colors.ts'
import { button, el, legendItem } from './dom.ts'
import { eventList } from './event-list.ts'
import { paint } from './paint.ts'
import { inSight, laneOf, leftOf, Places, type Selected, type Stretch, selectedBy, stretchesOf, TOP } from './scene.ts'
import { isTyped, type Store } from './store.ts'
import { moving, pointing, surface } from './surface.ts'
import { eventText, sendText, stateText } from './words.ts'

/** The number of columns that are visible at first. */
const COLUMNS = 44
/** How much a zoom shows more or less, and the part of the window that a move is. */
const ZOOM = 1.6
const PAN = 0.15
/** The part of a whole run that is shown around an event is one of these. */
const CLOSE = 20
/** A click selects the nearest event within this distance, in pixels. */
const NEAR = 14
/** The most actors whose lanes are always shown; of more, only those with events in sight are shown. */
const LANES = 25

/** The parts that are the same for every picture of a run. */
interface Plan {
  readonly stretches: readonly (readonly Stretch[])[]
  /** The types of messages, the most frequent first. */
  readonly types: readonly number[]
}

const planOf = (graph: Graph): Plan => ({ stretches: stretchesOf(graph), types: byFrequency(graph) })

/** The places of events, which are the same for every picture of a run with one filter. */
interface Layout {
  readonly graph: Graph
  readonly filter: Filter
  /** The columns of events that follow each other by order, and their times. */
  readonly order: OrderAxis
  placesOn(axis: AxisName): Places
}

function layoutOf(graph: Graph, filter: Filter): Layout {
  const places = new Map<AxisName, Places>()
  const shown = isEverything(filter) ? null : eventsIn(graph, filter, sendsIn(graph, filter))
  const order = new OrderAxis(graph, shown)
  const placesOn = (axis: AxisName): Places => {
    const known = places.get(axis) ?? new Places(graph, axis, order)
    places.set(axis, known)
    return known
  }
  return { graph, filter, order, placesOn }
}

export function diagram(store: Store): HTMLElement[] {
  const plan = store.of(planOf)
  /** A type keeps its colour while a run goes on. */
  const colors = new Map<number, Ink>()
  let { axis } = store.choice
  let laid = layoutOf(store.graph, store.choice.filter)
  const layout = (): Layout => {
    const { graph, choice } = store
    if (laid.graph !== graph || laid.filter !== choice.filter) laid = layoutOf(graph, choice.filter)
    return laid
  }
  const places = (): Places => layout().placesOn(axis)
  let chosen: Selected = selectedBy(store.graph, store.choice)
  let selected = chosen
  const onlyBusy = el('input', { type: 'checkbox', id: 'busy' })
  onlyBusy.checked = store.graph.run.lanes.length > LANES
  const { sight } = store
  /** The columns that are shown on the axis by order. On the axis by time the window of all pictures is shown. */
  let columns: Viewport = store.isLive ? endOf(places()) : startOf(store.graph, places(), layout().order)
  const viewport = (): Viewport => (axis === 'order' ? columns : sight.window)
  const bounds = (): Bounds => (axis === 'order' ? places().bounds : sight.bounds)
  /** The events that pass the filter, in the order of their places; none without a filter. */
  let matches: Int32Array = Int32Array.of()
  let known = store.graph
  let { filter: knownFilter } = store.choice
  let knownColumns = places().bounds
  let shown = -1
  /** The most events at one place of a picture that is too dense; 0 for other pictures. */
  let most = 0
  let counted: { readonly places: Places; readonly events: Uint8Array; readonly lanes: LaneDensity } | undefined
  const status = el('p', { class: 'faint', id: 'sight' })
  const rowHeight = (): number => (selected.lanes.length > 60 ? 14 : selected.lanes.length > 24 ? 20 : 32)
  const view = surface({
    id: 'diagram',
    height: () => TOP + selected.lanes.length * rowHeight() + 6,
    paint(context, width, height) {
      const { stretches } = plan()
      const { common, twins } = store
      const states = common?.states ?? null
      const about = { stretches, colors, states, twins }
      const picture = { ...about, places: places(), viewport: viewport(), selected, rowHeight: rowHeight() }
      const painted = paint(context, width, height, { ...picture, density })
      const { events, every } = painted
      most = painted.most
      const share = every > 1 ? ` One message of ${every} is drawn: come closer to see all.` : ''
      const all = store.graph.count.toLocaleString('en')
      const dense =
        most > 0
          ? ` They are too many to be drawn one by one: the stronger the colour, the more events, up to ${most}. Zoom in to see them.`
          : share
      status.textContent = `${events.toLocaleString('en')} of ${all} events in sight.${dense}`
    },
    onClick: (x, y) => store.choose({ event: eventAt(x, y) }),
    onHover(x, y) {
      if (most > 0) return countAt(x, y)
      const lost = lostAt(x, y)
      if (lost >= 0) return sendText(store.graph, lost)
      const event = eventAt(x, y)
      if (event < 0) return stateAt(x, y)
      return `${eventText(store.graph, event)} at ${shortUnits(store.graph.at[event] ?? 0)}`
    },
    onKey: (key) => keys(key),
  })
  const list = eventList(store, () => {
    const { lanes, events } = selected
    const shown = new Set(lanes)
    return [...places().between(viewport())].filter((event) => events[event] && shown.has(laneOf(store.graph, event)))
  })
  const look = (): void => {
    selected = onlyBusy.checked ? inSight(store.graph, chosen, places(), viewport()) : chosen
    view.draw()
    list.update()
  }
  let isOwn = false
  const set = (next: Viewport): void => {
    if (axis === 'time') {
      sight.look(next)
      return
    }
    columns = clamped(next, bounds())
    isOwn = true
    if (isWhole(columns, bounds())) sight.lookAtAll()
    else sight.look({ from: layout().order.timeAt(columns.from), to: layout().order.timeAt(columns.to) }, columns)
    isOwn = false
  }
  const takeWindow = (): void => {
    columns = clamped(sight.columns ?? layout().order.columnsOf(sight.window), layout().placesOn('order').bounds)
  }
  sight.onWindow(() => {
    if (!isOwn) takeWindow()
    look()
  })
  onlyBusy.addEventListener('change', look)
  const left = (): number => leftOf(view.width())
  const keys = moving(view, { left, bounds, get: viewport, set })
  const scale = (): number => (view.width() - left()) / (viewport().to - viewport().from)
  const placeAt = (x: number): number => viewport().from + (x - left()) / scale()
  pointing(view, sight, {
    left,
    timeAt: (x) => (axis === 'order' ? layout().order.timeAt(placeAt(x)) : placeAt(x)),
    placeOf: (time) => left() + ((axis === 'order' ? layout().order.placeOf(time) : time) - viewport().from) * scale(),
  })
  const whole = el('input', { type: 'checkbox', id: 'whole' })
  whole.addEventListener('change', () => store.choose({ isWhole: whole.checked }))
  const onAxis = el(
    'select',
    { 'aria-label': 'From left to right' },
    ...['order', 'time'].map((name) => el('option', {}, name)),
  )
  onAxis.addEventListener('change', () => {
    store.choose({ axis: onAxis.value === 'time' ? 'time' : 'order' })
  })
  const matched = el('span', { role: 'status', id: 'matches' })
  const before = button('◀', () => jump(-1), { 'aria-label': 'Previous match' })
  const after = button('▶', () => jump(1), { 'aria-label': 'Next match' })
  const legend = el('ul', { class: 'legend' })
  const beyond = el('p', { class: 'omission', role: 'status', id: 'beyond' })
  set(columns)
  store.listen((choice, graph) => {
    const { types } = plan()
    chosen = selectedBy(graph, choice)
    whole.checked = choice.isWhole
    beyond.textContent = choice.beyond
    if (graph !== known) grown(choice.event)
    if (knownFilter !== choice.filter) {
      knownFilter = choice.filter
      // its window stays, and has other columns now
      sight.look(sight.window)
    }
    if (axis !== choice.axis) {
      axis = choice.axis
      takeWindow()
    }
    onAxis.value = axis
    showMatches()
    const place = places().of[choice.event]
    if (place !== undefined && choice.event !== shown) {
      const next = showing(viewport(), place, bounds())
      const at = graph.at[choice.event] ?? 0
      // few columns may reach beyond the window of the other pictures
      const isSeen = at >= sight.window.from && at <= sight.window.to
      if (next !== viewport() || !isSeen) set(next)
    }
    shown = choice.event
    for (const type of graph.run.colored ?? []) {
      if (colors.size < COLORED && !colors.has(type)) colors.set(type, nth(colors.size))
    }
    if (store.common && colors.size === 0) colorTypes(store.common, types, graph, colors)
    legend.replaceChildren(...legendOf(graph, types, colors, store.twins))
    view.label(
      `Space-time diagram of ${graph.run.lanes.length - 1} actors and ${graph.count} events. The arrows step through events; W, A, S and D move and zoom; a question mark lists all keys. The selected event is told in words below, and a list has all events in sight.`,
    )
    look()
  })

  /** Keeps the end of a run in sight that goes on, unless an event is selected. */
  function grown(event: number): void {
    const isMoved = known.run.window?.dropped !== store.graph.run.window?.dropped
    const before = knownColumns
    known = store.graph
    knownColumns = layout().placesOn('order').bounds
    if (axis === 'order' && event < 0 && columns.to >= before.to) set(following(columns, before, bounds(), COLUMNS))
    else if (isMoved) takeWindow()
  }

  /** Selects the next or previous event that passes the filter. */
  function step(by: number): void {
    const { event } = store.choice
    const first =
      places()
        .between(viewport())
        .at(by < 0 ? -1 : 0) ?? -1
    for (let next = event < 0 ? first : event + by; next >= 0 && next < store.graph.count; next += by) {
      if (!selected.events[next]) continue
      store.choose({ event: next })
      break
    }
  }

  /** Selects the next or previous match of the filter, which moves the window to it. */
  function jump(by: 1 | -1): void {
    const { of } = places()
    const next = nextMatch(matches, by, store.choice.event, (event) => of[event] ?? 0, viewport().from)
    if (next >= 0) store.choose({ event: next })
  }

  function showMatches(): void {
    const { filter, event } = store.choice
    matches = isEverything(filter) ? Int32Array.of() : matchesIn(places().order, chosen.events)
    matched.textContent = isEverything(filter) ? '' : matchesText(matches, event)
    matched.className = matches.length === 0 ? 'bad' : ''
    for (const jumper of [before, after]) jumper.disabled = matches.length === 0
  }

  function eventAt(x: number, y: number): number {
    const lane = selected.lanes[Math.floor((y - TOP) / rowHeight())]
    if (lane === undefined || x < left()) return -1
    const place = placeAt(x)
    const reach = NEAR / scale()
    let [best, distance] = [-1, reach]
    for (const event of places().between({ from: place - reach, to: place + reach })) {
      const far = Math.abs((places().of[event] ?? 0) - place)
      if (laneOf(store.graph, event) === lane && selected.events[event] && far < distance)
        [best, distance] = [event, far]
    }
    return best
  }

  /** The lost message whose mark is at a point; -1 if there is none. */
  function lostAt(x: number, y: number): number {
    const lane = selected.lanes[Math.floor((y - TOP) / rowHeight())]
    const { graph } = store
    for (const event of places().between(viewport())) {
      for (const send of graph.sentBy(event)) {
        if (!selected.sends[send] || graph.run.sends.to[send] !== lane || !graph.isLost(send)) continue
        const from = left() + ((places().of[event] ?? 0) - viewport().from) * scale()
        if (Math.abs(from + reachOf(graph, send, axis, scale()) - x) < NEAR / 2) return send
      }
    }
    return -1
  }

  /** How many events are about where a point is, in a dense picture. */
  function countAt(x: number, y: number): string | null {
    const lane = selected.lanes[Math.floor((y - TOP) / rowHeight())]
    if (lane === undefined || x < left()) return null
    const [from, to] = [placeAt(x - NEAR / 2), placeAt(x + NEAR / 2)]
    const count = density().count(lane, from, to)
    const timeOf = (place: number): string => shortUnits(axis === 'order' ? layout().order.timeAt(place) : place)
    return `${store.graph.laneName(lane)}: ${count} events from ${timeOf(from)} to ${timeOf(to)}`
  }

  /** The shown events, counted when a dense picture first needs it. */
  function density(): LaneDensity {
    const at = places()
    if (counted?.places !== at || counted.events !== chosen.events) {
      const { graph } = store
      const { events } = chosen
      const lanes = new LaneDensity(graph.run.lanes.length, at.order, {
        lane: (event) => laneOf(graph, event),
        place: (event) => at.of[event] ?? 0,
        isShown: (event) => events[event] === 1,
      })
      counted = { places: at, events, lanes }
    }
    return counted.lanes
  }

  function stateAt(x: number, y: number): string | null {
    const lane = selected.lanes[Math.floor((y - TOP) / rowHeight())]
    if (lane === undefined || x < left()) return null
    const place = placeAt(x)
    const { of } = places()
    const last = plan().stretches[lane]?.findLast(({ event }) => (of[event] ?? 0) <= place)
    return last ? `${store.graph.laneName(lane)}: ${stateText(store.graph, last.state)}` : null
  }

  /** The middle of a zoom: the selected event if it is in sight. */
  function focus(): number {
    const { from, to } = viewport()
    const place = places().of[store.choice.event] ?? -1
    return store.choice.event >= 0 && place >= from && place <= to ? place : (from + to) / 2
  }

  function center(): void {
    const place = places().of[store.choice.event]
    if (place === undefined) return
    const { from, to } = bounds()
    const near = axis === 'order' ? COLUMNS : (to - from) / CLOSE
    const length = isWhole(viewport(), bounds()) ? near : viewport().to - viewport().from
    set(around(place, length, bounds()))
  }

  store.onAction((action) => {
    const { from, to } = viewport()
    const part = PAN * (to - from)
    if (action === 'zoom in') set(zoomed(viewport(), 1 / ZOOM, focus(), bounds()))
    else if (action === 'zoom out') set(zoomed(viewport(), ZOOM, focus(), bounds()))
    else if (action === 'left') set(panned(viewport(), -part, bounds()))
    else if (action === 'right') set(panned(viewport(), part, bounds()))
    else if (action === 'start') set(panned(viewport(), bounds().from - from, bounds()))
    else if (action === 'end') set(panned(viewport(), bounds().to - to, bounds()))
    else if (action === 'center') center()
    else if (action === 'step back') step(-1)
    else if (action === 'step') step(1)
    else if (action === 'next found' && isTyped(store)) jump(1)
    else if (action === 'previous found' && isTyped(store)) jump(-1)
  })

  return [
    el('h3', {}, 'Space and time'),
    el(
      'p',
      { class: 'faint' },
      'A line for each actor; an arrow is a message, from the step that sent it to the step that handled it. Bands are the states of the actors. Select a step: the chain of messages and timers that led to it is blue, and what came of it is orange.',
    ),
    el(
      'div',
      { class: 'tools' },
      button('◀ Step', () => step(-1), { id: 'back' }),
      button('Step ▶', () => step(1), { id: 'forward' }),
      el('label', {}, 'by ', onAxis),
      el('label', {}, onlyBusy, ' only actors with events in sight'),
      ...filters(store, () => plan().types, jump),
      before,
      after,
      matched,
      button('Clear selection', () => store.choose({ event: -1 }), { id: 'unselect' }),
      el('label', {}, whole, ' all that happened before and after'),
    ),
    legend,
    beyond,
    el('div', { class: 'scroll' }, view.element),
    status,
    list.element,
  ]
}

/** Gives the types of a run the colours that they have in all runs of the page. */
function colorTypes({ types: inks }: Common, types: readonly number[], graph: Graph, colors: Map<number, Ink>): void {
  for (const [name, ink] of inks) {
    const type = types.find((one) => graph.text(one) === name)
    if (type !== undefined) colors.set(type, ink)
  }
}

/** The types of messages, the most frequent first. */
function byFrequency({ run }: Graph): number[] {
  const counts = new Map<number, number>()
  for (const type of run.sends.type) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([type]) => type)
}

/**
 * The first view of a run: around its first failure; or else around the instant to open at (see `openingOf`); or else where the first
 * mail is sent. Where many events have one instant, it is wider, so that the other pictures show a part of the run.
 */
function startOf(graph: Graph, places: Places, order: OrderAxis): Viewport {
  const events = Array.from({ length: graph.count }, (_, event) => event)
  const wrong = events.find((event) => isWrong(graph, event))
  const opening = wrong === undefined ? openingOf(graph) : undefined
  const first = wrong ?? events.find((event) => graph.kind(event) === 'mail') ?? 0
  const from =
    opening !== undefined
      ? order.placeOf(opening) - COLUMNS / 2
      : (places.of[first] ?? 0) - (wrong === undefined ? 4 : COLUMNS / 3)
  const near = showing({ from, to: from + COLUMNS }, from + COLUMNS / 2, places.bounds)
  const [begin, end] = [order.timeAt(near.from), order.timeAt(near.to)]
  const least = graph.run.until / PARTS
  if (end - begin >= least) return near
  const middle = (begin + end) / 2
  return clamped(order.columnsOf({ from: middle - least / 2, to: middle + least / 2 }), places.bounds)
}

const endOf = ({ bounds }: Places): Viewport => showing({ from: bounds.to - COLUMNS, to: bounds.to }, bounds.to, bounds)

function filters(store: Store, types: () => readonly number[], jump: (by: 1 | -1) => void): HTMLElement[] {
  const field = (placeholder: string, label: string, id: string) =>
    el('input', { placeholder, id, 'aria-label': label, size: 14, type: 'search' })
  const actors = field('actors', 'Only actors whose names have these parts, separated by commas', 'actors')
  const topic = field('task or job', 'Only messages about this task or job', 'topic')
  const type = el(
    'select',
    { 'aria-label': 'Only messages of this type', id: 'type' },
    el('option', { value: '' }, 'all messages'),
  )
  const offered = new Set<number>()
  const change = (): void => store.choose({ filter: { actors: actors.value, type: type.value, topic: topic.value } })
  for (const one of [actors, topic, type]) one.addEventListener('input', change)
  for (const one of [actors, topic]) {
    one.addEventListener('keydown', ({ key, shiftKey }) => {
      if (key === 'Enter') jump(shiftKey ? -1 : 1)
    })
  }
  const reset = button('Clear filter', () => store.choose({ filter: EVERYTHING }))
  store.listen(({ filter }, graph) => {
    for (const one of types()) {
      if (offered.has(one)) continue
      offered.add(one)
      type.append(el('option', { value: graph.text(one) }, graph.text(one)))
    }
    reset.disabled = isEverything(filter)
    if (actors.value !== filter.actors) actors.value = filter.actors
    if (topic.value !== filter.topic) topic.value = filter.topic
    if (type.value !== filter.type) type.value = filter.type
  })
  return [actors, topic, type, reset]
}

/** What the legend says of events that another order has moved. */
const MOVED: { readonly [moved in Moved]: string } = {
  held: 'came sooner in the other run',
  'not held': 'came later in the other run',
  later: 'came first in the other run',
}

function legendOf(
  graph: Graph,
  types: readonly number[],
  colors: ReadonlyMap<number, Ink>,
  twins: Twins | null,
): HTMLElement[] {
  const own = twins ? twins.of.reduce((count, twin) => count + (twin < 0 ? 1 : 0), 0) : 0
  return [
    ...[...colors].map(([type, ink]) => legendItem(ink, graph.text(type))),
    ...(types.length > colors.size ? [legendItem('faint', 'others')] : []),
    el('li', {}, '■ step'),
    el('li', {}, '◆ timer'),
    el('li', { class: 'bad' }, '✕ death, or mail that was lost'),
    ...(graph.flags.some((flags) => flags & BROKE) ? [el('li', { class: 'bad' }, '◯ broke a promise')] : []),
    ...(twins ? [el('li', { class: 'faint' }, '■ as in the other run')] : []),
    ...[...new Set(twins?.moved.values())].map((moved) => legendItem('pink', `${moved}: ${MOVED[moved]}`)),
    ...(own > 0 ? [el('li', {}, `◻ only in this run: ${own.toLocaleString('en')}`)] : []),
  ]
}
