/** The worker threads of a system: starts and ends them, and reports the actors of those that end unasked. */

import { Worker } from 'node:worker_threads'
import type { CellOptions } from '../cell/actor-cell.ts'
import { type Address, SYSTEM } from '../core/address.ts'
import { errorOf, isFatal, thrownOf } from '../core/thrown.ts'
import { type Board, DEAD } from '../memory/layout.ts'
import { locate } from './bundle.ts'
import { reportRejection } from './rejections.ts'
import type { Cause, SpawnSpec, ThreadSpec } from './runtime.ts'

export interface ThreadsOptions {
  /** How long a step may take, in milliseconds. */
  readonly watchdogMs: number
  /** Called for each actor of a thread that ends unasked; its slot is DEAD by then. */
  readonly onDeath: (slot: number, incarnation: number, cause: Cause) => void
  /** The memory of the measures, with option `metrics`. */
  readonly metrics?: ArrayBufferLike | undefined
}

/** What the system uses of a worker of Node. It is named here so that the declarations of the package need no types of Node. */
interface WorkerHandle {
  postMessage(message: unknown): void
  terminate(): Promise<number>
  once(event: 'exit', listener: () => void): unknown
}

/** A thread that was started and has not ended. */
export interface Thread {
  readonly worker: WorkerHandle
  /** The incarnations of the actors that run on it, by slot. */
  readonly seats: Map<number, number>
}

/** What a thread is started with. */
export interface Start {
  readonly script: string
  /** The name that its unhandled rejections are reported with. */
  readonly name: Address
  readonly data: object
  readonly resourceLimits?: SpawnSpec['resourceLimits']
  readonly onMessage: (message: unknown) => void
  /** Called when it has ended, before the deaths of its actors are reported. */
  readonly onEnd: (why: Cause) => void
}

/** A module may take this long to load, or `watchdogMs` if that is more: on a loaded machine a thread waits long for its turn. */
const START_MS = 60_000
/** How long a thread may take to leave by itself when the system stops. */
const LEAVE_MS = 200
/** The longest timer of Node, in milliseconds. */
const LONGEST_MS = 0x7fff_ffff

export abstract class Threads {
  protected readonly board: Board
  protected readonly cells: CellOptions
  readonly #options: ThreadsOptions
  /** The threads by number. */
  readonly #threads = new Map<number, Thread>()
  /** The threads that the system has ended. */
  readonly #dismissed = new WeakSet<Thread>()
  readonly #hung = new WeakMap<Thread, Cause>()
  #fatal: Error | undefined

  constructor(board: Board, cells: CellOptions, options: ThreadsOptions) {
    this.board = board
    this.cells = cells
    this.#options = options
  }

  /** Starts an actor; resolves with the name of its engine. */
  abstract start(spec: SpawnSpec): Promise<string>
  /** Ends an actor at once, wherever it is. */
  abstract kill(slot: number): Promise<void>

  protected threadOf(slot: number): Thread | undefined {
    return this.#threads.get(this.board.threadOf(slot))
  }

  /** Starts the thread with a number, without actors. */
  protected open(number: number, { script, name, data, resourceLimits, onMessage, onEnd }: Start): Thread {
    const { buffer } = this.board.i32
    if (!(buffer instanceof SharedArrayBuffer)) throw new TypeError('threads need a shared board')
    const { metrics } = this.#options
    const workerData: ThreadSpec = { ...data, buffer, size: this.board.size, options: this.cells, metrics }
    this.board.set(this.board.sleeper(number), 0) // the thread before it may have ended in its sleep
    // A worker inherits loaders from its parent unless told not to; under tsx they cost ten times the start.
    const worker = new Worker(script, { name, workerData, execArgv: [], trackUnmanagedFds: false, resourceLimits })
    const thread: Thread = { worker, seats: new Map() }
    this.#threads.set(number, thread)
    let thrown: Cause | undefined
    worker.on('message', onMessage)
    worker.on('error', (error: unknown) => {
      thrown = causeOf(error)
      if (isFatal(thrown)) this.#fail(errorOf(thrown))
    })
    worker.once('exit', (code) => {
      if (this.#threads.get(number) === thread) this.#threads.delete(number)
      const exit = { name: 'Exit', message: `the thread called process.exit(${code})`, stack: '' }
      const why = this.#hung.get(thread) ?? thrown ?? exit
      onEnd(why)
      if (!this.#dismissed.has(thread)) this.#reportDeaths(thread, this.causeFor(why))
      // A thread looks at its promises when it has left its loop.
      else if (thrown && thread.seats.size > 0 && !isFatal(thrown)) reportRejection(name, thrown.stack)
    })
    return thread
  }

  /** Why the actors of a thread died that has ended unasked. */
  protected causeFor(why: Cause): Cause {
    return why
  }

  #reportDeaths({ seats }: Thread, why: Cause): void {
    for (const slot of seats.keys()) this.board.set(this.board.dead + slot, DEAD)
    for (const [slot, incarnation] of seats) this.#options.onDeath(slot, incarnation, why)
  }

  /** Ends a thread unless its module loads in time. Returns the function that is called when it has loaded. */
  protected expectLoading(thread: Thread, address: Address): () => void {
    const patience = Math.max(this.#options.watchdogMs, START_MS)
    const message = `the module of ${address} did not load within ${patience} ms (option watchdogMs allows more)`
    const late = setTimeout(() => this.#end(thread, message), patience)
    return () => clearTimeout(late)
  }

  /** Ends a thread at once; its actors are not reported. */
  protected async dismiss(thread: Thread): Promise<void> {
    this.#dismissed.add(thread)
    await thread.worker.terminate()
  }

  /** Says whether a thread loads a module, which may take longer than a step. */
  isLoading(number: number): boolean {
    return this.#threads.get(number)?.seats.size === 0
  }

  /** Ends a thread that has been in one step for too long; the deaths of its actors are then like any other. */
  endHung(number: number): void {
    const thread = this.#threads.get(number)
    if (thread) this.#end(thread, `a step took longer than ${this.#options.watchdogMs} ms (option watchdogMs)`)
  }

  #end(thread: Thread, message: string): void {
    if (this.#hung.has(thread)) return
    this.#hung.set(thread, { name: 'Hung', message, stack: '' })
    void thread.worker.terminate()
  }

  /** Ends the run with an error. */
  #fail(error: Error): void {
    this.#fatal ??= error
    this.board.ring(SYSTEM)
  }

  /**
   * Waits until the system's doorbell rings, at most `ms` milliseconds; false if that time has passed.
   *
   * @throws an error that ends the run
   */
  async wait(rung: number, ms: number): Promise<boolean> {
    if (this.#fatal) throw this.#fatal
    if (ms <= 0) return false
    let isLate = false
    // no timeout of waitAsync's own, which wakes the loop once more to be set; and this one keeps the loop alive
    const late = setTimeout(
      () => {
        isLate = true
        this.board.ring(SYSTEM)
      },
      Math.min(ms, LONGEST_MS),
    )
    await Atomics.waitAsync(this.board.i32, this.board.bell(SYSTEM), rung).value
    clearTimeout(late)
    if (this.#fatal) throw this.#fatal
    return !isLate
  }

  get isStopping(): boolean {
    return this.board.int(this.board.stop) === 1
  }

  /** Asks all threads to leave, and terminates those that do not. */
  async stop(): Promise<void> {
    this.board.set(this.board.stop, 1)
    this.board.ring(SYSTEM)
    const leaving = [...this.#threads].map(([number, thread]) => {
      this.#dismissed.add(thread)
      const gone = new Promise<void>((resolve) => thread.worker.once('exit', () => resolve()))
      this.board.ring(number)
      return gone
    })
    const late = setTimeout(() => {
      for (const { worker } of this.#threads.values()) void worker.terminate()
    }, LEAVE_MS)
    await Promise.all(leaving)
    clearTimeout(late)
  }
}

/** The cause of a death by what was thrown in a thread. */
export function causeOf(error: unknown): Cause {
  const { stack, ...cause } = thrownOf(error)
  return { ...cause, stack: locate(stack) }
}
