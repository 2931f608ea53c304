/** The worker threads of a system, one for each living actor. The pool starts and ends them, and reports those that end unasked. */

import { Worker } from 'node:worker_threads'
import type { CellOptions } from '../cell/actor-cell.ts'
import { SYSTEM } from '../core/address.ts'
import { BourseError } from '../core/error.ts'
import { errorOf, isFatal, thrownOf } from '../core/thrown.ts'
import { type Board, DEAD } from '../memory/layout.ts'
import { bundle, locate } from './bundle.ts'
import { reportRejection } from './rejections.ts'
import type { Cause, SpawnSpec, WorkerSpec } from './runtime.ts'

export interface WorkerPoolOptions {
  /** How long a step may take, in milliseconds. */
  readonly watchdogMs: number
  /** Called when a thread ends unasked; its slot is DEAD by then. */
  readonly onDeath: (slot: number, incarnation: number, cause: Cause) => void
  /** The memory of the measures, with option `metrics`. */
  readonly metrics?: ArrayBufferLike | undefined
}

/** The default heap limit of an actor, in MB. Below 2 GB V8 begins with smaller spaces, which saves a tenth for an idle actor. */
const HEAP_MB = 2000
/** Threads that start at the same time; more only delay each other. */
const STARTING_MAX = 4
/** A module may take this long to load, or `watchdogMs` if that is more: on a loaded machine a thread waits long for its turn. */
const START_MS = 60_000
/** How long a thread may take to leave by itself when the system stops. */
const LEAVE_MS = 200
/** The longest timer of Node, in milliseconds. */
const LONGEST_MS = 0x7fff_ffff

export class WorkerPool {
  readonly #board: Board
  readonly #cells: CellOptions
  readonly #options: WorkerPoolOptions
  readonly #workers = new Map<number, Worker>()
  /** The workers that have loaded their modules. */
  readonly #up = new WeakSet<Worker>()
  /** The workers that the system has ended. */
  readonly #dismissed = new Set<Worker>()
  readonly #hung = new WeakMap<Worker, Cause>()
  #starting: Promise<void>[] = []
  #fatal: Error | undefined

  constructor(board: Board, cells: CellOptions, options: WorkerPoolOptions) {
    this.#board = board
    this.#cells = cells
    this.#options = options
  }

  /** Resolves with the name of its engine. */
  async start(spec: SpawnSpec): Promise<string> {
    const script = await bundle(spec.module)
    while (this.#starting.length >= STARTING_MAX) await Promise.race(this.#starting)
    if (this.isStopping) throw new BourseError('BOURSE_STOPPED', 'the system has stopped')
    const starting = this.#launch(script, spec)
    const settled = starting
      .then(() => {})
      .catch(() => {})
      .finally(() => {
        this.#starting = this.#starting.filter((other) => other !== settled)
      })
    this.#starting.push(settled)
    return starting
  }

  #launch(script: string, spec: SpawnSpec): Promise<string> {
    const { buffer } = this.#board.i32
    if (!(buffer instanceof SharedArrayBuffer)) throw new TypeError('threads need a shared board')
    const { metrics } = this.#options
    const workerData: WorkerSpec = { ...spec, buffer, size: this.#board.size, options: this.#cells, metrics }
    // A worker inherits loaders from its parent unless told not to; under tsx they cost ten times the start.
    const worker = new Worker(script, {
      name: spec.address,
      workerData,
      execArgv: [],
      trackUnmanagedFds: false,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, ...spec.resourceLimits },
    })
    this.#workers.set(spec.slot, worker)
    return new Promise((resolve, reject) => {
      let cause: Cause | undefined
      const patience = Math.max(this.#options.watchdogMs, START_MS)
      const late = setTimeout(() => {
        const message = `the module of ${spec.address} did not load within ${patience} ms (option watchdogMs allows more)`
        cause = { name: 'Hung', message, stack: '' }
        void worker.terminate()
      }, patience)
      worker.once('message', (engine) => {
        clearTimeout(late)
        this.#up.add(worker)
        resolve(String(engine))
      })
      worker.on('error', (error: unknown) => {
        cause = causeOf(error)
        if (isFatal(cause)) this.#fail(errorOf(cause))
      })
      worker.once('exit', (code) => {
        clearTimeout(late)
        if (this.#workers.get(spec.slot) === worker) this.#workers.delete(spec.slot)
        const why = cause ?? { name: 'Exit', message: `the thread called process.exit(${code})`, stack: '' }
        if (!this.#up.has(worker)) reject(errorOf(why))
        else if (!this.#dismissed.delete(worker)) {
          this.#board.set(this.#board.dead + spec.slot, DEAD)
          this.#options.onDeath(spec.slot, spec.incarnation, this.#hung.get(worker) ?? why)
          // A thread looks at its promises when it has left its loop.
        } else if (cause && !isFatal(cause)) reportRejection(spec.address, cause.stack)
      })
    })
  }

  /** Ends a thread at once, wherever it is. */
  async kill(slot: number): Promise<void> {
    const worker = this.#workers.get(slot)
    if (!worker) return
    this.#dismissed.add(worker)
    await worker.terminate()
  }

  /** Says whether the thread of a slot has loaded its module. */
  isUp(slot: number): boolean {
    const worker = this.#workers.get(slot)
    return worker !== undefined && this.#up.has(worker)
  }

  /** Ends a thread that has been in one step for too long; its death is then like any other. */
  endHung(slot: number): void {
    const worker = this.#workers.get(slot)
    if (!worker || this.#hung.has(worker)) return
    const message = `a step took longer than ${this.#options.watchdogMs} ms (option watchdogMs)`
    this.#hung.set(worker, { name: 'Hung', message, stack: '' })
    void worker.terminate()
  }

  /** Ends the run with an error. */
  #fail(error: Error): void {
    this.#fatal ??= error
    this.#board.ring(SYSTEM)
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
        this.#board.ring(SYSTEM)
      },
      Math.min(ms, LONGEST_MS),
    )
    await Atomics.waitAsync(this.#board.i32, this.#board.bell(SYSTEM), rung).value
    clearTimeout(late)
    if (this.#fatal) throw this.#fatal
    return !isLate
  }

  get isStopping(): boolean {
    return this.#board.int(this.#board.stop) === 1
  }

  /** Asks all threads to leave, and terminates those that do not. */
  async stop(): Promise<void> {
    this.#board.set(this.#board.stop, 1)
    this.#board.ring(SYSTEM)
    const leaving = [...this.#workers].map(([slot, worker]) => {
      this.#dismissed.add(worker)
      const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      this.#board.ring(slot)
      return gone
    })
    const late = setTimeout(() => {
      for (const worker of this.#workers.values()) void worker.terminate()
    }, LEAVE_MS)
    await Promise.all(leaving)
    clearTimeout(late)
  }
}

const causeOf = (error: unknown): Cause => {
  const { stack, ...cause } = thrownOf(error)
  return { ...cause, stack: locate(stack) }
}
