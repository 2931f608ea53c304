/** A scenario that can be run again under other schedules and faults, with the invariants (oracle) that judge each run. */
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
  /** The addresses of all actors, in spawn order. */
  readonly addresses: readonly Address[]
  /** The number of tasks (or jobs). */
  readonly tasks: number
  /**
   * Where a run never rests: how many steps without a fault or any progress there may be before what must come in the
   * end has not come (default 100,000).
   */
  readonly livelock?: number
  /** Reachability goals: facts that at least one run of a search should observe. */
  readonly sometimes?: readonly Sometime[]
  /** The same with these tasks alone, by number from 0: for shrinking. */
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

/** The observer of one run. All but `left` are asked when the run is over. */
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
  /** The violations of invariants. If something is left, this is also asked during the run. */
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
