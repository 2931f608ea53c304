/**
 * The global state of a run: all actors at one moment. Worlds are immutable: each step makes a new world, and the old one
 * can still be extended. Actors do what their cells do, with one difference: each has a clock of its own. It handles an
 * event when it is due, or at once if it has handled a later one before. A run whose schedule has the same order handles
 * the event at the same time (lib/actor/schedule.ts).
 */

import { type Deferred, deferredAfter, NONE_DEFERRED, requireRest, takeReady } from '../actor/deferred.ts'
import type { Directory } from '../actor/directory.ts'
import { stepContextOf } from '../actor/incarnation.ts'
import { Inspection } from '../actor/inspection.ts'
import { arrivals, copies, type NetworkOptions } from '../actor/network.ts'
import { type ReceiveTimeout, timeoutAfter } from '../actor/receive-timeout.ts'
import { numbered, opened, requireFewAsks } from '../actor/requests.ts'
import { nameOfPending, type PendingEventName } from '../actor/schedule.ts'
import type { Incoming } from '../actor/step-context.ts'
import { deadlineIn, timersAfter } from '../actor/timers.ts'
import { type Address, machineOf, SYSTEM } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import { summaryOf } from '../core/thrown.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import type { Engine } from '../engine/engine.ts'
import { recipientsOf, type StepOutput, type Stepper, takeFirstStep, takeStep } from '../engine/step.ts'
import type { State } from '../replay/replica.ts'
import { requirePurityForTurn } from '../runtime/step-purity.ts'
import { fingerprint } from './fingerprint.ts'
import { BEGINNING, compareInstants, dueAfter, type Instant, later } from './instant.ts'

/** The record of a lost message. Invariants may depend on the number of losses (lib/scenario/outcome.ts), not on their time. */
const LOSS = { type: 'loss' }
/** The effects that the history of an actor tells. */
const TOLD: ReadonlySet<string> = new Set(['observe', 'persist', 'snapshot'])

/** An event that an actor has not handled yet. */
interface WorldEvent {
  readonly name: PendingEventName
  /** The sender's slot, or CLOCK for a timer. Events of one source come in their order. */
  readonly source: number
  readonly due: Instant
  readonly event: Message
  /** The request that the event makes, and the ask that it answers, as in `Incoming`. */
  readonly request?: Incoming['request']
  readonly answers?: Incoming['answers']
  /** A text that determines the step of its actor completely. */
  readonly text: string
  /** The place in the order of the step that sent it; -1 for a timer. */
  readonly sentBy: number
}

interface WorldTimer extends WorldEvent {
  readonly id: string
  readonly n: number
  readonly isDeadline?: true | undefined
}

export const CLOCK = -1

/** A state of a machine with its known steps: equal states of one machine share one `KnownState`. */
interface KnownState {
  readonly number: number
  readonly state: State
  /** The configuration of the statechart, as JSON. */
  readonly configuration: string
  readonly isOver: boolean
  readonly steps: Map<string, StepOutcome>
}

/** The result of a step; `crash` if it threw. Actors that stop are refused, since other actors would be told. */
type StepOutcome = { readonly known: KnownState; readonly output: StepOutput<State> } | { readonly crash: string }

interface Actor {
  readonly known: KnownState
  /** The instant of the actor's last step. */
  readonly now: Instant
  readonly mail: readonly WorldEvent[]
  readonly timers: readonly WorldTimer[]
  /** The messages that it keeps until its state changes. */
  readonly deferred: Deferred<WorldEvent>
  readonly receiveTimeout: ReceiveTimeout
  /** What it has checked of its messages. */
  readonly inspection: Inspection
  readonly timersSet: number
  readonly sent: number
  /** The state of each link, by recipient. */
  readonly links: ReadonlyMap<number, { readonly sent: number; readonly lastDue: Time }>
  /** The number that stands for the history of its facts and records. */
  readonly told: number
}

/** The actors by slot; slot 0 is the system, which does nothing. */
export type World = readonly (Actor | undefined)[]

/** An event that could be handled next. */
export interface WorldChoice {
  readonly slot: number
  readonly thing: WorldEvent
  readonly at: Time
  readonly moment: Instant
}

/** The actors of a run and their inputs. */
export interface ActorSet {
  readonly seed: number
  /** Whether clocks and random numbers of the process are refused in their steps. */
  readonly isPure: boolean
  readonly network: NetworkOptions
  readonly directory: Directory
  /** The most open asks of one actor. */
  readonly asks: number
  /** The most messages that one actor may defer. */
  readonly deferred: number
  /** How long an event can be held back after it is due. */
  readonly longestHold: Time
  /** The end of the run: nothing is handled later. */
  readonly until: Time
  /** The actors of the run, in the order of their slots. */
  readonly actors: readonly Member[]
}

interface Member {
  readonly slot: number
  readonly address: Address
  readonly engine: Engine<State>
  readonly input: unknown
}

export class Worlds {
  readonly first: World
  readonly #actors: ActorSet
  readonly #who: ReadonlyMap<number, Member>
  readonly #numbers = new Map<string, number>()
  readonly #known = new Map<string, KnownState>()
  /** The choices of each actor; many worlds share an actor. */
  readonly #choices = new WeakMap<Actor, readonly WorldChoice[]>()
  #alone = 0
  #cutHolds = 0
  /** The text of each effect; many worlds share an effect. */
  readonly #texts = new WeakMap<object, string>()

  /** Starts all actors. Throws what a machine throws at its start. */
  constructor(actors: ActorSet) {
    this.#actors = actors
    this.#who = new Map(actors.actors.map((who) => [who.slot, who]))
    const world: (Actor | undefined)[] = []
    const unborn = {
      now: BEGINNING,
      mail: [],
      timers: [],
      deferred: NONE_DEFERRED,
      receiveTimeout: null,
      inspection: new Inspection(),
      timersSet: 0,
      sent: 0,
      links: new Map(),
      told: 0,
    }
    const starts = actors.actors.map((who) => {
      const output = takeFirstStep(this.#stepperOf(who, 0), who.input)
      const known = this.#knownOf(who.slot, output)
      world[who.slot] = { ...unborn, known }
      return { slot: who.slot, outcome: { known, output } }
    })
    this.first = starts.reduce(
      (now, { slot, outcome }) => this.#carriedOut(now, slot, outcome, BEGINNING, -1),
      world as World,
    )
  }

  /** How many choices were left out, since an event would have been held back for too long. */
  get cutHolds(): number {
    return this.#cutHolds
  }

  /** The first event of each source of each actor. */
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

  /** The world after a step; `by` is the place of the step, which becomes `sentBy` of what it sends. */
  after(world: World, { slot, thing, moment }: WorldChoice, by: number): World {
    const actor = world[slot]
    if (!actor) return world
    const left = [...world]
    const closed = thing.answers && deadlineIn(actor.timers, thing.answers)
    left[slot] = {
      ...actor,
      now: moment,
      timers: actor.timers.filter((one) => one !== thing && one !== closed),
      mail: actor.mail.filter((one) => one !== thing),
    }
    return this.#handled(left, slot, thing, moment, by)
  }

  /** The world after an actor has handled an event, and then the deferred messages that may be handled again. */
  #handled(world: World, slot: number, thing: WorldEvent, moment: Instant, by: number): World {
    let after = world
    let next: WorldEvent | undefined = thing
    for (let steps = 0; next; steps++) {
      const actor: Actor | undefined = after[slot]
      if (!actor) break
      after = this.#afterOne(after, slot, actor, next, moment, by, steps)
      const [ready, deferred]: readonly [WorldEvent?, Deferred<WorldEvent>?] =
        takeReady(after[slot]?.deferred ?? NONE_DEFERRED) ?? []
      next = ready
      const then = after[slot]
      if (then && deferred) after = after.with(slot, { ...then, deferred })
    }
    return after
  }

  #afterOne(
    world: World,
    slot: number,
    actor: Actor,
    thing: WorldEvent,
    moment: Instant,
    by: number,
    steps: number,
  ): World {
    const { known } = actor
    const outcome = this.#stepOf(known, slot, thing, moment.at)
    try {
      requireRest(steps)
      if ('crash' in outcome) return this.#carriedOut(world, slot, outcome, moment, by)
      const isChanged = outcome.known.configuration !== known.configuration
      const own = outcome.output.defers ? thing : undefined
      const deferred = deferredAfter(actor.deferred, own, isChanged, this.#actors.deferred)
      return this.#carriedOut(world.with(slot, { ...actor, deferred }), slot, outcome, moment, by)
    } catch (error) {
      if (error instanceof UsageError) throw error
      return this.#carriedOut(world, slot, { crash: summaryOf(error) }, moment, by)
    }
  }

  /** A text that is equal for two worlds whose actors observed the same facts at the same times, each in the same order. */
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
      const isTooLong = at - oldest > this.#actors.longestHold
      if (isTooLong) this.#cutHolds++
      return isTooLong || at > this.#actors.until ? [] : [{ slot, thing, at, moment }]
    })
  }

  #stepOf(known: KnownState, slot: number, pending: WorldEvent, at: Time): StepOutcome {
    const key = `${at} ${pending.text}`
    const had = known.steps.get(key)
    if (had) return had
    const outcome = this.#tried(known, slot, pending, at)
    known.steps.set(key, outcome)
    return outcome
  }

  #tried({ state }: KnownState, slot: number, thing: WorldEvent, at: Time): StepOutcome {
    const { event, source, request } = thing
    const who = this.#who.get(slot)
    if (!who) throw new RangeError(`slot ${slot} has no actor`)
    const from = source === CLOCK ? who.address : (this.#who.get(source)?.address ?? '')
    try {
      const output = takeStep(this.#stepperOf(who, at), state, {
        event,
        from,
        ...(request && { request }),
        ...(source === CLOCK && { isTimer: true }),
      })
      return { known: this.#knownOf(slot, output), output }
    } catch (error) {
      return { crash: summaryOf(error) }
    }
  }

  /** Steps are shared by worlds, so what they send is inspected when a world carries them out. */
  #stepperOf({ address, engine }: Member, now: Time): Stepper<State> {
    const context = stepContextOf(this.#actors.seed, { address, incarnation: 0 }, { now })
    requirePurityForTurn()
    const { isPure, directory } = this.#actors
    return { engine, context, time: 'virtual', isPure, directory: () => directory }
  }

  #knownOf(slot: number, { state, view: { value, context, status } }: StepOutput<State>): KnownState {
    const print = fingerprint([slot, value, context, status])
    const known = print === undefined ? undefined : this.#known.get(print)
    if (known) return known
    const number = this.#known.size
    const fresh = { number, state, configuration: JSON.stringify(value), isOver: status !== 'active', steps: new Map() }
    this.#known.set(print ?? `alone ${number}`, fresh)
    return fresh
  }

  #carriedOut(world: World, slot: number, outcome: StepOutcome, now: Instant, by: number): World {
    const { at } = now
    const after = [...world]
    const actor = after[slot]
    if (!actor) return world
    if ('crash' in outcome) {
      // after a crash the rest of the run is not predicted
      const known = { ...actor.known, isOver: true }
      after[slot] = {
        ...actor,
        known,
        mail: [],
        timers: [],
        deferred: NONE_DEFERRED,
        told: this.#toldAfter(actor.told, at, outcome),
      }
      return after
    }
    let { timersSet, sent, links, told } = actor
    const { known, output } = outcome
    const who = { slot, machine: machineOf(this.#actors.directory.addressOf(slot)) }
    if (known.isOver) {
      const address = this.#actors.directory.addressOf(slot)
      throw UsageError.requires('--strategy exhaustive', `actors that stay, but ${address} stops`)
    }
    if (output.orders.length > 0) {
      const address = this.#actors.directory.addressOf(slot)
      const what = `actors that give the system no orders, but ${address} orders '${output.orders[0]?.type}'`
      throw UsageError.requires('--strategy exhaustive', what)
    }
    const { pending, receiveTimeout } = timeoutAfter(actor.receiveTimeout, output, at)
    const timersBefore = timersSet
    const timers = timersAfter(actor.timers, pending, ({ id, kind, event, due: dueAt, isDeadline }) => {
      const n = timersSet++
      const name = nameOfPending({ from: slot, incarnation: 0, n, isTimer: true })
      const text = `timer ${this.#textOf(event)}`
      return { id, n, name, source: CLOCK, due: dueAfter(now, dueAt, kind), event, text, sentBy: -1, isDeadline }
    })
    let { inspection } = actor
    try {
      inspection = inspection.after(output.effects)
      requireFewAsks(timers.filter(({ isDeadline }) => isDeadline).length, this.#actors.asks)
    } catch (error) {
      return this.#carriedOut(world, slot, { crash: summaryOf(error) }, now, by)
    }
    for (const { to, message } of output.sends) {
      for (const { slot: recipient = SYSTEM, isNear } of recipientsOf(to, who, this.#actors.directory)) {
        // mail to an address that no actor has goes to the system, since nothing comes of either
        const id = () => nameOfPending({ from: slot, incarnation: 0, n: sent++, isTimer: false })
        const isLocal = isNear || recipient === SYSTEM
        const link = isLocal ? undefined : (links.get(recipient) ?? { sent: 0, lastDue: 0 })
        const dues = link ? this.#passing(link, slot, recipient, at) : [at]
        if (link) {
          links = new Map(links).set(recipient, { sent: link.sent + 1, lastDue: dues.at(-1) ?? link.lastDue })
        }
        if (dues.length === 0) {
          id() // a lost message has a name, too
          told = this.#toldAfter(told, 0, LOSS)
        }
        for (const due of dues) {
          const letter = this.#letter(id(), slot, numbered(message, 0, timersBefore), dueAfter(now, due, 'mail'), by)
          if (!post(after, recipient, letter)) told = this.#toldAfter(told, 0, LOSS)
        }
      }
    }
    // Facts and records in the order of the step, so that worlds which differ in it stay apart.
    for (const effect of output.effects) {
      if (TOLD.has(effect.type)) told = this.#toldAfter(told, at, effect)
    }
    const mail = (after[slot]?.mail ?? []).filter(({ answers }) => {
      const isOpen = !answers || deadlineIn(timers, answers) !== undefined
      if (!isOpen) told = this.#toldAfter(told, 0, LOSS)
      return isOpen
    })
    after[slot] = { ...actor, mail, timers, receiveTimeout, inspection, known, timersSet, sent, links, told }
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

  #passing(link: { readonly sent: number; readonly lastDue: Time }, slot: number, to: number, at: Time) {
    const { network, seed } = this.#actors
    const [first, second] = copies(network, seed, slot, 0, to, link.sent)
    return first === undefined ? [] : arrivals(link.lastDue, at, first, second)
  }

  #letter(name: PendingEventName, slot: number, message: Message, due: Instant, sentBy: number): WorldEvent {
    const { from, ...incoming } = opened(message, this.#who.get(slot)?.address ?? '')
    return { name, source: slot, due, ...incoming, text: `mail ${slot} ${this.#textOf(message)}`, sentBy }
  }
}

/** Delivers a message, unless its recipient has ended; false for an answer to an ask that is not open. */
function post(world: (Actor | undefined)[], recipient: number, letter: WorldEvent): boolean {
  const actor = world[recipient]
  if (!actor || actor.known.isOver) return true
  if (letter.answers && !deadlineIn(actor.timers, letter.answers)) return false
  world[recipient] = { ...actor, mail: [...actor.mail, letter] }
  return true
}

const byClock = (one: WorldTimer, other: WorldTimer): number => compareInstants(one.due, other.due) || one.n - other.n
