/** A scenario as the explorer sees it: one run, to be had again and again under other schedules and faults. */
import type { Address } from '../address.ts'
import type { Fault } from '../faults/faults.ts'
import type { GivenOptions, System } from '../system.ts'
import type { Time } from '../time.ts'

export interface Stage {
  /** Seed, network, order and so on, as the scenario's flags say. */
  readonly options: GivenOptions
  readonly faults: readonly Fault[]
  /** Default: until nothing is left to do. */
  readonly until?: Time
  /** Everybody, in spawn order. */
  readonly addresses: readonly Address[]
  /** How many tasks (or jobs) there are. */
  readonly tasks: number
  /** The same with these tasks alone, by number from 0: for shrinking. */
  only(tasks: readonly number[]): Stage
  /** Spawns everybody and listens; called once for each run. */
  open(system: System): Promise<Sight>
}

/** One run as it was seen. Asked when the run is over. */
export interface Sight {
  /**
   * What came of it, in a line and without times: two runs of one outcome are alike to who uses the system (which task
   * ended where, in which incarnation).
   */
  outcome(): string
  /** When each task (or job) ended, by its name; default: nobody asks for when. */
  ends?(): ReadonlyMap<string, Time>
  /** Broken promises. */
  violations(): readonly Violation[]
}

export interface Violation {
  /** What was promised. Two violations of one property are the same bug to the shrinker. */
  readonly property: string
  /** How it was broken, for people. */
  readonly text: string
}
