/** A scenario that can be run again under other schedules and faults, with the invariants (oracle) that judge each run. */
import { type Address, roleOf } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import type { System, SystemInit } from '../system/system.ts'
import type { Fault } from './faults.ts'

export interface Specification {
  /** The options of the system, from the scenario's flags. */
  readonly options: SystemInit
  readonly faults: readonly Fault[]
  /** The end of each run (default: when nothing is left to do). */
  readonly until?: Time
  /** The addresses of all actors, in spawn order. */
  readonly addresses: readonly Address[]
  /** The number of tasks (or jobs). */
  readonly tasks: number
  /**
   * The most steps without a fault or any progress (default 100,000). A run that passes this limit violates its liveness
   * properties.
   */
  readonly livelock?: number
  /** Reachability goals: facts that at least one run of a search should observe. */
  readonly sometimes?: readonly Sometime[]
  /** The same specification with these tasks alone, by number from 0, for shrinking. */
  only(tasks: readonly number[]): Specification
  /** Spawns all actors and listens; called once for each run. */
  open(system: System): Promise<Observer>
}

/** A reachability goal: it is met if an actor observes the right fact. */
export interface Sometime {
  readonly name: string
  isSeen(fact: Message, who: Address): boolean
}

/** The goal that an actor of a role observes a fact of a type. */
export const sometime = (name: string, role: string, type: string): Sometime => ({
  name,
  isSeen: (fact, who) => fact.type === type && roleOf(who) === role,
})

/** The specification with another bound on steps without progress. */
export const bounded = (specification: Specification, livelock: number): Specification => ({
  ...specification,
  livelock,
  only: (tasks) => bounded(specification.only(tasks), livelock),
})

/** The observer of one run. All methods but `left` are called when the run is over. */
export interface Observer {
  /**
   * The outcome in a line without times, such as the machine and the attempt of each task. Two runs with the same outcome are
   * equivalent for users of the system.
   */
  outcome(): string
  /** The end of each task (or job) by its name. Without it, times are not compared. */
  ends?(): ReadonlyMap<string, Time>
  /** The amount of progress that must still come, asked after every step (default: none). */
  left?(): number
  /** The violations of invariants. If something is left, this is also called during the run. */
  violations(): readonly Violation[]
}

export interface Violation {
  /** The invariant. Two violations of one invariant are the same bug to the shrinker. */
  readonly property: string
  /** The violation in words. */
  readonly text: string
  /** Whether this is a liveness property, which must come true in the end; others must hold always. */
  readonly eventually?: boolean
}
