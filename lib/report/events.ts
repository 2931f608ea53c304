/** The events of a run as columns: steps and acts of the system, with their causes (the same as in lib/trace/causality.ts). */
import { stateName, systemEventName } from '../trace/names.ts'
import type { Incarnation, Run, Sent, Step, SystemEvent } from '../trace/run.ts'
import { type ContentTable, type Texts, topicOf } from './contents.ts'
import { BROKE, CRASHED, type EventColumns, KINDS, type Kind, type SendColumns, STOPPED, UNHANDLED } from './types.ts'

type Draft<T> = { readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }
type Event = Step | SystemEvent

const isStep = (event: Event): event is Step => 'index' in event

/** The lanes of actors, in spawn order; 0 is the system's. */
export function lanesOf({ incarnations }: Run): ReadonlyMap<string, number> {
  const lanes = new Map([['system', 0]])
  for (const { who } of incarnations) if (!lanes.has(who)) lanes.set(who, lanes.size)
  return lanes
}

export interface Columns {
  readonly events: EventColumns
  readonly sends: SendColumns
}

/** The columns of all events of a run, in the order of its trace. */
export function columnsOf(run: Run, texts: Texts, contents: ContentTable): Columns {
  const ordered = [...run.steps, ...run.system].sort((one, other) => one.line - other.line)
  const writer = new Writer(run, ordered, texts, contents)
  for (const [index, event] of ordered.entries()) writer.write(event, index)
  return writer
}

class Writer implements Columns {
  readonly events: Draft<EventColumns> = {
    lane: [],
    later: [],
    kind: [],
    what: [],
    state: [],
    flags: [],
    entered: [],
    sends: [],
    links: [],
    remarks: [],
    facts: [],
  }
  readonly sends: Draft<SendColumns> = { to: [], type: [], topic: [], way: [], handled: [], lost: [], content: [] }
  readonly #lanes: ReadonlyMap<string, number>
  readonly #texts: Texts
  readonly #contents: ContentTable
  /** The event that handled each envelope first; `#reasons` has the reason of each dead letter. */
  readonly #handled = new Map<string, number>()
  readonly #reasons: ReadonlyMap<string, string>
  /** The latest event of its kind about each actor. */
  readonly #last = new Map<string, number>()
  readonly #begins = new Map<string, number>()
  readonly #starts = new Map<string, number>()
  readonly #spawns = new Map<string, number>()
  readonly #stops = new Map<string, number>()
  /** The event of the system that caused each of its orders. */
  readonly #orders = new Map<string, number>()
  readonly #sent: Run['sends']
  #now = 0

  constructor(run: Run, ordered: readonly Event[], texts: Texts, contents: ContentTable) {
    this.#lanes = lanesOf(run)
    this.#texts = texts
    this.#contents = contents
    this.#sent = run.sends
    this.#reasons = new Map(run.deadLetters.map(({ id, reason }) => [id, reason]))
    for (const [index, event] of ordered.entries()) {
      if (isStep(event) && event.on.what === 'mail' && !event.on.again) this.#handled.set(event.on.id, index)
      if (!isStep(event) && event.type === 'answer') this.#handled.set(event.id, index)
    }
  }

  write(event: Event, index: number): void {
    if (isStep(event)) this.#step(event, index)
    else this.#act(event, index)
  }

  #step(step: Step, index: number): void {
    const { on, who, stopped, crash, unhandled, broken, entered, facts } = step
    const isNamed = on.what === 'mail' && (on.again || !this.#sent.has(on.id))
    const what = on.what === 'timer' ? on.id : isNamed ? on.type : ''
    const flags =
      (unhandled ? UNHANDLED : 0) + (crash ? CRASHED : 0) + (stopped ? STOPPED : 0) + (broken.length > 0 ? BROKE : 0)
    this.#event(this.#lane(who), step.at, on.what, what, stateName(step.state))
    if (flags > 0) this.events.flags.push(index, flags)
    for (const { chart, key, state } of entered) {
      const names = [chart, String(key), state].map((text) => this.#texts.of(text))
      this.events.entered.push(index, ...names)
    }
    const cause = this.#causeOf(step)
    if (cause !== undefined) this.events.links.push(index, 0, cause)
    if (crash) this.events.remarks.push(index, this.#texts.of(`${crash.error}: ${crash.message}`))
    if (broken.length > 0) this.events.remarks.push(index, this.#texts.of(broken.join('; ')))
    for (const fact of facts) {
      const place = this.#contents.of(fact)
      if (place >= 0) this.events.facts.push(index, place)
    }
    this.#send(step.sends, index)
    this.#last.set(who, index)
    if (on.what === 'start') this.#starts.set(who, index)
    if (stopped) this.#stops.set(who, index)
  }

  /** The event that led to a step, unless an actor's message did. */
  #causeOf({ on, who }: Step): number | undefined {
    if (on.what === 'start') return this.#begins.get(who)
    if (on.what === 'mail' && on.again) return this.#handled.get(on.id)
    // a timer that no mail of another actor led to was set because of the start
    if (on.what === 'timer') return this.#handled.get(on.cause ?? '') ?? this.#starts.get(who)
    if (this.#sent.has(on.id)) return undefined
    const order = this.#orders.get(on.id)
    if (order !== undefined) return order
    const address = String(on.message['address'])
    return on.type === 'left' ? this.#stops.get(address) : this.#spawns.get(address)
  }

  #act(event: SystemEvent, index: number): void {
    this.#event(0, event.at, event.type, systemEventName(event), '')
    const who = whomOf(event)
    const cause = isLife(event) ? this.#causeOfLife(event.incarnation) : undefined
    if (who !== undefined) this.events.links.push(index, this.#lane(who), cause ?? -1)
    if (event.type === 'spawn') this.#spawns.set(event.incarnation.who, index)
    if (event.type === 'begin') this.#begins.set(event.incarnation.who, index)
    if (event.type === 'computed') this.#orders.set(event.order, index)
    this.#send(event.type === 'send' ? [event.sent] : [], index)
  }

  /** A new incarnation comes after all of the one before; the first of a child comes after its parent's order. */
  #causeOfLife({ who, parent }: Incarnation): number | undefined {
    return this.#last.get(who) ?? (parent === null ? undefined : this.#last.get(parent))
  }

  #event(lane: number, at: number, kind: Kind, what: string, state: string): void {
    const { events } = this
    events.lane.push(lane)
    events.later.push(at - this.#now)
    events.kind.push(KINDS.indexOf(kind))
    events.what.push(this.#texts.of(what))
    events.state.push(this.#texts.of(state))
    this.#now = at
  }

  #send(all: readonly Sent[], index: number): void {
    this.events.sends.push(all.length)
    const { to, type, topic, way, handled, lost, content } = this.sends
    for (const { id, to: whom, at, due, message } of all) {
      to.push(this.#lane(whom))
      type.push(this.#texts.of(message.type))
      topic.push(this.#texts.of(topicOf(message)))
      way.push(due === null ? -1 : due - at)
      handled.push((this.#handled.get(id) ?? index) - index)
      const reason = this.#reasons.get(id)
      if (reason !== undefined) lost.push(content.length, this.#texts.of(reason))
      content.push(this.#contents.of(message))
    }
  }

  /** The lane of an actor; mail to an address that never existed goes to the system's lane. */
  #lane(who: string): number {
    return this.#lanes.get(who) ?? 0
  }
}

const isLife = (event: SystemEvent): event is Extract<SystemEvent, { type: 'spawn' | 'died' | 'ended' }> =>
  event.type === 'spawn' || event.type === 'died' || event.type === 'ended'

function whomOf(event: SystemEvent): string | undefined {
  if (isLife(event) || event.type === 'begin') return event.incarnation.who
  return event.type === 'gave up' || event.type === 'computed' ? event.who : undefined
}
