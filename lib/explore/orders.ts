/**
 * Every order in which the actors of a world can handle things, each once: source sets and sleep sets (Abdulla, Aronis,
 * Jonsson and Sagonas 2014, "Optimal dynamic partial order reduction"). Two steps depend on each other if one actor
 * takes both, or if one sends what the other handles; so an order is what each actor handles, in its order.
 */
import type { PendingEventName } from '../actor/schedule.ts'
import type { World, WorldChoice, Worlds } from './world.ts'

/** What each actor handles, by slot, and where that ends. */
export interface Order {
  readonly things: ReadonlyMap<number, readonly PendingEventName[]>
  readonly end: World
  /** It could have gone on. */
  readonly isCut: boolean
}

export interface Bounds {
  /** Most times that something else comes first on the way to one order; Infinity for all orders. */
  readonly depth: number
  /** An order of more steps is cut. */
  readonly steps: number
}

/** Where the next thing comes from: one source of one actor. */
type Lane = number
const laneOf = ({ slot, thing }: WorldChoice): Lane => slot * LANES + thing.source + 1
const slotOf = (lane: Lane): number => Math.floor(lane / LANES)
const LANES = 4096

/** A step of the order at hand. */
interface Event {
  readonly lane: Lane
  readonly slot: number
  readonly name: PendingEventName
  /** How many steps its actor took before. */
  readonly place: number
  /** By slot: how many steps of that actor come before it in every run that has it, itself included. */
  readonly clock: readonly number[]
}

/** Where an order can be left for another. */
interface Fork {
  /** Lanes to be taken from here, in some order or another. */
  readonly wanted: Set<Lane>
}

export function* ordersOf(worlds: Worlds, bounds: Bounds): Generator<Order> {
  yield* new Search(worlds, bounds).from(worlds.first, new Set(), 0)
}

class Search {
  readonly #worlds: Worlds
  readonly #bounds: Bounds
  readonly #events: Event[] = []
  readonly #forks: Fork[] = []
  /** By slot: the last event of each actor. */
  readonly #last: number[] = []

  constructor(worlds: Worlds, bounds: Bounds) {
    this.#worlds = worlds
    this.#bounds = bounds
  }

  /** All orders that begin as the one at hand. What sleeps need not come next: it has been had. */
  *from(world: World, sleeping: ReadonlySet<Lane>, depth: number): Generator<Order> {
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
    this.#forks.push({ wanted })
    let taken = 0
    // it grows while it is gone through
    for (const lane of wanted) {
      const choice = choices.get(lane)
      if (!choice || asleep.has(lane)) continue
      // what is there already can come first as well
      for (const other of choices.keys()) if (slotOf(other) === choice.slot) wanted.add(other)
      const more = depth + (taken++ > 0 ? 1 : 0)
      if (more > this.#bounds.depth) break
      yield* this.#with(choice, world, asleep, more)
      asleep.add(lane)
    }
    this.#forks.pop()
  }

  *#with(choice: WorldChoice, world: World, asleep: ReadonlySet<Lane>, depth: number): Generator<Order> {
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
    return { lane: laneOf(choice), slot, name: thing.name, place, clock }
  }

  #at = (place: number | undefined): Event | undefined => (place === undefined ? undefined : this.#events[place])

  /**
   * If mail that has come could have come before what its actor handled last, had all that led to it been faster: then
   * something that leads to it has to be wanted where that was chosen.
   */
  #reverse(before: number, event: Event, { thing }: WorldChoice): void {
    const [earlier, cause] = [this.#events[before], this.#at(thing.sentBy < 0 ? undefined : thing.sentBy)]
    const wanted = this.#forks[before]?.wanted
    if (!earlier || !wanted || !cause || earlier.lane === event.lane || comesBefore(earlier, cause)) return
    const free = [...this.#events.slice(before + 1).filter((one) => !comesBefore(earlier, one)), event]
    const initials = free.filter((one, i) => !free.slice(0, i).some((other) => comesBefore(other, one)))
    if (initials.some(({ lane }) => wanted.has(lane))) return
    const [first] = initials
    if (first) wanted.add(first.lane)
  }

  #things(): ReadonlyMap<number, readonly PendingEventName[]> {
    const things = new Map<number, PendingEventName[]>()
    for (const { slot, name } of this.#events) things.set(slot, [...(things.get(slot) ?? []), name])
    return things
  }
}

/** The first order of all is that of the clock. */
const earliest = (choices: readonly WorldChoice[]): WorldChoice | undefined =>
  choices.reduce(
    (first: WorldChoice | undefined, choice) => (first && first.at <= choice.at ? first : choice),
    undefined,
  )

const comesBefore = (one: Event, other: Event): boolean => (other.clock[one.slot] ?? 0) > one.place
