/** A scenario as the explorer sees it: one run, to be had again and again under other schedules and faults. */
import { type Address, roleOf } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import type { System, SystemInit } from '../system/system.ts'
import type { Fault } from './faults.ts'

export interface Specification {
  /** Seed, network, order and so on, as the scenario's flags say. */
  readonly options: SystemInit
  readonly faults: readonly Fault[]
  /** Default: until nothing is left to do. */
  readonly until?: Time
  /** Everybody, in spawn order. */
  readonly addresses: readonly Address[]
  /** How many tasks (or jobs) there are. */
  readonly tasks: number
  /**
   * Where a run never rests: how many steps without a fault or any progress there may be before what must come in the
   * end has not come (default 100,000).
   */
  readonly livelock?: number
  /** What should happen in one run of a search or another, or else the search has not looked at it. */
  readonly sometimes?: readonly Sometime[]
  /** The same with these tasks alone, by number from 0: for shrinking. */
  only(tasks: readonly number[]): Specification
  /** Spawns everybody and listens; called once for each run. */
  open(system: System): Promise<Observer>
}

/** Something that happens if an actor observes the right fact. */
export interface Sometime {
  readonly name: string
  isSeen(fact: Message, who: Address): boolean
}

/** An actor of a role observes a fact of a type. */
export const sometime = (name: string, role: string, type: string): Sometime => ({
  name,
  isSeen: (fact, who) => fact.type === type && roleOf(who) === role,
})

/** The stage with another bound on steps that bring nothing. */
export const bounded = (stage: Specification, livelock: number): Specification => ({
  ...stage,
  livelock,
  only: (tasks) => bounded(stage.only(tasks), livelock),
})

/** One run as it was seen. Asked when the run is over, but for `left`. */
export interface Observer {
  /**
   * What came of it, in a line and without times: two runs of one outcome are alike to who uses the system (which task
   * ended where, in which attempt).
   */
  outcome(): string
  /** When each task (or job) ended, by its name; default: nobody asks for when. */
  ends?(): ReadonlyMap<string, Time>
  /** How much is to come in the end and has not yet; asked after every step. Default: nothing. */
  left?(): number
  /** Broken promises. Where there is something left, also asked of a run that goes on. */
  violations(): readonly Violation[]
}

export interface Violation {
  /** What was promised. Two violations of one property are the same bug to the shrinker. */
  readonly property: string
  /** How it was broken, for people. */
  readonly text: string
  /** It was promised to come in the end; others hold always. */
  readonly eventually?: boolean
}
