/**
 * One worker thread per actor. Main takes part as slot 0: it waits for its turn, repairs the round when a worker dies
 * in it, and ends what hangs. Virtual and real time differ in when the turn comes.
 */
import { Worker } from 'node:worker_threads'
import type { CellOptions } from '../cell.ts'
import { type Board, SYSTEM } from '../memory/board.ts'
import { linkChain, millisecondsUntil, modelNow } from '../time/real.ts'
import { DEAD, END_IDLE, END_NONE, END_UNTIL, Rounds } from '../time/rounds.ts'
import { bundle, locate } from './bundle.ts'
import type { Cause, Runtime, Seat, WorkerSeat } from './runtime.ts'

export interface ThreadOptions {
  /** No step may take longer than this, in milliseconds. */
  readonly watchdogMs: number
  readonly mailbox: number
  /** Called when a thread ends unasked. */
  readonly onDeath: (slot: number, life: number, cause: Cause) => void
}

/** How often main looks, in real time, at what the actors reported. */
const LOOK_MS = 20
/** Threads that start at the same time; more only delay each other. */
const STARTING_MAX = 4
/** A module may take this long to load, or `watchdogMs` if that is more. */
const START_MS = 10_000
/** How long a thread may take to leave by itself when the system stops. */
const LEAVE_MS = 200

abstract class ThreadRuntime implements Runtime {
  protected readonly board: Board
  protected readonly rounds: Rounds
  protected readonly threads: ThreadOptions
  readonly #options: CellOptions
  readonly #workers = new Map<number, Worker>()
  readonly #planned = new Set<Worker>()
  #starting: Promise<void>[] = []
  #fatal: Error | undefined

  constructor(board: Board, rounds: Rounds, options: CellOptions, threads: ThreadOptions) {
    this.board = board
    this.rounds = rounds
    this.threads = threads
    this.#options = options
  }

  abstract pass(): Promise<void>
  abstract get now(): number
  abstract get quiet(): boolean
  /** A thread is gone, and its words are marked: nobody may wait for it. */
  protected abstract bury(slot: number): void

  async start(seat: Seat): Promise<void> {
    const script = await bundle(seat.module)
    while (this.#starting.length >= STARTING_MAX) await Promise.race(this.#starting)
    if (this.isStopping) throw new Error('the system has stopped')
    const starting = this.#launch(script, seat)
    const settled = starting
      .catch(() => {})
      .finally(() => {
        this.#starting = this.#starting.filter((other) => other !== settled)
      })
    this.#starting.push(settled)
    await starting
  }

  #launch(script: string, seat: Seat): Promise<void> {
    const { buffer } = this.board.i32
    if (!(buffer instanceof SharedArrayBuffer)) throw new TypeError('threads need a shared board')
    const workerData: WorkerSeat = {
      ...seat,
      buffer,
      size: this.board.size,
      mailbox: this.threads.mailbox,
      options: this.#options,
    }
    // A worker inherits loaders from its parent unless told not to; under tsx they cost ten times the start.
    const worker = new Worker(script, {
      name: seat.address,
      workerData,
      execArgv: [],
      trackUnmanagedFds: false,
      ...(seat.resourceLimits && { resourceLimits: seat.resourceLimits }),
    })
    this.#workers.set(seat.slot, worker)
    let cause: Cause | undefined
    return new Promise((resolve, reject) => {
      let ready = false
      const patience = Math.max(this.threads.watchdogMs, START_MS)
      const late = setTimeout(() => {
        cause = { name: 'Hung', message: `the module of ${seat.address} did not load within ${patience} ms`, stack: '' }
        void worker.terminate()
      }, patience)
      worker.once('message', () => {
        clearTimeout(late)
        ready = true
        resolve()
      })
      worker.on('error', (error: unknown) => {
        cause = causeOf(error)
        if (cause.name === 'MailMemoryFull') this.fail(Object.assign(new Error(cause.message), { name: cause.name }))
      })
      worker.once('exit', (code) => {
        clearTimeout(late)
        if (this.#workers.get(seat.slot) === worker) this.#workers.delete(seat.slot)
        const why = cause ?? { name: 'Exit', message: `the thread called process.exit(${code})`, stack: '' }
        if (!ready) reject(Object.assign(new Error(why.message), { name: why.name, stack: why.stack }))
        else if (!this.#planned.delete(worker)) {
          this.board.set(this.board.dead + seat.slot, DEAD)
          this.threads.onDeath(seat.slot, seat.life, this.#hung.get(worker) ?? why)
          this.bury(seat.slot)
        }
      })
    })
  }

  async kill(slot: number): Promise<void> {
    const worker = this.#workers.get(slot)
    if (!worker) return
    this.#planned.add(worker)
    await worker.terminate()
  }

  readonly #hung = new WeakMap<Worker, Cause>()

  /** Ends a thread that has been in one step for too long; its death is then like any other. */
  protected endHung(slot: number): void {
    const worker = this.#workers.get(slot)
    if (!worker || this.#hung.has(worker)) return
    const message = `a step took longer than ${this.threads.watchdogMs} ms (option watchdogMs)`
    this.#hung.set(worker, { name: 'Hung', message, stack: '' })
    void worker.terminate()
  }

  /** The run cannot go on. */
  protected fail(error: Error): void {
    this.#fatal ??= error
    this.board.ring(SYSTEM)
  }

  /** Sleeps until somebody rings for the system, at most `ms`; false if that time went by. */
  protected async wait(rung: number, ms: number): Promise<boolean> {
    if (this.#fatal) throw this.#fatal
    const waiting = Atomics.waitAsync(this.board.i32, this.board.bell(SYSTEM), rung, ms)
    // Waiting for a bell keeps no event loop alive, and there may be no thread left that does.
    const alive = setInterval(() => {}, 0x7fff_ffff)
    const outcome = await Promise.resolve(waiting.value).finally(() => clearInterval(alive))
    if (this.#fatal) throw this.#fatal
    return outcome !== 'timed-out'
  }

  protected get isStopping(): boolean {
    return this.board.int(this.board.stop) === 1
  }

  async stop(): Promise<void> {
    this.board.set(this.board.stop, 1)
    this.board.ring(SYSTEM)
    const leaving = [...this.#workers].map(([slot, worker]) => {
      this.#planned.add(worker)
      const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      this.board.ring(slot)
      return gone
    })
    const late = setTimeout(() => {
      for (const worker of this.#workers.values()) void worker.terminate()
    }, LEAVE_MS)
    await Promise.all(leaving)
    clearTimeout(late)
  }
}

/** Virtual time: the system's turn is a round like any other. */
export class LockStepRuntime extends ThreadRuntime {
  /** Died unasked, and not yet settled by the system: a round may still wait for them, or be given to them. */
  readonly #unsettled = new Set<number>()

  get now(): number {
    const { lead, round } = this.board
    const mark = this.board.int(lead)
    return this.rounds.at(mark >= 0 ? mark : this.board.int(round)).now
  }

  get quiet(): boolean {
    return this.rounds.quiet
  }

  async pass(): Promise<void> {
    const { lead } = this.board
    const mine = this.board.int(lead)
    if (this.rounds.finish(SYSTEM, mine)) this.rounds.ringActives(mine + 1, SYSTEM)
    // The mark of a leader comes again after four rounds: only with the round does it say that nothing moved.
    let last = { mark: Number.NaN, round: Number.NaN }
    let warned = false
    while (true) {
      const rung = this.board.int(this.board.bell(SYSTEM))
      if (this.isStopping) return
      while (this.#unsettled.size > 0 && this.#repair()) {} // a round of the dead alone rings nobody
      const now = this.board.int(lead)
      if (now >= 0 && this.rounds.isActive(SYSTEM, now)) return
      if (await this.wait(rung, this.threads.watchdogMs / 2)) continue
      const sample = { mark: this.board.int(lead), round: this.board.int(this.board.round) }
      const isStuck = sample.mark === last.mark && sample.round === last.round
      if (isStuck) this.#watchdog(sample.mark, warned)
      warned = isStuck
      last = sample
    }
  }

  protected override bury(slot: number): void {
    this.#unsettled.add(slot)
    this.board.set(this.board.repair, 1)
    this.board.ring(SYSTEM)
  }

  /** In a turn of the system, which settles the words of the slot next. */
  override async kill(slot: number): Promise<void> {
    await super.kill(slot)
    if (this.#unsettled.delete(slot) && this.#unsettled.size === 0) this.board.set(this.board.repair, 0)
  }

  /** Sees to it that someone leads, whatever a dead one left undone; true if main did. */
  #repair(): boolean {
    const { i32, lead, dead, round } = this.board
    const mark = this.board.int(lead)
    if (mark < 0) {
      const leader = Rounds.leaderOf(mark)
      if (this.board.int(dead + leader) === 0) return false // alive: it rings main when it has led
      // ROUND is stored just before LEAD, so it names the round being led or the one after.
      const named = this.board.int(round)
      const led = ((-mark - 1) & 3) === (named & 3) ? named : named - 1
      if (Atomics.compareExchange(i32, lead, mark, Rounds.ledBy(SYSTEM, led)) !== mark) return false
      this.rounds.lead(led, true)
      this.rounds.ringActives(led + 1, SYSTEM)
      return true
    }
    if (this.rounds.isActive(SYSTEM, mark)) return false
    if (this.rounds.leadIfDone(SYSTEM, mark)) {
      this.rounds.ringActives(mark + 1, SYSTEM)
      return true
    }
    this.rounds.ringActives(mark, SYSTEM) // a dead leader may not have
    return false
  }

  /** Nothing moved for a while: ring first, then blame. */
  #watchdog(mark: number, warned: boolean): void {
    const { done, dead, lead } = this.board
    if (mark < 0) {
      if (this.board.int(lead) === mark && warned) this.endHung(Rounds.leaderOf(mark))
      return
    }
    if (this.rounds.leadIfDone(SYSTEM, mark)) return this.rounds.ringActives(mark + 1, SYSTEM)
    if (!warned) return this.rounds.ringActives(mark, SYSTEM)
    for (let i = 0; i < this.rounds.activeCount(mark); i++) {
      const slot = this.rounds.active(mark, i)
      const finished = this.board.int(done + slot) === mark || this.board.int(dead + slot) !== 0
      if (!finished && slot !== SYSTEM) this.endHung(slot)
    }
  }
}

/** Real time: the system looks at fixed times, when somebody rings, and when a planned fault is due. */
export class RealTimeRuntime extends ThreadRuntime {
  /** Per slot: the steps last seen, and since when. */
  readonly #seen = new Map<number, { readonly steps: number; readonly since: number }>()
  #looked = 0

  get now(): number {
    return modelNow(this.board)
  }

  protected override bury(slot: number): void {
    linkChain(this.board, slot, this.threads.mailbox)
    this.board.ring(SYSTEM)
  }

  /** What it had posted is on the wire, even if it had no time to link it. */
  override async kill(slot: number): Promise<void> {
    await super.kill(slot)
    linkChain(this.board, slot, this.threads.mailbox)
  }

  async pass(): Promise<void> {
    const { bell, until, due } = { ...this.board, bell: this.board.bell(SYSTEM) }
    const rung = this.board.int(bell)
    linkChain(this.board, SYSTEM, this.threads.mailbox)
    const next = Math.min(this.board.num(until), this.board.num(due))
    this.board.set(this.board.sleeper(SYSTEM), 1)
    await this.wait(rung, Math.min(LOOK_MS, millisecondsUntil(this.board, next)))
    this.board.set(this.board.sleeper(SYSTEM), 0)
    this.#watch()
    const idle = this.board.num(due) === Number.POSITIVE_INFINITY && this.quiet
    this.board.set(this.board.ended, this.now >= this.board.num(until) ? END_UNTIL : idle ? END_IDLE : END_NONE)
  }

  /** A slot that is neither asleep nor getting anywhere hangs. */
  #watch(): void {
    const { i32, dead, done, slotCount } = this.board
    const now = performance.now()
    // Between two runs, or in a long turn, nobody looked: that is no evidence.
    if (now - this.#looked > 10 * LOOK_MS) this.#seen.clear()
    this.#looked = now
    for (let slot = 1; slot < this.board.int(slotCount); slot++) {
      if (this.board.int(dead + slot) !== 0) continue
      const steps = Atomics.load(i32, done + slot)
      const seen = this.#seen.get(slot)
      if (seen?.steps !== steps || this.board.int(this.board.sleeper(slot)) === 1) {
        this.#seen.set(slot, { steps, since: now })
      } else if (now - seen.since > this.threads.watchdogMs) this.endHung(slot)
    }
  }

  /** Everyone sleeps with nothing to come, and nothing is on its way; read twice, for it may change meanwhile. */
  get quiet(): boolean {
    const stepsIfQuiet = (): number => {
      const { dead, slotCount, pending, head, done, due, size } = this.board
      let steps = 0
      for (let slot = 1; slot < this.board.int(slotCount); slot++) {
        if (this.board.int(dead + slot) !== 0) continue
        const asleep = this.board.int(this.board.sleeper(slot)) === 1
        const dues = [1, 2, 3, 4].map((kind) => this.board.num(due + kind * size.slots + slot))
        const waits = this.board.int(pending + slot) > 0 || this.board.int(head + slot) !== 0
        if (!asleep || waits || Math.min(...dues) !== Number.POSITIVE_INFINITY) return Number.NaN
        steps += this.board.int(done + slot)
      }
      return steps
    }
    const before = stepsIfQuiet()
    return !Number.isNaN(before) && stepsIfQuiet() === before
  }
}

const causeOf = (error: unknown): Cause => {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' }
  return { name: error.name, message: error.message, stack: locate(error.stack ?? '') }
}
