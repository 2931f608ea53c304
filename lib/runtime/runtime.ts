/** What the three ways to run have in common, as the system sees them. */
import type { ResourceLimits } from 'node:worker_threads'
import type { Handled } from '../actor/step-report.ts'
import type { CellOptions } from '../cell/actor-cell.ts'
import type { Address } from '../core/address.ts'
import type { Time } from '../core/time.ts'
import type { EngineName } from '../engine/engine.ts'
import type { BoardSize } from '../memory/layout.ts'

/** One incarnation of one actor. */
export interface SpawnSpec {
  readonly slot: number
  readonly incarnation: number
  readonly address: Address
  /** File URL of the module whose default export is the machine. */
  readonly module: string
  readonly engine: EngineName
  /** Threads only. */
  readonly resourceLimits?: ResourceLimits
}

/** What a worker is given at its birth. */
export interface WorkerSpec extends SpawnSpec {
  readonly buffer: SharedArrayBuffer
  readonly size: BoardSize
  readonly options: CellOptions
}

/** Why an actor died. */
export interface Cause {
  readonly name: string
  readonly message: string
  readonly stack: string
  /** What it was handling, if a step failed. */
  readonly on?: Handled
}

export interface Runtime {
  /** Brings an actor to incarnation, and says on which engine; rejects with what its module threw, or if it exports no machine. */
  start(spec: SpawnSpec): Promise<string>
  /** Silences an actor at once. Its words on the board are the caller's to settle. */
  kill(slot: number): Promise<void>
  /** The board calls a slot dead: sees to it that nothing more is linked to it. */
  settleDeath(slot: number): void
  /** Time begins: once, before the first turn is passed on. */
  open(): void
  /** Hands the turn over, and comes back when the system is to act again; says whether the run has ended (END_*). */
  yieldTurn(): Promise<number>
  /** Asks for a turn soon. */
  request(): void
  /** The instant of the turn, and the round of it. */
  readonly now: Time
  readonly subround: number
  /** Moves on to an instant at which nothing is due; real time does so by itself. */
  advance(instant: Time): void
  /** Has no actor anything to do, now or later? */
  readonly quiet: boolean
  /** Do actors run on beside a turn? */
  readonly runsDuringTurns: boolean
  /** Ends everything; idempotent. */
  stop(): Promise<void>
}
