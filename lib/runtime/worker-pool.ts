/** The worker threads of a system, one per living actor: started, ended, and reported when they end unasked. */
import { Worker } from 'node:worker_threads'
import type { CellOptions } from '../cell/actor-cell.ts'
import { DEAD } from '../clock/lockstep.ts'
import { errorOf, isFatal, thrownOf } from '../core/thrown.ts'
import { type Board, SYSTEM } from '../memory/layout.ts'
import { bundle, locate } from './bundle.ts'
import { reportRejection } from './rejections.ts'
import type { Cause, SpawnSpec, WorkerSpec } from './runtime.ts'

export interface WorkerPoolOptions {
  /** No step may take longer than this, in milliseconds. */
  readonly watchdogMs: number
  /** Called when a thread ends unasked; the board calls it dead by then. */
  readonly onDeath: (slot: number, incarnation: number, cause: Cause) => void
}

/** Of an actor, unless it is spawned with another limit. Below 2 GB V8 begins with smaller spaces: a tenth less for an idle one. */
const HEAP_MB = 2000
/** Threads that start at the same time; more only delay each other. */
const STARTING_MAX = 4
/** A module may take this long to load, or `watchdogMs` if that is more: on a loaded machine a thread waits long for its turn. */
const START_MS = 60_000
/** How long a thread may take to leave by itself when the system stops. */
const LEAVE_MS = 200
/** Of a timer. */
const LONGEST_MS = 0x7fff_ffff

export class WorkerPool {
  readonly #board: Board
  readonly #cells: CellOptions
  readonly #options: WorkerPoolOptions
  readonly #workers = new Map<number, Worker>()
  /** Those that have loaded. */
  readonly #up = new WeakSet<Worker>()
  /** Ended by us. */
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
    if (this.isStopping) throw new Error('the system has stopped')
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
    const workerData: WorkerSpec = { ...spec, buffer, size: this.#board.size, options: this.#cells }
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

  /** Has the thread of a slot loaded its module? */
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

  /** The run cannot go on. */
  #fail(error: Error): void {
    this.#fatal ??= error
    this.#board.ring(SYSTEM)
  }

  /**
   * Sleeps until somebody rings for the system, at most `ms`; false if that time went by.
   *
   * @throws what no run survives
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

  /** Asks everybody to leave, and ends those who do not. */
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
