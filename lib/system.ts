/**
 * A system of actors: what scenarios and tests use. The system itself has slot 0 and acts only in turns, when no
 * actor is inside a step (in real time: beside them). What is asked of it while a run goes on waits for its turn.
 */
import { pathToFileURL } from 'node:url'
import type { ResourceLimits } from 'node:worker_threads'
import { type Address, machineOf } from './address.ts'
import { Agenda } from './agenda.ts'
import type { CellOptions } from './cell.ts'
import { type Item, takeInbox, takeUndelivered } from './inbox.ts'
import { Board, DEFAULT_SIZE, KINDS, SYSTEM } from './memory/board.ts'
import { Codec } from './memory/codec.ts'
import type { Order, Schedule } from './memory/mailbox.ts'
import { Outbox } from './memory/outbox.ts'
import { PAGE_BYTES } from './memory/pages.ts'
import * as record from './memory/record.ts'
import { type NetworkOptions, PERFECT_NETWORK } from './network.ts'
import type { Message, Plain } from './plain.ts'
import type { Control } from './report.ts'
import { type Entry, type RestartPolicy, Roster } from './roster.ts'
import { locate } from './runtime/bundle.ts'
import { InlineRuntime } from './runtime/inline.ts'
import type { Cause, Runtime } from './runtime/runtime.ts'
import { LockStepRuntime, RealTimeRuntime } from './runtime/threads.ts'
import { PHASES, type Time, toUnits, units } from './time/model.ts'
import { startClock } from './time/real.ts'
import { ALIVE, DEAD, END_IDLE, END_NONE, END_ROUNDS, Rounds, STOPPED } from './time/rounds.ts'
import { type Line, linesOf, TRACE_VERSION } from './trace/lines.ts'
import { TraceWriter } from './trace/writer.ts'

export interface SystemOptions {
  readonly seed: number
  readonly runtime: 'threads' | 'inline'
  readonly time: 'virtual' | 'real'
  /** Real time: milliseconds per unit. */
  readonly scale: number
  readonly order: Order
  readonly schedule: Schedule
  readonly network: NetworkOptions
  /** A file to write the trace to, or `true` to have it only hashed. */
  readonly trace: string | boolean
  /** Where and how a trace stops growing. */
  readonly traceBytes: number
  /** Most mail waiting for one actor; more becomes dead letters. */
  readonly mailbox: number
  /** Most actors. */
  readonly actors: number
  /** Mail memory. */
  readonly memoryMB: number
  /** Virtual time: most rounds of one run. */
  readonly rounds: number
  /** Threads: no step may take longer, in milliseconds. */
  readonly watchdogMs: number
  /** What else a reader of the trace must know to have the same run again. */
  readonly about: Plain
}

export const DEFAULTS: SystemOptions = {
  seed: 1,
  runtime: 'threads',
  time: 'virtual',
  scale: 1,
  order: 'fifo',
  schedule: 'fifo',
  network: PERFECT_NETWORK,
  trace: false,
  traceBytes: 2_000_000_000,
  mailbox: 100_000,
  actors: 1023,
  memoryMB: 512,
  rounds: 1_000_000_000,
  watchdogMs: 10_000,
  about: null,
}

export interface SpawnOptions {
  readonly restart?: RestartPolicy
  /** Restarts allowed within `period` (default 3 within 1000 units). */
  readonly intensity?: number
  readonly period?: Time
  /** Threads only: memory of the actor. */
  readonly resourceLimits?: ResourceLimits
}

/** How a run ended: nothing was due any more, what is due lies beyond `until`, or the limit of rounds was reached. */
export interface RunEnd {
  readonly ended: 'idle' | 'until' | 'rounds'
  readonly now: Time
  /** After `rounds`: who waits for whom. */
  readonly waiting: readonly string[]
}

export interface Death {
  readonly address: Address
  readonly at: Time
  readonly cause: Cause
}

export interface FactAbout {
  readonly who: Address
  readonly at: Time
}

/** No answer came in time. It does not mean that the request was not carried out. */
export class AskTimeout extends Error {
  override readonly name = 'AskTimeout'
}

interface Question {
  readonly answer: (message: Message) => void
  readonly reject: (error: Error) => void
}

export class System {
  readonly options: SystemOptions
  readonly roster = new Roster()
  readonly #board: Board
  readonly #rounds: Rounds
  readonly #codec: Codec
  readonly #outbox: Outbox
  readonly #runtime: Runtime
  readonly #trace: TraceWriter | undefined
  readonly #agenda = new Agenda()
  readonly #questions = new Map<string, Question>()
  readonly #factListeners: ((fact: Message, about: FactAbout) => void)[] = []
  readonly #deathListeners: ((death: Death) => void)[] = []
  readonly #lineListeners: ((line: Line) => void)[] = []
  readonly #watchers = new Map<Address, ((death: Death) => void)[]>()
  readonly #deadLetters = new Map<string, number>()
  /** Asked for from outside, or by a listener, while a run goes on. */
  #calls: { readonly act: () => Promise<void>; readonly reject: (error: Error) => void }[] = []
  /** Begun at once, in a turn or between runs: neither a turn nor the start of a run may overtake them. */
  readonly #acts = new Set<Promise<void>>()
  #acted = false
  #inbox: IterableIterator<Item> = [].values()
  #deaths: { readonly entry: Entry; readonly life: number; readonly cause: Cause }[] = []
  #phase: 'new' | 'open' | 'running' | 'stopped' = 'new'
  #turning = false
  /** A listener is being called. What it asks for waits until the turn has read all there is to read. */
  #listening = false
  /** Have the machines been told to start? */
  #begun = false
  #stopping: Promise<void> | undefined
  #deliveryWatchers = 0
  #traceHash = ''

  constructor(options: Partial<SystemOptions> = {}) {
    this.options = { ...DEFAULTS, ...options }
    const { runtime, time, seed, order, schedule, network, trace, mailbox, memoryMB, watchdogMs } = this.options
    if (runtime === 'inline' && time === 'real')
      throw new Error('inline runs are in virtual time: real time needs threads')
    const slots = 1 << Math.ceil(Math.log2(this.options.actors + 1))
    const size = { ...DEFAULT_SIZE, slots, pages: Math.ceil((memoryMB * 1024 * 1024) / PAGE_BYTES) }
    this.#board = Board.create(size, runtime === 'threads')
    this.#rounds = new Rounds(this.#board, mailbox)
    this.#codec = new Codec(this.#board.block, this.#board.definitions)
    this.#outbox = new Outbox(this.#board, this.#codec, SYSTEM, 0)
    this.#rounds.open()
    this.#board.set(this.#board.slotCount, 1)
    const cells: CellOptions = { seed, order, schedule, time, network, trace: trace !== false }
    const onDeath = (slot: number, life: number, cause: Cause) => {
      const entry = this.roster.at(slot)
      if (entry) this.#deaths.push({ entry, life, cause })
      this.#request()
    }
    const threads = { watchdogMs, mailbox, onDeath }
    if (runtime === 'inline') this.#runtime = new InlineRuntime(this.#board, this.#rounds, this.#codec, cells)
    else if (time === 'virtual') this.#runtime = new LockStepRuntime(this.#board, this.#rounds, cells, threads)
    else this.#runtime = new RealTimeRuntime(this.#board, this.#rounds, cells, threads)
    if (trace !== false) {
      this.#trace = new TraceWriter(trace === true ? undefined : trace, this.options.traceBytes)
      this.note(this.#head())
    }
  }

  /** Every setting that can influence what happens; not how it is run, which must not. */
  #head(): Line {
    const { seed, time, scale, order, schedule, network, mailbox, about } = this.options
    const head = { t: 'trace', version: TRACE_VERSION, seed, time, order, schedule, network, mailbox, about }
    return time === 'real' ? { ...head, scale } : head
  }

  /** The present instant. */
  get now(): Time {
    return this.#runtime.now
  }

  /** Has no actor anything to do, now or later? */
  get quiet(): boolean {
    return this.#runtime.quiet
  }

  /** Messages that actors sent to other machines so far, each copy of a broadcast counted. */
  get messages(): number {
    return this.#sum(this.#board.sent)
  }

  /** Messages that actors sent within their machine so far. */
  get localMessages(): number {
    return this.#sum(this.#board.sentNear)
  }

  /** Steps that actors took so far. */
  get steps(): number {
    return this.#sum(this.#board.steps)
  }

  /** Undelivered mail by reason. */
  get deadLetters(): ReadonlyMap<string, number> {
    return this.#deadLetters
  }

  /** The SHA-256 of the trace, once the system has stopped. */
  get traceHash(): string {
    return this.#traceHash
  }

  #sum(base: number): number {
    return this.roster.entries.reduce((sum, { slot }) => sum + this.#board.num(base + slot), 0)
  }

  /** Calls `listener` with every fact that an actor observes, in the order of the run. */
  onFact(listener: (fact: Message, about: FactAbout) => void): void {
    this.#factListeners.push(listener)
  }

  /** Calls `listener` whenever an actor dies, unasked or not. */
  onDeath(listener: (death: Death) => void): void {
    this.#deathListeners.push(listener)
  }

  /** Calls `listener` with every line of the trace; without `trace` only those that need no tracing. */
  onLine(listener: (line: Line) => void): void {
    this.#lineListeners.push(listener)
  }

  /**
   * Brings an actor to life. `module` is the URL (or path) of a module whose default export is a machine; `input` is
   * plain data. Its machine starts with the next `run`, or at once if one goes on.
   *
   * @throws what the module threw, `NotAMachine`, or an Error naming the limit of actors or the taken address
   */
  async spawn(address: Address, module: URL | string, input: Plain = null, options: SpawnOptions = {}): Promise<void> {
    this.roster.requireFree(address)
    const slot = this.roster.entries.length + 1
    if (slot > this.options.actors) throw new Error(`too many actors: ${this.options.actors} (option actors)`)
    const { restart = 'temporary', intensity = 3, period = units(1000), resourceLimits } = options
    const entry: Entry = {
      slot,
      address,
      module: urlOf(module),
      input,
      supervision: { restart, intensity, period },
      ...(resourceLimits && { resourceLimits }),
      life: 0,
      status: { type: 'alive' },
      records: [],
      restarts: [],
      started: false,
    }
    this.roster.add(entry)
    await this.#inTurn(async () => {
      this.#board.set(this.#board.slotCount, this.roster.entries.length + 1)
      await this.#begin(entry)
    })
  }

  /** Sends a message from outside, as `system`. */
  async tell(to: Address, message: Message): Promise<void> {
    await this.#inTurn(async () => {
      this.#post(this.roster.get(to).slot, record.CLASS_MAIL, message)
    })
  }

  /**
   * Sends a message and waits for the first message that the recipient sends to `system` while handling it. Runs the
   * system as far as needed if no run goes on.
   *
   * @throws AskTimeout when `deadline` (from now) has passed
   */
  async ask(to: Address, message: Message, options: { readonly deadline: Time }): Promise<Message> {
    let isSettled = false
    let asked = Promise.resolve()
    let own = ''
    const answer = new Promise<Message>((resolve, reject) => {
      asked = this.#inTurn(async () => {
        const id = this.#post(this.roster.get(to).slot, record.CLASS_MAIL, message).join('.')
        own = id
        const settle = () => {
          isSettled = true
          this.#questions.delete(id)
        }
        const late = `no answer from ${to} to '${message.type}' within ${toUnits(options.deadline)} units`
        const forget = this.#agenda.add(this.now + options.deadline, async () => {
          settle()
          reject(new AskTimeout(late))
        })
        this.#questions.set(id, {
          answer: (reply) => {
            settle()
            forget()
            resolve(reply)
          },
          reject: (error) => {
            settle()
            forget()
            reject(error)
          },
        })
      })
      asked.catch(reject)
    })
    if (this.#phase === 'running') return answer
    answer.catch(() => {}) // it is awaited below, once the run is over
    await asked
    const { ended } = await this.#run(Number.POSITIVE_INFINITY, () => isSettled)
    if (!this.#isStopped()) {
      this.#questions
        .get(own)
        ?.reject(new AskTimeout(`no answer from ${to} to '${message.type}': the run ended (${ended})`))
    }
    return answer
  }

  /** Silences an actor: no goodbye. Its supervision may restart it. */
  async kill(address: Address): Promise<void> {
    const entry = this.roster.get(address)
    await this.#inTurn(() => this.#kill(entry))
  }

  /** Begins a new life of an actor, ending the present one if it is alive. */
  async restart(address: Address): Promise<void> {
    const entry = this.roster.get(address)
    await this.#inTurn(() => this.#restart(entry))
  }

  /** The actors handle nothing for `duration` from now; their mail and timers wait. */
  async stall(address: Address, duration: Time): Promise<void> {
    const { slot } = this.roster.get(address)
    await this.#inTurn(async () => {
      this.#board.put(this.#board.stall + slot, this.now + duration)
      this.#rounds.refresh(slot)
    })
  }

  /** Mail between the machines on the two sides, either way, is lost from now until `heal` is called. */
  async cut(sides: readonly [readonly string[], readonly string[]]): Promise<() => Promise<void>> {
    const { i32, sideA, sideB } = this.#board
    const used = this.#cuts
    let bit = 0
    await this.#inTurn(async () => {
      bit = used.indexOf(undefined) >= 0 ? used.indexOf(undefined) : used.length
      if (bit >= CUTS_MAX) throw new Error(`too many cuts at once: ${CUTS_MAX}`)
      used[bit] = sides
      for (const entry of this.roster.entries) this.#place(entry)
    })
    return () =>
      this.#inTurn(async () => {
        if (used[bit] !== sides) return // healed already
        used[bit] = undefined
        for (const { slot } of this.roster.entries) {
          Atomics.and(i32, sideA + slot, ~(1 << bit))
          Atomics.and(i32, sideB + slot, ~(1 << bit))
        }
      })
  }

  readonly #cuts: (readonly [readonly string[], readonly string[]] | undefined)[] = []

  /** Puts an actor on its sides of the cuts there are. */
  #place({ slot, address }: Entry): void {
    const { i32, sideA, sideB } = this.#board
    const machine = machineOf(address)
    for (const [bit, cut] of this.#cuts.entries()) {
      if (cut?.[0].includes(machine)) Atomics.or(i32, sideA + slot, 1 << bit)
      if (cut?.[1].includes(machine)) Atomics.or(i32, sideB + slot, 1 << bit)
    }
  }

  /** Tells when an actor dies, and at once if it is dead. For supervisors and scenarios: no protocol may use it. */
  watch(address: Address, listener: (death: Death) => void): () => void {
    const { status } = this.roster.get(address)
    if (status.type === 'dead') listener({ address, at: this.now, cause: status.cause })
    const listeners = this.#watchers.get(address) ?? []
    this.#watchers.set(address, [...listeners, listener])
    return () => {
      this.#watchers.set(
        address,
        (this.#watchers.get(address) ?? []).filter((other) => other !== listener),
      )
    }
  }

  /** Does `act` in the system's turn at an instant; in virtual time before anything else of that instant. */
  at(instant: Time, act: () => Promise<void>): void {
    this.#agenda.add(instant, act)
    this.#request()
  }

  /**
   * Calls `listener` with the line of every delivery, traced or not, at the end of its round; returns what ends it.
   * Costs a turn of the system per round meanwhile.
   */
  watchDeliveries(listener: (line: Line) => void): () => void {
    const onlyDeliveries = (line: Line) => {
      if (line.t === 'deliver') listener(line)
    }
    this.#lineListeners.push(onlyDeliveries)
    this.#deliveryWatchers++
    this.#board.set(this.#board.watching, 1)
    return () => {
      this.#lineListeners.splice(this.#lineListeners.indexOf(onlyDeliveries), 1)
      if (--this.#deliveryWatchers === 0) this.#board.set(this.#board.watching, 0)
    }
  }

  /** Adds a line to the trace. */
  note(line: Line): void {
    this.#trace?.write(line)
    this.#tellAll(this.#lineListeners, line)
  }

  #tellAll<A extends readonly unknown[]>(listeners: readonly ((...about: A) => void)[], ...about: A): void {
    const outer = this.#listening
    this.#listening = true
    try {
      for (const listener of [...listeners]) listener(...about)
    } finally {
      this.#listening = outer
    }
  }

  /** Runs until nothing is due, or up to and including the instant `until`. */
  async run(options: { readonly until?: Time } = {}): Promise<RunEnd> {
    return this.#run(options.until ?? Number.POSITIVE_INFINITY, () => false)
  }

  async #run(until: Time, isEnough: () => boolean): Promise<RunEnd> {
    if (this.#phase === 'running') throw new Error('a run goes on already')
    if (this.#phase === 'stopped') throw new Error('the system has stopped')
    this.#phase = 'running'
    const { ended, request } = this.#board
    try {
      await Promise.allSettled(this.#acts)
      if (!this.#begun) this.#beginAll()
      const limit = this.#board.int(this.#board.round) + this.options.rounds
      this.#board.put(this.#board.until, until)
      this.#board.put(this.#board.lastRound, Math.min(limit, ROUNDS_MAX))
      while (!this.#isStopped()) {
        this.#board.set(request, this.#isAwaited() ? 1 : 0)
        this.#board.put(this.#board.due, this.#agenda.next)
        this.#rounds.refresh(SYSTEM)
        this.#board.i32[this.#board.first + SYSTEM] = this.#outbox.take()
        await this.#runtime.pass()
        if (this.#isStopped()) break
        const end = this.#board.int(ended)
        const busy = await this.#turn()
        if (isEnough()) break
        if (end !== END_NONE && !busy && !this.#isAwaited()) {
          const isOver = Number.isFinite(until) && this.options.time === 'virtual' && end !== END_ROUNDS
          if (isOver) this.#rounds.advance(until)
          return this.#endOf(end)
        }
      }
      return this.#endOf(END_IDLE)
    } finally {
      if (this.#phase === 'running') this.#phase = 'open'
      if (this.#phase === 'open') for (const { act } of this.#calls.splice(0)) void this.#now(act)
    }
  }

  #beginAll(): void {
    this.#begun = true
    if (this.options.time === 'real') startClock(this.#board, this.options.scale)
    for (const entry of this.roster.entries) if (entry.status.type === 'alive') this.#sendStart(entry)
  }

  /** Is there anything to do in a turn that no actor knows of? */
  #isAwaited(): boolean {
    return this.#calls.length > 0 || this.#deaths.length > 0
  }

  #isStopped(): boolean {
    return this.#phase === 'stopped'
  }

  #endOf(code: number): RunEnd {
    const ended = code === END_ROUNDS ? 'rounds' : code === END_IDLE ? 'idle' : 'until'
    return { ended, now: this.now, waiting: ended === 'rounds' ? this.#whoWaits() : [] }
  }

  /** One turn of the system; true if it did anything that the actors have yet to see. */
  async #turn(): Promise<boolean> {
    this.#turning = true
    this.#acted = false
    let busy = false
    try {
      busy = await this.#takeTurn()
    } finally {
      this.#turning = false
      // What was begun beside the turn belongs to it; what is asked for from now on waits for the next.
      await Promise.allSettled(this.#acts)
    }
    return busy || this.#acted
  }

  async #takeTurn(): Promise<boolean> {
    let busy = await this.#readInbox()
    // Of one round in the order of slots, not in that in which the threads happened to end.
    for (const { entry, life, cause } of this.#deaths.splice(0).sort((a, b) => a.entry.slot - b.entry.slot)) {
      if (entry.life !== life) continue // restarted meanwhile
      busy = true
      await this.#died(entry, cause)
    }
    const { now } = this // in real time it moves on while the turn acts
    for (let act = this.#agenda.takeDue(now); act; act = this.#agenda.takeDue(now)) {
      busy = true
      await act()
    }
    // A listener may ask for more.
    for (let call = this.#calls.shift(); call; call = this.#calls.shift()) {
      busy = true
      await call.act()
    }
    return busy
  }

  async #readInbox(): Promise<boolean> {
    // One queue for all turns and what they await, so that nothing is read before what came before it.
    const earlier = this.#inbox
    const items = takeInbox(this.#board, this.#codec)
    const inbox = items.values()
    this.#inbox = inbox
    let busy = false
    for (const queue of [earlier, inbox]) for (const item of queue) busy = (await this.#read(item)) || busy
    return busy
  }

  /** Now, if no run goes on; else in the system's next turn. */
  async #inTurn(act: () => Promise<void>): Promise<void> {
    if (this.#phase === 'stopped') throw new Error('the system has stopped')
    if (this.#phase !== 'running' || (this.#turning && !this.#listening)) return this.#now(act)
    return new Promise((resolve, reject) => {
      this.#calls.push({ act: () => act().then(resolve, reject), reject })
      this.#request()
    })
  }

  /** Between runs one after another, so that their order does not depend on how long each takes. */
  #now(act: () => Promise<void>): Promise<void> {
    const isQueued = this.#begun && (this.#phase === 'open' || this.#turning) && this.#acts.size > 0
    const done = isQueued ? Promise.allSettled(this.#acts).then(act) : act()
    this.#acts.add(done)
    this.#acted = true
    const forget = () => this.#acts.delete(done)
    done.then(forget, forget)
    return done
  }

  #request(): void {
    this.#board.set(this.#board.request, 1)
    if (this.options.runtime === 'threads' && this.options.time === 'real') this.#board.ring(SYSTEM)
  }

  /** True if the system has answered with something that actors must see. */
  async #read(item: Item): Promise<boolean> {
    this.#noteItem(item)
    const entry = this.roster.at(item.id[0])
    const { what } = item
    if (what.type === 'mail') this.#answer(item, what.message)
    else if (what.type === 'dead letter') this.#count(what.reason)
    else if (entry && entry.life === item.id[1]) {
      const { report } = what
      if (report.type === 'crash') {
        const { name, message, stack, on } = report
        await this.#died(entry, { name, message, stack: locate(stack), on })
        return true
      }
      for (const fact of report.facts ?? []) {
        this.#tellAll(this.#factListeners, fact, { who: entry.address, at: item.sentAt })
      }
      for (const { lost } of report.sends ?? []) if (lost !== undefined) this.#count(lost)
      entry.records.push(...(report.records ?? []))
      if (report.stopped) {
        await this.#stopped(entry)
        return true
      }
    }
    return false
  }

  #answer(item: Item, message: Message): void {
    const question = item.cause && this.#questions.get(item.cause.join('.'))
    if (question) question.answer(message)
    else this.#count(record.LOST_LATE_ANSWER)
  }

  #noteItem(item: Item): void {
    if (!this.#trace && this.#lineListeners.length === 0) return
    for (const line of linesOf(item, (slot) => this.roster.nameOf(slot))) this.note(line)
  }

  #count(reason: number): void {
    const text = record.LOST_REASONS[reason] ?? ''
    this.#deadLetters.set(text, (this.#deadLetters.get(text) ?? 0) + 1)
  }

  #post(slot: number, kind: number, message: Message) {
    this.#outbox.encode(message)
    const { lead } = this.#board
    const subround = this.options.time === 'virtual' ? this.#rounds.at(this.#board.int(lead)).subround : 0
    return this.#outbox.post({ to: slot, class: kind, due: this.now, sentAt: this.now, subround, cause: null })
  }

  #order(slot: number, order: Control): void {
    this.#post(slot, record.CLASS_CONTROL, order)
  }

  /** A life begins: its words are fresh, its thread is up, and those who are there hear of it. */
  async #begin(entry: Entry): Promise<void> {
    const { slot, life, address, module, resourceLimits } = entry
    entry.started = false
    this.#freshWords(slot, life)
    this.#place(entry)
    this.note({ t: 'spawn', at: this.now, who: address, slot, life })
    try {
      await this.#runtime.start({ slot, life, address, module, ...(resourceLimits && { resourceLimits }) })
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      this.#settle(entry, {
        type: 'dead',
        cause: { name: cause.name, message: cause.message, stack: cause.stack ?? '' },
      })
      throw error
    }
    entry.status = { type: 'alive' }
    if (!this.#begun) return
    for (const other of this.roster.entries) {
      if (other.started && other.status.type === 'alive') this.#order(other.slot, { type: 'joined', address, slot })
    }
    this.#sendStart(entry)
  }

  #sendStart(entry: Entry): void {
    entry.started = true
    const directory = [
      '',
      ...this.roster.entries.map(({ address, status }) => (status.type === 'stopped' ? '' : address)),
    ]
    this.#order(entry.slot, { type: 'start', input: entry.input, records: [...entry.records], directory })
  }

  #freshWords(slot: number, life: number): void {
    const board = this.#board
    for (let kind = 0; kind < KINDS; kind++)
      board.put(board.due + kind * board.size.slots + slot, Number.POSITIVE_INFINITY)
    board.put(board.mailDue + slot, Number.POSITIVE_INFINITY)
    board.put(board.stall + slot, 0)
    for (const word of [board.head, board.first, board.call, board.sideA, board.sideB]) board.set(word + slot, 0)
    board.set(board.sleeper(slot), 0)
    board.set(board.turn + slot, -1)
    board.set(board.done + slot, this.options.time === 'real' ? 0 : -1)
    board.set(board.life + slot, life)
    board.set(board.dead + slot, ALIVE)
    this.#rounds.refresh(slot)
  }

  async #kill(entry: Entry): Promise<void> {
    if (entry.status.type !== 'alive') return
    await this.#died(entry, { name: 'Killed', message: 'killed', stack: '' })
  }

  async #restart(entry: Entry): Promise<void> {
    const { life } = entry
    await this.#silence(entry)
    if (entry.life !== life) return // a crash was among what it had reported, and it is restarted already
    if (entry.status.type === 'alive')
      this.#settle(entry, { type: 'dead', cause: { name: 'Killed', message: 'restarted', stack: '' } })
    entry.life += 1
    await this.#begin(entry)
  }

  async #died(entry: Entry, cause: Cause): Promise<void> {
    if (entry.status.type !== 'alive') return
    const { life } = entry
    await this.#silence(entry)
    if (entry.status.type !== 'alive' || entry.life !== life) return // its crash was among what it had reported
    this.#settle(entry, { type: 'dead', cause })
    this.note({ t: 'died', at: this.now, who: entry.address, cause: cause.name, message: cause.message })
    const death = { address: entry.address, at: this.now, cause }
    this.#tellAll([...this.#deathListeners, ...(this.#watchers.get(entry.address) ?? [])], death)
    if (entry.supervision.restart !== 'temporary') await this.#supervise(entry)
  }

  /** Ends a thread, and reads what it reported until then: in real time it ran on beside this turn. */
  async #silence(entry: Entry): Promise<void> {
    await this.#runtime.kill(entry.slot)
    if (this.options.time === 'real') await this.#readInbox()
  }

  async #stopped(entry: Entry): Promise<void> {
    await this.#runtime.kill(entry.slot)
    this.#settle(entry, { type: 'stopped' })
    for (const other of this.roster.entries) {
      if (other.status.type === 'alive') this.#order(other.slot, { type: 'left', address: entry.address })
    }
    if (entry.supervision.restart === 'permanent') await this.#supervise(entry)
  }

  async #supervise(entry: Entry): Promise<void> {
    const { intensity, period } = entry.supervision
    entry.restarts = [...entry.restarts.filter((at) => at > this.now - period), this.now]
    if (entry.restarts.length > intensity) {
      this.note({ t: 'gave up', at: this.now, who: entry.address, intensity, period })
      return
    }
    await this.#restart(entry).catch((error: unknown) => {
      this.note({ t: 'gave up', at: this.now, who: entry.address, error: String(error) })
    })
  }

  /** A life is over: nobody waits for it, and what was on its way to it is undeliverable. */
  #settle(entry: Entry, status: Exclude<Entry['status'], { type: 'alive' }>): void {
    entry.status = status
    this.#board.set(this.#board.dead + entry.slot, status.type === 'stopped' ? STOPPED : DEAD)
    const reason = status.type === 'stopped' ? record.LOST_STOPPED : record.LOST_DEAD
    for (const item of takeUndelivered(this.#board, this.#codec, entry.slot, reason)) {
      this.#noteItem(item)
      this.#count(reason)
    }
    this.#rounds.refresh(entry.slot)
  }

  #whoWaits(): string[] {
    const unread = new Map<string, number>()
    for (const at of record.posted(this.#board)) {
      const { i32 } = this.#board
      const to = this.roster.nameOf(i32[2 * at + record.TO] ?? 0)
      const from = this.roster.nameOf(i32[2 * at + record.FROM] ?? 0)
      const body = this.#codec.decode(at + record.BODY)
      const type = typeof body === 'object' && body !== null && 'type' in body ? String(body['type']) : '?'
      const line = `${from} waits for ${to} to read '${type}'`
      unread.set(line, (unread.get(line) ?? 0) + 1)
    }
    const lines = [...unread].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line))
    const { due, size } = this.#board
    for (const { slot, address, status } of this.roster.entries) {
      for (const [kind, phase] of PHASES.entries()) {
        const isDue = this.#board.num(due + kind * size.slots + slot) <= this.now
        if (isDue && phase !== 'mail' && status.type === 'alive') lines.push(`${address} waits for its ${phase} timer`)
      }
    }
    return lines
  }

  /** Ends every thread; what is still on its way is lost. Idempotent, and safe at any time. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#phase = 'stopped'
    await this.#runtime.stop()
    for (const { reject } of this.#questions.values()) reject(new AskTimeout('the system has stopped'))
    for (const { reject } of this.#calls.splice(0)) reject(new Error('the system has stopped'))
    this.#questions.clear()
    this.#traceHash = this.#trace?.close() ?? ''
  }
}

const CUTS_MAX = 32
/** Rounds are counted in 32 bits: more than these end a run as its limit of rounds does. */
const ROUNDS_MAX = 0x7fff_fff0

const urlOf = (module: URL | string): string =>
  typeof module === 'string' && !module.startsWith('file:') ? pathToFileURL(module).href : String(module)
