/** The interface of the runtimes: inline, threads and pool in virtual time, threads and pool in real time, and hosts. */
import type { Handled } from '../actor/step-report.ts'
import type { CellOptions } from '../cell/actor-cell.ts'
import type { Address } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import type { EngineName } from '../engine/engine.ts'
import type { BoardSize } from '../memory/layout.ts'

/** The limits of the memory of a thread, in megabytes, as Node's `resourceLimits` of a Worker. */
export interface ThreadLimits {
  readonly maxOldGenerationSizeMb?: number
  readonly maxYoungGenerationSizeMb?: number
  readonly codeRangeSizeMb?: number
  readonly stackSizeMb?: number
}

/** The specification of one incarnation of an actor. */
export interface SpawnSpec {
  readonly slot: number
  readonly incarnation: number
  readonly address: Address
  /** File URL of the module whose default export is the machine. */
  readonly module: string
  readonly engine: EngineName
  /** The limits of the memory of the thread; only with runtime threads. */
  readonly resourceLimits?: ThreadLimits
}

/** The data that every thread is started with. */
export interface ThreadSpec {
  readonly buffer: SharedArrayBuffer
  readonly size: BoardSize
  readonly options: CellOptions
  /** The memory of the measures, with option `metrics`. */
  readonly metrics?: ArrayBufferLike | undefined
}

/** The data that the thread of an actor is started with. */
export type ActorThreadSpec = SpawnSpec & ThreadSpec

/** The data that a pool thread is started with. */
export interface PoolThreadSpec extends ThreadSpec {
  /** The number of the thread, from 1. */
  readonly thread: number
}

/** Why an actor died. */
export interface Cause {
  readonly name: string
  readonly message: string
  readonly stack: string
  /** What the actor was handling, if a step failed. */
  readonly on?: Handled
  /** The event that it was handling, if a step failed; absent for its start. */
  readonly event?: Message
}

export interface Runtime {
  /** Starts an actor and resolves with the name of its engine; rejects with the error of its module. */
  start(spec: SpawnSpec): Promise<string>
  /** Ends an actor at once. The caller settles its words on the board. */
  kill(slot: number): Promise<void>
  /** Makes sure that nothing more is linked to a slot that the board calls dead. */
  settleDeath(slot: number): void
  /** Starts the clock; called once, before the first turn. */
  open(): void
  /** Ends the system's turn and waits for its next one; resolves with an END_* code. */
  yieldTurn(): Promise<number>
  /** Asks for a turn of the system. */
  request(): void
  /** The instant of the turn, and its subround. */
  readonly now: Time
  readonly subround: number
  /** Moves time on to an instant when nothing is due; in real time only before the clock starts. */
  advance(instant: Time): void
  /** Says whether no actor has anything to do, now or later (quiescence). */
  readonly quiet: boolean
  /** Whether actors go on during a turn of the system. */
  readonly runsDuringTurns: boolean
  /** Ends all actors; idempotent. */
  stop(): Promise<void>
}
