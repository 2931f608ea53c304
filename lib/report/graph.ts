/** The causal graph of a run's events, computed from columns for the page. It needs no browser. */
import { parentOf } from '../core/address.ts'
import { KINDS, type Kind, type ShownRun } from './types.ts'

/** A conversation of an actor, which has a child chart. */
export interface Conversation {
  /** The name of the chart and the key, such as `task 3`. */
  readonly name: string
  readonly chart: string
  /** The path of its last state. */
  readonly state: string
}

/** The events of a run, each with its cause, its message and its neighbours; -1 stands for none. */
export class Graph {
  readonly run: ShownRun
  readonly count: number
  readonly at: Float64Array
  /** For each event, the event before it in its lane. */
  readonly before: Int32Array
  /** For each event, its cause: the event that sent its message or led to its timer, or the act of the system before it. */
  readonly cause: Int32Array
  /** For each event, the message that it handled. */
  readonly mail: Int32Array
  /** For each event of the system, the lane of the actor that it is about; 0 for none. */
  readonly about: Int32Array
  /** For each event, its outcomes other than messages, as bits (see `UNHANDLED`). */
  readonly flags: Uint8Array
  /** For each event, the number of its first message; one entry more than events. */
  readonly sends: Int32Array
  /** For each message, the event that sent it; `handler` has the event that handled it. */
  readonly sender: Int32Array
  readonly handler: Int32Array
  /** For each message, the reason why it is a dead letter, as a text; 0 if it is none. */
  readonly reason: Int32Array
  /** The events of each lane. */
  readonly lanes: readonly number[][]
  /** For each lane, that of its actor's parent. */
  readonly parent: Int32Array
  /** The lanes from top to bottom: each child below its parent, siblings in the order of spawning. */
  readonly tree: readonly number[]
  /** The column of each event. Events in one column are concurrent and in different lanes; time never decreases along columns. */
  readonly column: Int32Array
  /** The states that conversations entered, by event. */
  readonly #entered = new Map<number, Conversation[]>()

  constructor(run: ShownRun) {
    const { events, sends } = run
    this.run = run
    this.count = events.lane.length
    this.at = new Float64Array(this.count)
    this.before = new Int32Array(this.count).fill(-1)
    this.cause = new Int32Array(this.count).fill(-1)
    this.mail = new Int32Array(this.count).fill(-1)
    this.about = new Int32Array(this.count)
    this.flags = new Uint8Array(this.count)
    this.reason = new Int32Array(sends.to.length)
    spread(events.flags, this.flags)
    spread(sends.lost, this.reason)
    for (let i = 0; i < events.entered.length; i += 4) {
      const [event = 0, ...texts] = events.entered.slice(i, i + 4)
      const [chart = '', key = '', state = ''] = texts.map((index) => this.text(index))
      const all = this.#entered.get(event) ?? []
      this.#entered.set(event, [...all, { name: `${chart} ${key}`, chart, state }])
    }
    this.sends = new Int32Array(this.count + 1)
    this.sender = new Int32Array(sends.to.length)
    this.handler = new Int32Array(sends.to.length).fill(-1)
    this.lanes = run.lanes.map(() => [])
    this.parent = parentsIn(run)
    this.tree = treeOf(this.parent)
    this.#link()
    this.column = this.#columns()
  }

  /** The instant where the shown events begin: 0, or the beginning of the window of a live page. */
  get begins(): number {
    const { window } = this.run
    return window ? (this.at[window.standing] ?? 0) : 0
  }

  /** How many parents are above the actor of a lane. */
  depth(lane: number): number {
    const parent = this.parent[lane] ?? -1
    return parent < 0 ? 0 : 1 + this.depth(parent)
  }

  kind(event: number): Kind {
    return KINDS[this.run.events.kind[event] ?? 0] ?? 'start'
  }

  text(index: number | undefined): string {
    return this.run.texts[index ?? 0] ?? ''
  }

  lane(event: number): number {
    return this.run.events.lane[event] ?? 0
  }

  laneName(lane: number): string {
    return this.run.lanes[lane]?.name ?? ''
  }

  /** The states of the statechart after an event, `-` where a machine has none. */
  state(event: number): string {
    return this.text(this.run.events.state[event])
  }

  /** The states of the statechart before an event; '' where an incarnation begins. */
  stateBefore(event: number): string {
    return this.kind(event) === 'start' ? '' : this.state(this.before[event] ?? -1)
  }

  /** The states that conversations entered in an event. */
  enteredIn(event: number): readonly Conversation[] {
    return this.#entered.get(event) ?? []
  }

  /** The conversations of a lane's actor after an event, by name, each with its last state. */
  conversations(lane: number, event: number): ReadonlyMap<string, Conversation> {
    const last = new Map<string, Conversation>()
    for (const own of this.lanes[lane] ?? []) {
      if (own > event) break
      if (this.kind(own) === 'start') last.clear()
      for (const one of this.enteredIn(own)) last.set(one.name, one)
    }
    return last
  }

  /** The name of an event: the type of message or timer that was handled, or the act of the system. */
  name(event: number): string {
    const mail = this.mail[event] ?? -1
    if (mail >= 0 && this.kind(event) === 'mail') return this.text(this.run.sends.type[mail])
    return this.text(this.run.events.what[event]) || this.kind(event)
  }

  /** Whether a message became a dead letter that nobody handled. */
  isLost(send: number): boolean {
    return (this.reason[send] ?? 0) > 0 && (this.handler[send] ?? -1) < 0
  }

  /** Whether any message is about a task or job with this id. */
  isTopic(id: string): boolean {
    const { sends, texts } = this.run
    const index = texts.indexOf(id)
    return index > 0 && sends.topic.includes(index)
  }

  /** The messages that an event sent. */
  sentBy(event: number): number[] {
    const [from = 0, to = 0] = [this.sends[event], this.sends[event + 1]]
    return Array.from({ length: to - from }, (_, i) => from + i)
  }

  /** The last event of a lane at or before another event, by their order; -1 if there is none. */
  lastOf(lane: number, event: number): number {
    const own = this.lanes[lane] ?? []
    const place = countUpTo(own, (one) => one <= event)
    return own[place - 1] ?? -1
  }

  /** Says whether the actor of a lane is dead at an event. */
  isDead(lane: number, event: number): boolean {
    for (let other = event; other >= 0; other--) {
      if (this.lane(other) === lane) return false
      if (this.about[other] === lane && ['died', 'ended'].includes(this.kind(other))) return true
    }
    return false
  }

  /** The last event at or before an instant, in any of the lanes (default: all); -1 if there is none. */
  lastAt(time: number, lanes?: readonly number[]): number {
    const isBy = (event: number): boolean => (this.at[event] ?? 0) <= time
    if (!lanes) return countUpTo(this.at, (at) => at <= time) - 1
    return Math.max(
      -1,
      ...lanes.map((lane) => this.lanes[lane] ?? []).map((own) => own[countUpTo(own, isBy) - 1] ?? -1),
    )
  }

  /** The chain of causes that led to an event: from the event itself back, each with the one that caused it. */
  chain(event: number): readonly number[] {
    const chain: number[] = []
    // a cause may stand after its effect, as an answer does; no chain has a loop
    for (let next = event; next >= 0 && chain.length < this.count; next = this.cause[next] ?? -1) chain.push(next)
    return chain
  }

  /** Marks with 1 an event and the chain of causes that led to it. */
  led(event: number): Uint8Array {
    const marks = new Uint8Array(this.count)
    for (const one of this.chain(event)) marks[one] = 1
    return marks
  }

  /** Marks with 1 an event and those whose chains of causes it is in. */
  consequences(event: number): Uint8Array {
    return this.#after(event, [this.cause])
  }

  /** Marks with 1 an event and its causal past. */
  past(event: number): Uint8Array {
    const marks = new Uint8Array(this.count)
    const open = [event]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next < 0 || marks[next]) continue
      marks[next] = 1
      open.push(this.before[next] ?? -1, this.cause[next] ?? -1)
    }
    return marks
  }

  /** Marks with 1 an event and its causal future. */
  future(event: number): Uint8Array {
    return this.#after(event, [this.before, this.cause])
  }

  /** Marks with 1 an event and all that come after it, by any of these links from each event to one before it. */
  #after(event: number, links: readonly Int32Array[]): Uint8Array {
    const marks = new Uint8Array(this.count)
    marks[event] = 1
    // an answer stands before the step that sent it, so one pass may not be enough
    for (let isNew = true; isNew; ) {
      isNew = false
      for (let i = 0; i < this.count; i++) {
        if (marks[i] || !links.some((link) => marks[link[i] ?? -1] === 1)) continue
        marks[i] = 1
        if ((this.cause[i] ?? -1) > i) isNew = true
      }
    }
    return marks
  }

  #link(): void {
    const { events, sends } = this.run
    let [now, next] = [0, 0]
    for (let event = 0; event < this.count; event++) {
      const lane = this.lanes[events.lane[event] ?? 0]
      now += events.later[event] ?? 0
      this.at[event] = now
      this.before[event] = lane?.at(-1) ?? -1
      lane?.push(event)
      this.sends[event] = next
      for (const end = next + (events.sends[event] ?? 0); next < end; next++) {
        this.sender[next] = event
        const later = sends.handled[next] ?? 0
        if (later === 0) continue
        this.handler[next] = event + later
        this.cause[event + later] = event
        this.mail[event + later] = next
      }
    }
    this.sends[this.count] = next
    for (let i = 0; i + 2 < events.links.length; i += 3) {
      const [event = 0, about = 0, cause = -1] = events.links.slice(i, i + 3)
      this.about[event] = about
      if (cause >= 0) this.cause[event] = cause
    }
  }

  #columns(): Int32Array {
    const columns = new Int32Array(this.count)
    let [instant, base, most] = [Number.NEGATIVE_INFINITY, 0, -1]
    for (let event = 0; event < this.count; event++) {
      const at = this.at[event] ?? 0
      if (at > instant) [instant, base] = [at, most + 1]
      const after = (other: number | undefined): number =>
        other !== undefined && other >= 0 && other < event ? (columns[other] ?? 0) + 1 : 0
      const column = Math.max(base, after(this.before[event]), after(this.cause[event]))
      columns[event] = column
      most = Math.max(most, column)
    }
    return columns
  }
}

/** Writes values into an array: `pairs` are places and values. */
function spread(pairs: readonly number[], into: Uint8Array | Int32Array): void {
  for (let i = 0; i + 1 < pairs.length; i += 2) into[pairs[i] ?? 0] = pairs[i + 1] ?? 0
}

/** Binary search: the number of leading items that hold, where none holds after one that does not. */
export function countUpTo<T>(items: ArrayLike<T>, holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) low = middle + 1
    else high = middle
  }
  return low
}

function parentsIn({ lanes }: ShownRun): Int32Array {
  const places = new Map(lanes.map(({ name }, lane) => [name, lane]))
  return Int32Array.from(lanes, ({ name }) => places.get(parentOf(name) ?? '') ?? -1)
}

/** All lanes, each after its parent and the children before it. */
function treeOf(parents: Int32Array): number[] {
  const children = new Map<number, number[]>()
  for (const [lane, parent] of parents.entries()) {
    const siblings = children.get(parent)
    if (siblings) siblings.push(lane)
    else children.set(parent, [lane])
  }
  const below = (parent: number): number[] => (children.get(parent) ?? []).flatMap((lane) => [lane, ...below(lane)])
  return below(-1)
}
