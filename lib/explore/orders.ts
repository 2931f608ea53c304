/**
 * Dynamic partial order reduction: yields every order of events of a world once, by source sets and sleep sets (Abdulla, Aronis,
 * Jonsson and Sagonas 2014, "Optimal dynamic partial order reduction"). Two steps depend on each other if one actor
 * takes both, or if one sends what the other handles. So an order is the sequence of events of each actor.
 */
import type { PendingEventName } from '../actor/schedule.ts'
import { CLOCK, type World, type WorldChoice, type Worlds } from './world.ts'

/** The events that each actor handles, by slot, and the world at the end. */
export interface PredictedOrder {
  readonly things: ReadonlyMap<number, readonly PendingEventName[]>
  readonly end: World
  /** Whether the order was cut at the most steps. */
  readonly isCut: boolean
}

export interface Bounds {
  /** The most deviations from the first order on the way to another; Infinity for all orders. */
  readonly depth: number
  /** The most steps of an order; a longer one is cut. */
  readonly steps: number
  /** Called where the tree of orders branches: the actor of a slot can handle either of two events first. */
  readonly onBranch?: (slot: number, events: readonly [string, string]) => void
}

/** One source of events of one actor. */
type Lane = number
const laneOf = ({ slot, thing }: WorldChoice): Lane => slot * LANES + thing.source + 1
const slotOf = (lane: Lane): number => Math.floor(lane / LANES)
const LANES = 4096

/** The type of a message, or `timer` and the type of its event. */
const typeOf = ({ thing: { source, event } }: WorldChoice): string =>
  source === CLOCK ? `timer ${event.type}` : event.type

/** A step of the current order. */
interface Event {
  readonly lane: Lane
  readonly slot: number
  readonly name: PendingEventName
  readonly type: string
  /** The number of earlier steps of its actor. */
  readonly place: number
  /** A vector clock, by slot: the steps of that actor that happen before this one, itself included. */
  readonly clock: readonly number[]
}

/** A step that the search returns to for other orders. */
interface BacktrackPoint {
  /** The lanes to explore from here (the source set). */
  readonly lanes: Set<Lane>
}

export function* ordersOf(worlds: Worlds, bounds: Bounds): Generator<PredictedOrder> {
  yield* new Search(worlds, bounds).from(worlds.first, new Set(), 0)
}

class Search {
  readonly #worlds: Worlds
  readonly #bounds: Bounds
  readonly #events: Event[] = []
  readonly #backtrackPoints: BacktrackPoint[] = []
  /** The last event of each actor, by slot. */
  readonly #last: number[] = []

  constructor(worlds: Worlds, bounds: Bounds) {
    this.#worlds = worlds
    this.#bounds = bounds
  }

  /** All orders that begin with the current one. Lanes in the sleep set need not come next, as those orders have been run. */
  *from(world: World, sleeping: ReadonlySet<Lane>, depth: number): Generator<PredictedOrder> {
    const choices = new Map(this.#worlds.choicesIn(world).map((choice) => [laneOf(choice), choice]))
    const isCut = this.#events.length >= this.#bounds.steps
    if (choices.size === 0 || isCut) {
      yield { things: this.#things(), end: world, isCut: isCut && choices.size > 0 }
      return
    }
    const awake = earliest([...choices.values()].filter((choice) => !sleeping.has(laneOf(choice))))
    if (!awake) return
    const wanted = new Set([laneOf(awake)])
    const asleep = new Set(sleeping)
    this.#backtrackPoints.push({ lanes: wanted })
    let taken = 0
    // the set grows during the loop
    for (const lane of wanted) {
      const choice = choices.get(lane)
      if (!choice || asleep.has(lane)) continue
      // other pending events of this actor can come first as well
      for (const other of choices.keys()) if (slotOf(other) === choice.slot) wanted.add(other)
      const more = depth + (taken++ > 0 ? 1 : 0)
      if (more > this.#bounds.depth) break
      if (choice !== awake && choice.slot === awake.slot)
        this.#bounds.onBranch?.(choice.slot, [typeOf(awake), typeOf(choice)])
      yield* this.#deps(choice, world, asleep, more)
      asleep.add(lane)
    }
    this.#backtrackPoints.pop()
  }

  *#deps(choice: WorldChoice, world: World, asleep: ReadonlySet<Lane>, depth: number): Generator<PredictedOrder> {
    const { slot } = choice
    const before = this.#last[slot]
    const event = this.#eventOf(choice, before)
    if (before !== undefined) this.#reverse(before, event, choice)
    const place = this.#events.push(event) - 1
    this.#last[slot] = place
    const after = this.#worlds.after(world, choice, place)
    yield* this.from(after, new Set([...asleep].filter((lane) => slotOf(lane) !== slot)), depth)
    this.#events.pop()
    if (before === undefined) delete this.#last[slot]
    else this.#last[slot] = before
  }

  #eventOf(choice: WorldChoice, before: number | undefined): Event {
    const { slot, thing } = choice
    const [own, cause] = [this.#at(before), this.#at(thing.sentBy < 0 ? undefined : thing.sentBy)]
    const place = own ? own.place + 1 : 0
    const clock = this.#worlds.first.map((_, i) => Math.max(own?.clock[i] ?? 0, cause?.clock[i] ?? 0))
    clock[slot] = place + 1
    return { lane: laneOf(choice), slot, name: thing.name, type: typeOf(choice), place, clock }
  }

  #at = (place: number | undefined): Event | undefined => (place === undefined ? undefined : this.#events[place])

  /**
   * Reverses a race: the new mail could have come before an earlier event of its actor, had its causes been faster. Then one
   * of its causes must be explored at the point where that event was chosen.
   */
  #reverse(before: number, event: Event, { thing }: WorldChoice): void {
    const [earlier, cause] = [this.#events[before], this.#at(thing.sentBy < 0 ? undefined : thing.sentBy)]
    const wanted = this.#backtrackPoints[before]?.lanes
    if (!earlier || !wanted || !cause || earlier.lane === event.lane || comesBefore(earlier, cause)) return
    const free = [...this.#events.slice(before + 1).filter((one) => !comesBefore(earlier, one)), event]
    const initials = free.filter((one, i) => !free.slice(0, i).some((other) => comesBefore(other, one)))
    if (initials.some(({ lane }) => wanted.has(lane))) return
    const [first] = initials
    if (!first) return
    wanted.add(first.lane)
    this.#bounds.onBranch?.(event.slot, [earlier.type, event.type])
  }

  #things(): ReadonlyMap<number, readonly PendingEventName[]> {
    const things = new Map<number, PendingEventName[]>()
    for (const { slot, name } of this.#events) things.set(slot, [...(things.get(slot) ?? []), name])
    return things
  }
}

/** The choice of the earliest time, which gives the first order. */
const earliest = (choices: readonly WorldChoice[]): WorldChoice | undefined =>
  choices.reduce(
    (first: WorldChoice | undefined, choice) => (first && first.at <= choice.at ? first : choice),
    undefined,
  )

const comesBefore = (one: Event, other: Event): boolean => (other.clock[one.slot] ?? 0) > one.place
