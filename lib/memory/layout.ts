/**
 * The layout of the one block of memory that the actors of a system share: words of control, then definitions of message
 * shapes, then pages of mail. Threads map it as a SharedArrayBuffer; inline it is an ordinary buffer. All names are
 * offsets. The comment of each word says which thread may write it; lib/clock/README.md explains the protocol.
 *
 * Slot 0 is `system`, on the main thread. Actors have slots 1, 2, ... in spawn order and keep them through all incarnations.
 */
import { PHASES } from '../core/time.ts'
import { type Block, blockOf } from './block.ts'

/** Phases by number, in the order of an instant. */
export const OUTSIDE = PHASES.indexOf('outside')
export const MAIL = PHASES.indexOf('mail')
export const KINDS = PHASES.length

/** The word `release`: the slot may handle the first event that its schedule holds back; CUT if the hold ends at its bounds. */
export const RELEASED = 1
export const CUT = 2

/** The values of a slot's word `dead`. */
export const ALIVE = 0
export const DEAD = 1
export const STOPPED = 2

/** A page of mail: 32 KB. */
export const PAGE_WORDS = 4096
/** The most network partitions and slow links at the same time: each is a bit of a word. */
export const LINK_FAULTS = 32
/** The most types of messages that option `count` can count. */
export const COUNTS = 16
/** A cache line: 16 int32, or twice as many as doubles. Words that several threads write often do not share one. */
const LINE = 16

export interface BoardSize {
  /** The most slots, including the system's. */
  readonly slots: number
  /** Room for shapes of messages, in words of 8 bytes. */
  readonly definitionWords: number
  /** The most pages of mail. */
  readonly pages: number
  /** The most records that may wait for one slot. */
  readonly mailbox: number
}

export interface Limits {
  readonly actors: number
  readonly memoryMB: number
  readonly mailbox: number
}

/** Room for the shapes of tens of thousands of incarnations, since each defines its own. There is less if memory is short. */
const DEFINITION_WORDS = 1 << 21

export const sizeOf = ({ actors, memoryMB, mailbox }: Limits): BoardSize => ({
  slots: 1 << Math.ceil(Math.log2(actors + 1)),
  definitionWords: Math.min(DEFINITION_WORDS, Math.ceil((memoryMB * 1024 * 1024) / 8 / 4)),
  pages: Math.ceil((memoryMB * 1024 * 1024) / (PAGE_WORDS * 8)),
  mailbox,
})

/** The control block (board) by names. `i32` offsets count int32s, `f64` offsets count doubles. */
export class Board {
  readonly block: Block
  readonly i32: Int32Array
  readonly f64: Float64Array
  readonly size: BoardSize
  /** Whether several threads use the block. */
  readonly #isShared: boolean

  /** R >= 0: round R runs. Negative: the mark of its leader (see `ledBy`). The thread that swaps R for its mark leads. */
  readonly lead: number
  /** The round that runs or is being prepared; it tells which round a dead leader was leading. Leader. */
  readonly round: number
  /** Active slots that have not finished. It is only a hint. Leader sets it, each finisher subtracts 1. */
  readonly remain: number
  /** Whether every finisher rings main, which repairs a death (1). Main. */
  readonly repair: number
  /** Whether threads leave (1). Main. */
  readonly stop: number
  /** Whether the outside wants a system round before the next instant (1). Main. */
  readonly request: number
  /** Whether a listener wants a system round after every round (1). Main. */
  readonly watching: number
  /** Whether a schedule has held something back in this run (1). The slots. */
  readonly holding: number
  /** How many holds ended at the bounds of the schedule. Slots. */
  readonly cutHolds: number
  /** Reports linked since the system last took its mail; too many cause a system round. Leader, inline also the Recorder; main clears it. */
  readonly reports: number
  /** Slots in use. Main. */
  readonly slotCount: number
  /** The next page that was never taken. Any thread, by atomic addition. */
  readonly nextPage: number
  /** The next free word of the definitions. Any thread, by atomic addition. */
  readonly definitionTop: number
  /** Why the round that was prepared last hands the run back, an END_* code, or 0. Leader, at every commit. */
  readonly ended: number

  // The round, twice: R & 1 chooses. Leader; main moves its own round to a later instant (`Rounds.advance`).
  readonly activeCount: number
  readonly phase: number
  readonly subround: number
  /** The last subround of an instant, after which the run ends. Main. */
  readonly lastSubround: number
  /** Whether this is a system round, which is no round of the instant (1). */
  readonly systemRound: number
  readonly active: number

  /** The last round that the slot committed; this store commits its work. The slot. */
  readonly done: number
  /** The round that the slot is to act in. Leader. */
  readonly turn: number
  /** The list of linked records that the slot has not collected. Leader (virtual) or senders (real); the slot takes all. */
  readonly head: number
  /** Records linked and not yet handled. The linking thread adds, the slot subtracts. */
  readonly pending: number
  /** ALIVE, DEAD or STOPPED. Main. */
  readonly dead: number
  /** The number of the slot's incarnation, from 0. Main. */
  readonly incarnation: number
  /** Where the text of the slot's address is (see AddressTable); 0 for a slot that has none. Main. */
  readonly addressAt: number
  /** Counts the steps that the slot has begun, so that the watchdog can tell a slow actor from one that hangs. The slot. */
  readonly heartbeat: number
  /** Real time: the record that the slot is linking now, or 0. The slot. */
  readonly linking: number
  /** The first record of the chain that the slot sent, valid once it is `done`. The slot. */
  readonly first: number
  /** Whether the slot wants a system round after this round (1). The slot; main clears it. */
  readonly call: number
  /** Whether the first event that is held back at the slot is to be handled (1). Leader sets it, the slot clears it. */
  readonly release: number
  /** Bit c is set if the slot's machine is on side A (B) of network partition c, or of slow links c. Main. */
  readonly sideA: number
  readonly sideB: number
  /** The number of the thread that runs the slot, if it shares that thread with others; 0: the thread has the slot's number. Main. */
  readonly thread: number
  /** The doorbell of each thread: a counter without meaning, used as a futex. In a cache line of its own. Every thread. */
  readonly wake: number
  /** Real time: whether a thread sleeps, by its number, so that senders ring only then. In a cache line of its own. The thread; main. */
  readonly asleep: number

  /** Model time of the round, twice: R & 1 chooses. Leader; main as for `phase`. */
  readonly time: number
  /** The run goes no further than this instant. Main. */
  readonly until: number
  /** A run's last round. Main. */
  readonly lastRound: number
  /** How long a schedule may hold an event back. Main. */
  readonly longestHold: number
  /** The instant after which schedules hold nothing back. Main. */
  readonly calm: number
  /** For each bit of `sideA`, how much longer mail between its sides takes; 0: it is lost. Main. */
  readonly linkDelay: number
  /** When the slot next has something due, by kind: KINDS x slots. The slot. */
  readonly due: number
  /** The earliest due time in the list `head`. Leader. */
  readonly mailDue: number
  /** The due time of the first event that a schedule holds back at the slot. The slot. */
  readonly held: number
  /** The slot does nothing before this instant. Main. */
  readonly pausedUntil: number
  /** How long a write to the disk of the slot takes; 0 unless its disk is slow. Main. */
  readonly writeTime: number
  /** How far the clock of the slot's machine is ahead of model time; negative if it is behind. Main. */
  readonly skew: number
  /** Messages sent to other machines and within the own one, and steps taken, over all incarnations. The slot. */
  readonly sent: number
  readonly sentNear: number
  readonly steps: number
  /** Steps whose event no transition took, over all incarnations. The slot. */
  readonly unhandled: number
  /** Messages of each counted type sent to other machines: slots x COUNTS. The slot. */
  readonly counts: number
  /** Reliable delivery: retransmissions and receipts, over all incarnations. The slot. */
  readonly again: number
  readonly receipts: number
  /** Winner trees over the slots, one by kind. Leader; main in its own rounds (`Rounds.refresh`). */
  readonly trees: number
  /** Real time: the clock's zero in ms, and milliseconds per unit. Main. */
  readonly clockZero: number
  readonly clockScale: number

  readonly definitionsAt: number
  readonly definitionsEnd: number
  readonly pagesAt: number

  constructor(buffer: ArrayBufferLike, size: BoardSize) {
    this.block = blockOf(buffer)
    this.i32 = this.block.i32
    this.f64 = this.block.f64
    this.size = size
    this.#isShared = buffer instanceof SharedArrayBuffer
    const { slots } = size
    let next = 0
    const ints = (count: number) => {
      const at = next
      next += Math.ceil(count / LINE) * LINE
      return at
    }
    this.lead = ints(1)
    this.round = ints(1)
    this.remain = ints(1)
    this.repair = ints(1)
    this.stop = ints(1)
    this.request = ints(1)
    this.watching = ints(1)
    this.holding = ints(1)
    this.cutHolds = ints(1)
    this.reports = ints(1)
    this.slotCount = ints(1)
    this.nextPage = ints(1)
    this.definitionTop = ints(1)
    this.ended = ints(1)
    this.activeCount = ints(2)
    this.phase = ints(2)
    this.subround = ints(2)
    this.lastSubround = ints(1)
    this.systemRound = ints(2)
    this.active = ints(2 * slots)
    this.done = ints(slots)
    this.turn = ints(slots)
    this.head = ints(slots)
    this.pending = ints(slots)
    this.dead = ints(slots)
    this.incarnation = ints(slots)
    this.addressAt = ints(slots)
    this.heartbeat = ints(slots)
    this.linking = ints(slots)
    this.first = ints(slots)
    this.call = ints(slots)
    this.release = ints(slots)
    this.sideA = ints(slots)
    this.sideB = ints(slots)
    this.thread = ints(slots)
    this.wake = ints(slots * LINE)
    this.asleep = ints(slots * LINE)
    next /= 2 // from here doubles
    this.time = ints(2)
    this.until = ints(1)
    this.lastRound = ints(1)
    this.longestHold = ints(1)
    this.calm = ints(1)
    this.linkDelay = ints(LINK_FAULTS)
    this.due = ints(KINDS * slots)
    this.mailDue = ints(slots)
    this.held = ints(slots)
    this.pausedUntil = ints(slots)
    this.writeTime = ints(slots)
    this.skew = ints(slots)
    this.sent = ints(slots)
    this.sentNear = ints(slots)
    this.steps = ints(slots)
    this.unhandled = ints(slots)
    this.counts = ints(slots * COUNTS)
    this.again = ints(slots)
    this.receipts = ints(slots)
    this.trees = ints(KINDS * 2 * slots)
    this.clockZero = ints(1)
    this.clockScale = ints(1)
    this.definitionsAt = next
    this.definitionsEnd = next + size.definitionWords
    this.pagesAt = Math.ceil(this.definitionsEnd / PAGE_WORDS) * PAGE_WORDS
  }

  /** Allocates a block for `size`; only memory that is touched becomes resident. */
  static create(size: BoardSize, shared: boolean): Board {
    const words = new Board(new ArrayBuffer(0), size).pagesAt + size.pages * PAGE_WORDS
    const board = new Board(shared ? new SharedArrayBuffer(words * 8) : new ArrayBuffer(words * 8), size)
    board.i32[board.definitionTop] = board.definitionsAt
    board.#begin()
    return board
  }

  /** Allocates the words of control alone, for mail that does not travel in the block. */
  static createBare(size: BoardSize): Board {
    const board = new Board(new ArrayBuffer(new Board(new ArrayBuffer(0), size).definitionsAt * 8), size)
    board.#begin()
    return board
  }

  /** Sets the words whose first value is not 0. */
  #begin(): void {
    this.f64.fill(Number.POSITIVE_INFINITY, this.due, this.pausedUntil)
    this.f64.fill(Number.POSITIVE_INFINITY, this.trees, this.trees + KINDS * 2 * this.size.slots)
    this.i32.fill(-1, this.done, this.head) // `done` and `turn`: no round yet
  }

  /** Resets the words of a slot for a new incarnation. Mail that is being linked meanwhile stays counted. */
  freshen(slot: number, incarnation: number): void {
    for (let kind = 0; kind < KINDS; kind++)
      this.put(this.due + kind * this.size.slots + slot, Number.POSITIVE_INFINITY)
    this.put(this.mailDue + slot, Number.POSITIVE_INFINITY)
    this.put(this.held + slot, Number.POSITIVE_INFINITY)
    this.put(this.pausedUntil + slot, 0)
    for (const word of [this.head, this.linking, this.first, this.call, this.release, this.sideA, this.sideB])
      this.set(word + slot, 0)
    this.set(this.turn + slot, -1)
    this.set(this.done + slot, -1)
    this.set(this.incarnation + slot, incarnation)
    this.set(this.dead + slot, 0)
  }

  /** The region for the shapes of messages, which codecs define. */
  get definitions() {
    return { pointer: this.definitionTop, start: this.definitionsAt, end: this.definitionsEnd }
  }

  // Within one thread plain loads and stores do; atomic ones take ten times as long.

  int(at: number): number {
    return this.#isShared ? Atomics.load(this.i32, at) : (this.i32[at] ?? 0)
  }
  set(at: number, value: number): void {
    if (this.#isShared) Atomics.store(this.i32, at, value)
    else this.i32[at] = value
  }
  add(at: number, more: number): void {
    if (this.#isShared) Atomics.add(this.i32, at, more)
    else this.i32[at] = (this.i32[at] ?? 0) + more
  }
  /** Reads a plain double. Other threads see it through a later atomic store (`done`, `lead`). */
  num(at: number): number {
    return this.f64[at] ?? Number.NaN
  }
  put(at: number, value: number): void {
    this.f64[at] = value
  }
  /** The number of the thread that runs a slot. */
  threadOf(slot: number): number {
    return this.i32[this.thread + slot] || slot
  }
  bell(thread: number): number {
    return this.wake + thread * LINE
  }
  /** Rings the doorbell of a thread; this is harmless when it is awake. */
  ring(thread: number): void {
    Atomics.add(this.i32, this.bell(thread), 1)
    Atomics.notify(this.i32, this.bell(thread))
  }
  sleeper(thread: number): number {
    return this.asleep + thread * LINE
  }
}
