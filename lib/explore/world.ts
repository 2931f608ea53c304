/**
 * All actors of a run at one moment, as a value: whatever one of them handles next makes another world, and the old one
 * can be gone on with as well. What actors do is what their cells do, with one difference: there is no clock but each
 * actor's own. It handles a thing when it is due, or at once if it has handled something later before; that is when it
 * would handle it in a run whose schedule has the same order (lib/actor/schedule.ts).
 */

import type { Directory } from '../actor/directory.ts'
import type { Effect } from '../actor/effect.ts'
import { stepContextOf } from '../actor/incarnation.ts'
import { arrivals, copies, type NetworkOptions } from '../actor/network.ts'
import { HOLD_MAX, nameOfPending, type PendingEventName } from '../actor/schedule.ts'
import { enterStep, leaveStep } from '../actor/step-context.ts'
import { type Address, isGroup, machineOf } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import { summaryOf } from '../core/thrown.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import type { Engine } from '../engine/engine.ts'
import type { State } from '../replay/replica.ts'
import { fingerprint } from './fingerprint.ts'
import { BEGINNING, compareInstants, dueAfter, type Instant, later } from './instant.ts'

/** What is promised of a run may depend on how much mail was lost (ending.ts), whoever lost it when. */
const LOSS = { type: 'loss' }

/** What an actor has not handled yet. */
interface WorldEvent {
  readonly name: PendingEventName
  /** Who sent it, a slot; of a timer CLOCK. What is of one source comes in its order. */
  readonly source: number
  readonly due: Instant
  readonly event: Message
  /** What its actor makes of it depends on this text alone. */
  readonly text: string
  /** The event of the order of steps that sent it; of a timer -1: its actor set it itself. */
  readonly sentBy: number
}

interface WorldTimer extends WorldEvent {
  readonly id: string
  readonly n: number
}

export const CLOCK = -1

/** A state of a machine, and what it does in it: equal states of one machine are one `Known`. */
interface Known {
  readonly number: number
  readonly state: State
  readonly isOver: boolean
  readonly steps: Map<string, StepOutcome>
}

/** What a step comes to; `crash` if it threw. What stops is refused: others would be told of it. */
type StepOutcome = { readonly known: Known; readonly effects: readonly Effect[] } | { readonly crash: string }

interface Actor {
  readonly known: Known
  /** When it took its last step. */
  readonly now: Instant
  readonly mail: readonly WorldEvent[]
  readonly timers: readonly WorldTimer[]
  readonly timersSet: number
  readonly sent: number
  /** By recipient. */
  readonly links: ReadonlyMap<number, { readonly sent: number; readonly lastDue: Time }>
  /** The number of all that it has told so far, and when. */
  readonly told: number
}

/** By slot; 0 is the system's, which does nothing. */
export type World = readonly (Actor | undefined)[]

/** What could be handled next. */
export interface WorldChoice {
  readonly slot: number
  readonly thing: WorldEvent
  readonly at: Time
  readonly moment: Instant
}

/** What a run's actors are, and what they are given. */
export interface ActorSet {
  readonly seed: number
  readonly network: NetworkOptions
  readonly directory: Directory
  /** Nothing is handled later. */
  readonly until: Time
  /** In slot order. */
  readonly actors: readonly {
    readonly slot: number
    readonly address: Address
    readonly engine: Engine<State>
    readonly input: unknown
  }[]
}

export class Worlds {
  readonly first: World
  readonly #cast: ActorSet
  readonly #who: ReadonlyMap<number, ActorSet['actors'][number]>
  readonly #numbers = new Map<string, number>()
  readonly #known = new Map<string, Known>()
  /** Of actors, which many worlds share, too. */
  readonly #choices = new WeakMap<Actor, readonly WorldChoice[]>()
  #alone = 0
  /** Of effects, which many worlds share. */
  readonly #texts = new WeakMap<object, string>()

  /** All have started. Throws what a machine throws at its start. */
  constructor(cast: ActorSet) {
    this.#cast = cast
    this.#who = new Map(cast.actors.map((who) => [who.slot, who]))
    const world: (Actor | undefined)[] = []
    const unborn = { now: BEGINNING, mail: [], timers: [], timersSet: 0, sent: 0, links: new Map(), told: 0 }
    const starts = cast.actors.map((who) => {
      const [state, effects] = this.#within(who.address, 0, () => who.engine.initial(who.input))
      const known = this.#knownOf(who.slot, state)
      world[who.slot] = { ...unborn, known }
      return { slot: who.slot, outcome: { known, effects } }
    })
    this.first = starts.reduce(
      (now, { slot, outcome }) => this.#carriedOut(now, slot, outcome, BEGINNING, -1),
      world as World,
    )
  }

  /** Of each source of each actor the first thing. */
  choicesIn(world: World): WorldChoice[] {
    return world.flatMap((actor, slot) => {
      if (!actor) return []
      const known = this.#choices.get(actor)
      if (known) return known
      const choices = this.#choicesOf(actor, slot)
      this.#choices.set(actor, choices)
      return choices
    })
  }

  /** `by` numbers the step, as `sentBy` of what it sends. */
  after(world: World, { slot, thing, at, moment }: WorldChoice, by: number): World {
    const actor = world[slot]
    if (!actor) return world
    const left = [...world]
    const isTimer = thing.source === CLOCK
    left[slot] = {
      ...actor,
      now: moment,
      ...(isTimer
        ? { timers: actor.timers.filter((one) => one !== thing) }
        : { mail: actor.mail.filter((one) => one !== thing) }),
    }
    return this.#carriedOut(left, slot, this.#stepOf(actor.known, slot, thing, at), moment, by)
  }

  /** Equal for two worlds whose actors have told the same, each at the same times and in the same order. */
  toldIn(world: World): string {
    return world.map((actor) => actor?.told).join()
  }

  #choicesOf({ known, now, mail, timers }: Actor, slot: number): WorldChoice[] {
    if (known.isOver) return []
    const sources = new Set<number>()
    const firsts: WorldEvent[] = mail.filter(({ source }) => !sources.has(source) && sources.add(source))
    const [timer] = timers.length > 1 ? timers.toSorted(byClock) : timers
    if (timer) firsts.push(timer)
    const oldest = Math.min(...firsts.map(({ due }) => due.at))
    return firsts.flatMap((thing) => {
      const moment = later(now, thing.due)
      const { at } = moment
      return at - oldest > HOLD_MAX || at > this.#cast.until ? [] : [{ slot, thing, at, moment }]
    })
  }

  #stepOf(known: Known, slot: number, { event, text }: WorldEvent, at: Time): StepOutcome {
    const key = `${at} ${text}`
    const had = known.steps.get(key)
    if (had) return had
    const outcome = this.#tried(known, slot, event, at)
    known.steps.set(key, outcome)
    return outcome
  }

  #tried({ state }: Known, slot: number, event: Message, at: Time): StepOutcome {
    const who = this.#who.get(slot)
    if (!who) throw new RangeError(`expected an actor in slot ${slot}, got none`)
    try {
      const [next, effects] = this.#within(who.address, at, () => who.engine.step(state, event))
      return { known: this.#knownOf(slot, next), effects }
    } catch (error) {
      return { crash: summaryOf(error) }
    }
  }

  #within<T>(address: Address, now: Time, run: () => T): T {
    try {
      enterStep(stepContextOf(this.#cast.seed, { address, incarnation: 0 }, () => now))
      return run()
    } finally {
      leaveStep()
    }
  }

  #knownOf(slot: number, state: State): Known {
    const engine = this.#who.get(slot)?.engine
    const view = engine?.view(state)
    const print = fingerprint([slot, view?.value, view?.context, view?.status])
    const known = print === undefined ? undefined : this.#known.get(print)
    if (known) return known
    const number = this.#known.size
    const fresh = { number, state, isOver: view?.status !== 'active', steps: new Map() }
    this.#known.set(print ?? `alone ${number}`, fresh)
    return fresh
  }

  #carriedOut(world: World, slot: number, outcome: StepOutcome, now: Instant, by: number): World {
    const { at } = now
    const after = [...world]
    const actor = after[slot]
    if (!actor) return world
    if ('crash' in outcome) {
      // of what the run comes to then nothing is foretold
      const known = { ...actor.known, isOver: true }
      after[slot] = { ...actor, known, mail: [], timers: [], told: this.#toldAfter(actor.told, at, outcome) }
      return after
    }
    let { timers, timersSet, sent, links, told } = actor
    const { known, effects } = outcome
    if (known.isOver) {
      const { address } = this.#who.get(slot) ?? { address: '' }
      throw UsageError.requires('--strategy exhaustive', `actors that stay, but ${address} stops`)
    }
    for (const effect of effects) {
      switch (effect.type) {
        case 'tell': {
          const { to, message } = effect.params
          for (const recipient of this.#recipientsOf(to, slot)) {
            const id = () => nameOfPending({ from: slot, incarnation: 0, n: sent++, isTimer: false })
            const link = this.#isNear(slot, recipient) ? undefined : (links.get(recipient) ?? { sent: 0, lastDue: 0 })
            const dues = link ? this.#passing(link, slot, recipient, at) : [at]
            if (link) {
              links = new Map(links).set(recipient, { sent: link.sent + 1, lastDue: dues.at(-1) ?? link.lastDue })
            }
            if (dues.length === 0) {
              id() // what is lost has a name, too
              told = this.#toldAfter(told, 0, LOSS)
            }
            for (const due of dues) {
              post(after, recipient, this.#letter(id(), slot, message, dueAfter(now, due, 'mail'), by))
            }
          }
          break
        }
        case 'timer': {
          const { id, kind, delay, event } = effect.params
          const n = timersSet++
          const name = nameOfPending({ from: slot, incarnation: 0, n, isTimer: true })
          const text = `timer ${this.#textOf(event)}`
          const timer = { id, n, name, source: CLOCK, due: dueAfter(now, at + delay, kind), event, text, sentBy: -1 }
          timers = [...timers.filter((one) => one.id !== id), timer]
          break
        }
        case 'cancel':
          timers = timers.filter(({ id }) => id !== effect.params.id)
          break
        case 'observe':
        case 'persist':
          told = this.#toldAfter(told, at, effect)
      }
    }
    const mail = after[slot]?.mail ?? []
    after[slot] = { ...actor, mail, timers, known, timersSet, sent, links, told }
    return after
  }

  #toldAfter(told: number, at: Time, what: object): number {
    const text = `${told} ${at} ${this.#textOf(what)}`
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#numbers.size + 1
    this.#numbers.set(text, number)
    return number
  }

  #textOf(what: object): string {
    const known = this.#texts.get(what)
    if (known !== undefined) return known
    const text = fingerprint(what) ?? `alone ${this.#alone++}`
    this.#texts.set(what, text)
    return text
  }

  /** Slots; 0, the system, takes what it gets and does nothing. */
  #recipientsOf(to: Address, slot: number): readonly number[] {
    const { directory } = this.#cast
    if (isGroup(to)) return [...directory.membersOf(to)].filter((member) => member !== slot)
    return [directory.slotOf(to) ?? 0]
  }

  #isNear(slot: number, recipient: number): boolean {
    const [one, other] = [this.#who.get(slot), this.#who.get(recipient)]
    return !one || !other || machineOf(one.address) === machineOf(other.address)
  }

  #passing(link: { readonly sent: number; readonly lastDue: Time }, slot: number, to: number, at: Time) {
    const { network, seed } = this.#cast
    const [first, second] = copies(network, seed, slot, 0, to, link.sent)
    return first === undefined ? [] : arrivals(link.lastDue, at, first, second)
  }

  #letter(name: PendingEventName, slot: number, message: Message, due: Instant, sentBy: number): WorldEvent {
    const event = { ...message, from: this.#who.get(slot)?.address ?? '' }
    return { name, source: slot, due, event, text: `mail ${slot} ${this.#textOf(message)}`, sentBy }
  }
}

/** Who is over gets nothing any more. */
function post(world: (Actor | undefined)[], recipient: number, letter: WorldEvent): void {
  const actor = world[recipient]
  if (actor && !actor.known.isOver) world[recipient] = { ...actor, mail: [...actor.mail, letter] }
}

const byClock = (one: WorldTimer, other: WorldTimer): number => compareInstants(one.due, other.due) || one.n - other.n
