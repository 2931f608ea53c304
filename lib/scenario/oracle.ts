/** Oracles judge runs: they hear the facts that actors observe, and say which promises a run violated. */
import type { Address } from '../core/address.ts'
import { requireThat } from '../core/check-options.ts'
import { isObject, type Message, type Plain } from '../core/data.ts'
import { BourseError, OutOfRange } from '../core/error.ts'
import { placeOf } from '../core/misuse.ts'
import { shown, summaryOf } from '../core/thrown.ts'
import type { Time } from '../core/time.ts'
import type { System } from '../system/system.ts'
import type { RunOutcome } from './outcome.ts'

/** The judge of one run. Two runs have two oracles. */
export interface Oracle {
  /** Hears, before the run, the records that an actor begins with since earlier runs on the same log have left them. */
  recovered?(who: Address, records: readonly Plain[]): void
  /** Hears a fact that an actor observed. */
  fold?(fact: Message, who: Address, at: Time): void
  /** Hears of a death. */
  died?(who: Address, at: Time): void
  /** The violations, asked when the run is over; where `left` counts progress, also during the run. */
  violations(outcome: RunOutcome): readonly Violation[]
  /**
   * The violations of safety so far. A live page asks for them any number of times while the run goes on, between any two
   * facts, so asking must change nothing. Without it, a page says only at the end how the promises stand.
   */
  brokenSoFar?(outcome: RunOutcome): readonly Violation[]
  /** The promises that it judges the run by, as far as they have names. A page shows them while the run goes on. */
  promises?(): readonly NamedPromise[]
  /**
   * The outcome in a line without times, such as the machine and the attempt of each task. Two runs with the same outcome
   * are equivalent for users of the system. Default: the facts of each actor.
   */
  outcome?(): string
  /** The end of each task by its name. Without it, times are not compared. */
  ends?(): ReadonlyMap<string, Time>
  /** The amount of progress that must still come, asked after every step (default: none). */
  left?(): number
  /**
   * Whether a run with these deaths may go on for ever without progress, since no actor is left that could end it. A search ends such a
   * run early, and no promise is broken by that. Asked only of an oracle with `left` (default: no, every run comes to rest).
   */
  needNotEnd?(outcome: RunOutcome): boolean
}

/** A promise by its name; `eventually` says whether it must come true in the end only. */
export interface NamedPromise {
  readonly name: string
  readonly eventually: boolean
}

/** A promise that a run broke. */
export interface Violation {
  /** The invariant. Two violations of one invariant are the same bug to the shrinker. */
  readonly property: string
  /** The violation in words. */
  readonly text: string
  /** Whether this is a liveness property, which must come true in the end; others must hold always. */
  readonly eventually?: boolean
}

const NO_CRASH = 'no actor crashes: '

/** A crash in a line. Of an error of several lines it has the first one. */
export const crashText = (who: Address, error: string, message: string): string =>
  `${who} died of ${error}: ${message.split('\n', 1)[0]}`

/** The violation by a crash. Crashes that differ only in their numbers are one bug. */
export const crashed = (text: string): Violation => ({ property: NO_CRASH + text.replace(/\d+/g, '#'), text })

/** What a violation breaks, in words: the promise, or the crash with its numbers. */
export const brokenName = ({ property, text }: Pick<Violation, 'property' | 'text'>): string =>
  property.startsWith(NO_CRASH) ? NO_CRASH + text : property

/** A violation as text. */
export const inSentence = (violation: Pick<Violation, 'property' | 'text'>): string => {
  const { property, text } = violation
  return property.startsWith(NO_CRASH) ? NO_CRASH + text : `${property}: ${text}`
}

/** The violations as text, one line each. */
export const inWords = (violations: readonly Pick<Violation, 'property' | 'text'>[]): string[] =>
  violations.map(inSentence)

/** Lets an oracle hear the facts and the deaths of a system. */
export function listen(system: System, oracle: Pick<Oracle, 'fold' | 'died'>): void {
  system.onFact((fact, { who, at }) => oracle.fold?.(fact, who, at))
  system.onDeath(({ address, at }) => oracle.died?.(address, at))
}

/** The numbers in a field of those records that have a type: the tasks that are over, for instance. */
export const numbersIn = (records: readonly Plain[], type: string, field: string): number[] =>
  records.flatMap((record) => {
    const number = isObject(record) && 'type' in record && record['type'] === type ? Reflect.get(record, field) : null
    return typeof number === 'number' ? [number] : []
  })

/** A fact with its observer and its time. */
export interface ObservedFact {
  readonly fact: Message
  readonly who: Address
  readonly at: Time
}

/** All facts and deaths of a run, in their order. */
export class FactLog {
  readonly facts: ObservedFact[] = []
  readonly deaths: { readonly who: Address; readonly at: Time }[] = []

  fold(fact: Message, who: Address, at: Time): void {
    this.facts.push({ fact, who, at })
  }

  died(who: Address, at: Time): void {
    this.deaths.push({ who, at })
  }

  /** The facts of each actor, in their order. The order of facts at two actors does not show. */
  outcome(): string {
    const told = new Map<Address, string[]>()
    for (const { fact, who } of this.facts) {
      const own = told.get(who) ?? []
      own.push(JSON.stringify(fact))
      told.set(who, own)
    }
    return [...told]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([who, facts]) => `${who} ${facts.join(' ')}`)
      .join(', ')
  }
}

/** All that happened in a run, and how it stands. */
export interface History extends RunOutcome, Pick<FactLog, 'facts' | 'deaths'> {}

/** A promise at work in one run: it hears the facts and the deaths in their order. */
export interface Monitor {
  fold?(observed: ObservedFact): void
  died?(who: Address, at: Time): void
  /** A text for each violation so far; none if the promise was kept. It may be asked several times. */
  broken(outcome: RunOutcome): readonly string[]
}

/** A promise of a protocol. */
export interface Property extends NamedPromise {
  /** The types of the facts that it hears; without them it hears all. */
  readonly types?: readonly string[] | undefined
  /** Begins to watch a run. */
  watch(): Monitor
}

/** A promise that hears only facts of these types, since no other fact means anything to it. Then other facts cost no time. */
export const about = (types: readonly string[], property: Property): Property => ({ ...property, types })

/** A promise that remembers more of a run than its monitor does: `make` is called once for each run, and once for its name. */
export const inEachRun = (make: () => Property): Property => ({ ...make(), watch: () => make().watch() })

/** Finds what violates a promise in a whole history: a text for each violation. */
export type Broken = (history: History) => readonly string[]

/**
 * A promise that holds at every moment (safety). `broken` is asked when the run is over, with all facts in their order; a
 * live page asks it also before, with the facts so far. It returns a text for each violation. What must hold at every fact is checked there: a vote that comes after the commit must
 * not excuse it.
 */
export const always = (name: string, broken: Broken): Property => ofHistory('always', name, broken)

/**
 * A promise that comes true in the end (liveness); it is asked when nothing is left to do, or at the end of the calm part of
 * a scenario that has one. `broken` should expect nothing of the dead, and nothing that needed a message that was lost.
 */
export const eventually = (name: string, broken: Broken): Property => ofHistory('eventually', name, broken)

function ofHistory(how: 'always' | 'eventually', name: string, broken: Broken): Property {
  requireThat(`${how}: the name`, name, typeof name === 'string', 'a text')
  const must = 'a function of the history that returns a list of texts'
  requireThat(`${how} '${name}': the promise`, broken, typeof broken === 'function', must)
  const watch = (): Monitor => {
    const facts: ObservedFact[] = []
    const deaths: FactLog['deaths'] = []
    return {
      fold: (observed) => facts.push(observed),
      died: (who, at) => deaths.push({ who, at }),
      broken: (outcome) => broken({ ...outcome, facts, deaths }),
    }
  }
  return { name, eventually: how === 'eventually', watch }
}

/** The most types of facts to remember, in case that types contain data, such as `task 17`. */
const TYPES_MAX = 1024

/** The monitors of some promises in one run, as a part of an oracle that does more. */
export class Monitors implements Oracle {
  readonly #all: readonly (Property & { readonly monitor: Monitor })[]
  /** The monitors that hear facts of a type. */
  readonly #hearing = new Map<string, readonly Monitor[]>()
  /** What monitors threw when they heard a fact or a death; the first of each. */
  readonly #thrown = new Map<Monitor, string>()

  constructor(properties: readonly Property[]) {
    this.#all = properties.map((property) => ({ ...property, monitor: property.watch() }))
  }

  fold(fact: Message, who: Address, at: Time): void {
    const observed = { fact, who, at }
    for (const monitor of this.#hearingOf(fact.type)) {
      try {
        monitor.fold?.(observed)
      } catch (error) {
        this.#throws(monitor, error)
      }
    }
  }

  #throws(monitor: Monitor, error: unknown): void {
    if (!this.#thrown.has(monitor)) this.#thrown.set(monitor, thrownBy(error))
  }

  #hearingOf(type: string): readonly Monitor[] {
    const known = this.#hearing.get(type)
    if (known) return known
    const hearing = this.#all.filter(({ types }) => types?.includes(type) ?? true).map(({ monitor }) => monitor)
    if (this.#hearing.size < TYPES_MAX) this.#hearing.set(type, hearing)
    return hearing
  }

  died(who: Address, at: Time): void {
    for (const { monitor } of this.#all) {
      try {
        monitor.died?.(who, at)
      } catch (error) {
        this.#throws(monitor, error)
      }
    }
  }

  promises(): readonly NamedPromise[] {
    return this.#all.map(({ name, eventually }) => ({ name, eventually }))
  }

  violations(outcome: RunOutcome): Violation[] {
    return this.#all.flatMap(({ name: property, eventually, monitor }) => {
      if (eventually && !outcome.isSettled) return []
      return this.#textsOf(monitor, outcome).map((text) => ({ property, text, eventually }))
    })
  }

  /** The texts of a monitor. A promise that throws, or that returns something else, is broken: nobody knows whether it holds. */
  #textsOf(monitor: Monitor, outcome: RunOutcome): readonly string[] {
    const thrown = this.#thrown.get(monitor)
    if (thrown !== undefined) return [thrown]
    try {
      const texts: unknown = monitor.broken(outcome)
      return isTexts(texts) ? texts : [`this promise must return a list of texts, not ${shown(texts)}`]
    } catch (error) {
      return [thrownBy(error)]
    }
  }

  /**
   * The violations of the promises that must hold always; the others are not asked. A promise that cannot judge a part of a run says
   * nothing of it.
   */
  brokenSoFar(outcome: RunOutcome): Violation[] {
    return this.#all.flatMap(({ name: property, eventually, monitor }) => {
      if (eventually) return []
      const thrown = this.#thrown.get(monitor)
      if (thrown !== undefined) return [{ property, text: thrown }]
      try {
        return monitor.broken(outcome).map((text) => ({ property, text }))
      } catch {
        return []
      }
    })
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')

/** The violation of a promise that throws, with the place in its file. An error of the library says in its message what to do. */
function thrownBy(error: unknown): string {
  if (error instanceof BourseError) return error.message
  const place = error instanceof Error ? placeOf(error) : undefined
  return `this promise threw ${summaryOf(error)}${place === undefined ? '' : ` (${place})`}`
}

/** The oracle of some promises. A promise of the library may be a list: its safety, and its liveness. */
export const promises =
  (...properties: readonly (Property | readonly Property[])[]) =>
  (): FactLog & Oracle => {
    const all = properties.flat()
    requireDistinct(all)
    return new Judge(all)
  }

/** Checks that no two promises have the same name. One of the library may have two parts of its name: its safety, and its liveness. */
function requireDistinct(properties: readonly Property[]): void {
  const names = new Set<string>()
  for (const one of properties) {
    requireThat('promises: each promise', one, isObject(one) && 'watch' in one, MADE)
    const key = `${one.name} ${one.eventually}`
    if (names.has(key)) {
      throw new OutOfRange(
        `promises: two promises have the name '${one.name}', and failures are counted by name; give one of them another name`,
      )
    }
    names.add(key)
  }
}

const MADE = 'made by always, eventually or a promise of the library'

class Judge extends FactLog implements Oracle {
  readonly #monitors: Monitors

  constructor(properties: readonly Property[]) {
    super()
    this.#monitors = new Monitors(properties)
  }

  override fold(fact: Message, who: Address, at: Time): void {
    super.fold(fact, who, at)
    this.#monitors.fold(fact, who, at)
  }

  override died(who: Address, at: Time): void {
    super.died(who, at)
    this.#monitors.died(who, at)
  }

  promises(): readonly NamedPromise[] {
    return this.#monitors.promises()
  }

  violations(outcome: RunOutcome): Violation[] {
    return this.#monitors.violations(outcome)
  }

  brokenSoFar(outcome: RunOutcome): Violation[] {
    return this.#monitors.brokenSoFar(outcome)
  }
}
