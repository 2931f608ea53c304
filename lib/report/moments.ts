/** The events that links lead to: a place in a run is an instant, an actor, a machine or an object. */
import { shortUnits } from '../core/format.ts'
import type { Link } from '../scenario/page.ts'
import type { Graph } from './graph.ts'
import type { ShownObjects } from './types.ts'
import type { Viewport } from './viewport.ts'

/** The link that the fragment of an address means; undefined for another fragment. */
export function linkIn(fragment: string): Link | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  const [at, actor, object, handles] = ['at', 'actor', 'object', 'handles'].map((key) => fields.get(key))
  const time = at != null && /^\d+$/.test(at) ? { at: Number(at) } : null
  if (actor != null) return { actor, ...time, ...(handles != null && { handles }) }
  if (time) return time
  return object != null ? { object } : undefined
}

/** The place of the run that a link names (`run=1` is the first); undefined if it names none. */
export function runIn(fragment: string): number | undefined {
  const run = new URLSearchParams(fragment.replace(/^#/, '')).get('run')
  return run !== null && /^[1-9]\d{0,8}$/.test(run) ? Number(run) - 1 : undefined
}

/** The id in the name of an object: `15` in `task 15`. Messages name their object by it. */
export const idOf = (object: string): string => object.slice(object.indexOf(' ') + 1)

/** The event to look at first for a place; -1 if there is none. */
export function momentOf(graph: Graph, link: Link): number {
  if ('object' in link) return momentOfObject(graph, link.object)
  if ('actor' in link && link.at === undefined) return momentOfActor(graph, link.actor)
  const at = link.at ?? 0
  if (beyondAt(graph, at) !== '') return -1
  if (!('actor' in link)) return graph.lastAt(at)
  const lanes = lanesOf(graph, link.actor)
  const last = graph.lastAt(at, lanes)
  for (let event = last; event >= 0 && graph.at[event] === at; event--)
    if (lanes.includes(graph.lane(event)) && handledName(graph, event) === link.handles) return event
  return last
}

/** Says that an instant lies beyond the events that the page has; '' if it does not. */
export function beyondAt({ begins, run: { beyond, seen } }: Graph, at: number): string {
  if (beyond > 0 && at > seen)
    return `Time ${shortUnits(at)} is after the events of this page, which end at ${shortUnits(seen)}.`
  return at < begins
    ? `Time ${shortUnits(at)} is before the events of this page, which begin at ${shortUnits(begins)}.`
    : ''
}

/** Says what of the place of a link lies beyond the events that the page has; '' if nothing does. */
export function beyondOf(graph: Graph, link: Link): string {
  if ('object' in link) return beyondObject(graph, link.object)
  if (link.at !== undefined) return beyondAt(graph, link.at)
  const { beyond, seen, incidents } = graph.run
  if (!('actor' in link)) return ''
  if (beyond === 0 || isDeath(graph, momentOf(graph, link))) return ''
  const death = incidents.find(
    ({ type, who, from }) => type === 'dead' && from > seen && (isNamed(who, link.actor) || isNamed(link.actor, who)),
  )
  if (!death) return ''
  return `${link.actor.replace(/^@/, '')} died at ${shortUnits(death.from)}, after the events of this page, which end at ${shortUnits(seen)}.`
}

/** The phases of an object in their order; none if the page has nothing of it. */
const phasesOf = ({ run: { objects } }: Graph, name: string): readonly Viewport[] =>
  objects.flatMap((kind) => {
    const { object, from, length } = kind.phases
    const place = placeIn(kind, name)
    const own = place < 0 ? [] : [...object.keys()].filter((i) => object[i] === place)
    return own.map((i) => ({ from: from[i] ?? 0, to: (from[i] ?? 0) + (length[i] ?? 0) }))
  })

/** The row of an object, such as `task 15`, among those of a kind; -1 if it is not one of them. */
const placeIn = ({ name: kind, rows }: ShownObjects, name: string): number =>
  rows.findIndex(([id]) => `${kind} ${id}` === name)

/** The life of an object, from its first phase to its last; undefined if the page has nothing of it. */
export function lifeOf(graph: Graph, name: string): Viewport | undefined {
  const phases = phasesOf(graph, name)
  const [first] = phases
  return first && { from: first.from, to: phases.reduce((end, { to }) => Math.max(end, to), 0) }
}

/**
 * The part of a run to show for an object: its life. A last phase that is still open at the end of the run is shown only up to the
 * last event about the object.
 */
export function sightOf(graph: Graph, name: string): Viewport | undefined {
  const life = lifeOf(graph, name)
  if (!life || life.to < graph.run.until) return life
  const begun = phasesOf(graph, name).at(-1)?.from ?? 0
  const last = graph.at[momentOfObject(graph, name)] ?? begun
  const to = Math.max(begun, last)
  // some of the open phase is in sight, so that a reader sees that it goes on
  return { from: life.from, to: Math.min(life.to, to + (to - life.from) / OPEN) }
}

/** An open phase is shown for this part of the life before it. */
const OPEN = 5

function beyondObject(graph: Graph, name: string): string {
  const { beyond, seen, objects } = graph.run
  if (!objects.some((kind) => placeIn(kind, name) >= 0)) return `${name} is not in the tables of this page.`
  const { to: end = 0 } = lifeOf(graph, name) ?? {}
  if (beyond === 0 || end <= seen) return ''
  return `${name} lasts until ${shortUnits(end)}, and the events of this page end at ${shortUnits(seen)}.`
}

/** The death of an actor, or of an actor of a machine (`@m1`); without a death its first event. */
function momentOfActor(graph: Graph, who: string): number {
  const own = new Set(lanesOf(graph, who))
  const isOwnDeath = (event: number): boolean => isDeath(graph, event) && own.has(graph.about[event] ?? 0)
  return firstOf(graph, isOwnDeath, (event) => own.has(graph.lane(event)))
}

/** The name of an event that handled a message, such as `write from client@c1`. */
function handledName(graph: Graph, event: number): string {
  const mail = graph.mail[event] ?? -1
  return mail < 0
    ? graph.name(event)
    : `${graph.name(event)} from ${graph.laneName(graph.lane(graph.sender[mail] ?? 0))}`
}

/** The lanes of an actor, or of the actors of a machine. */
const lanesOf = ({ run: { lanes } }: Graph, who: string): number[] =>
  lanes.flatMap(({ name }, lane) => (isNamed(name, who) ? [lane] : []))

/** Says whether a link names an actor: by its address, or by its machine (`@m1`). */
const isNamed = (address: string, who: string): boolean => address === who || address.endsWith(who)

const isDeath = (graph: Graph, event: number): boolean => event >= 0 && graph.kind(event) === 'died'

/**
 * The end of an object: the last event about it up to the end of its life, such as the arrival of its result. If its execution was lost
 * in a death after that event, it is this death.
 */
function momentOfObject(graph: Graph, object: string): number {
  const { bars } = graph.run
  const { to: end = graph.run.until } = lifeOf(graph, object) ?? {}
  const inLife = lastAbout(graph, idOf(object), graph.lastAt(end))
  const last = inLife >= 0 ? inLife : lastAbout(graph, idOf(object), graph.count - 1)
  const lost = bars.object.findLastIndex(
    (name, bar) => graph.text(name) === object && graph.text(bars.tone[bar]) === 'lost in a death',
  )
  if (lost < 0) return last
  const at = (bars.from[lost] ?? 0) + (bars.length[lost] ?? 0)
  const death = graph.at.findIndex((time, event) => time === at && graph.kind(event) === 'died')
  return Math.max(last, death)
}

/** The last event, up to another one, that handled a message about an object. */
function lastAbout(graph: Graph, id: string, latest: number): number {
  for (let event = latest; event >= 0; event--) if (isAbout(graph, event, id)) return event
  return -1
}

/** Says whether an event handled a message about an object. */
export function isAbout({ mail, run: { sends, texts } }: Graph, event: number, id: string): boolean {
  const own = mail[event] ?? -1
  return own >= 0 && texts[sends.topic[own] ?? 0] === id
}

/** The first event of the first of these kinds that the page has. */
function firstOf(graph: Graph, ...kinds: readonly ((event: number) => boolean)[]): number {
  for (const isIt of kinds) for (let event = 0; event < graph.count; event++) if (isIt(event)) return event
  return -1
}
