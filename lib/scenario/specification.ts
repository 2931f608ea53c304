/** A scenario with its model, options and faults: all that is needed to run it again under other schedules and faults. */
import { HOLD_BOUNDS } from '../actor/schedule.ts'
import { type Address, roleOf } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import { System, type SystemInit } from '../system/system.ts'
import { requireConditions } from './fault-injector.ts'
import type { Fault } from './faults.ts'
import type { Oracle } from './oracle.ts'

export interface Specification {
  /** The options of the system, from the scenario's flags. */
  readonly options: SystemInit
  readonly faults: readonly Fault[]
  /** The end of each run (default: when nothing is left to do). */
  readonly until?: Time | undefined
  /** The instant after which nothing disturbs a run; see `Definition`. */
  readonly calm?: Time | undefined
  /** The instant after which a search holds no event back, and pauses or parts nobody (default: `calm`). */
  readonly holdsUntil?: Time | undefined
  /** The addresses of all actors, in spawn order; absent if only `open` knows them. */
  readonly addresses?: readonly Address[] | undefined
  /** The number of tasks (or jobs). */
  readonly tasks: number
  /** The limits of each run; those that are absent have their defaults. */
  readonly limits?: Partial<RunLimits>
  /** Reachability goals: facts that at least one run of a search should observe. */
  readonly sometimes?: readonly Sometime[]
  /** The same specification with these tasks alone, by number from 0, for shrinking. */
  only(tasks: readonly number[]): Specification
  /** Spawns all actors, and returns the oracle that listens to them; called once for each run. */
  open(system: System): Promise<Oracle>
  /** Makes another oracle, which has heard nothing. Without it no trace tells which fact broke a promise. */
  judge?(system: System): Oracle
}

/** The limits of one run of a search. A run that passes one never comes to rest, and that is a failure. */
export interface RunLimits {
  /** The most steps without a fault or any progress; a run that passes it violates its liveness properties. */
  readonly livelock: number
  /** How long an event can be held back after it is due. */
  readonly longestHold: Time
  /** The most decisions of an unfair scheduler; afterwards events come in plain order. */
  readonly unfair: number
  /** Whether a step that never ends is ended, and fails the run (option `watchdogMs`). To watch takes a part of a short run. */
  readonly isWatched: boolean
}

export const RUN_LIMITS: RunLimits = {
  livelock: 100_000,
  longestHold: HOLD_BOUNDS.longest,
  unfair: Number.POSITIVE_INFINITY,
  isWatched: true,
}

/** A reachability goal: it is met if an actor observes the right fact. */
export interface Sometime {
  readonly name: string
  isSeen(fact: Message, who: Address): boolean
  /** What may help to meet the goal, such as `needs --retry 5`; a search tells it with a goal that was not met. */
  readonly hint?: string
}

/**
 * The goal that an actor of a role observes a fact of a type, for which `isSo` holds (default: any). `hint` names the flags
 * that the goal needs.
 */
export const sometime = (
  name: string,
  role: string,
  type: string,
  isSo: (fact: Message) => boolean = () => true,
  hint?: string,
): Sometime => ({
  name,
  ...(hint !== undefined && { hint }),
  isSeen: (fact, who) => fact.type === type && roleOf(who) === role && isSo(fact),
})

/** The specification with these limits of each run. */
export const bounded = (specification: Specification, limits: Partial<RunLimits>): Specification => ({
  ...specification,
  limits,
  only: (tasks) => bounded(specification.only(tasks), limits),
})

/** The actors of a system that was not run: their addresses, and the modules that they run. */
export type Cast = System['actors']

/**
 * Spawns all actors once, inline, and runs none of them. Only then are all actors known, and the states that they have.
 *
 * @throws UsageError for a fault that waits for a state that no machine of its actors has
 */
export async function rehearse({ options, faults, open }: Specification): Promise<Cast> {
  const system = new System({ ...options, runtime: 'inline', trace: false })
  try {
    await open(system)
    await requireConditions(system, faults)
    return system.actors
  } finally {
    await system.stop()
  }
}
