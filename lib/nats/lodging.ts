/**
 * The actors of one run on this host: their threads, and the board that they share. What they send to actors that are
 * not here, and what they report, is linked on the board as ever; this takes it from there and sends it on.
 */
import { moduleAt } from '../code.ts'
import { Board, SYSTEM } from '../memory/board.ts'
import { Codec } from '../memory/codec.ts'
import { push, takeAll } from '../memory/list.ts'
import * as record from '../memory/record.ts'
import { isObject } from '../plain.ts'
import { isReport } from '../report.ts'
import { locate } from '../runtime/bundle.ts'
import { RealTimeRuntime } from '../runtime/real-time.ts'
import type { Cause } from '../runtime/runtime.ts'
import { takeUndelivered } from '../system/inbox.ts'
import { awaitLinkers, ELSEWHERE, link, milliseconds, startClock } from '../time/real.ts'
import { ALIVE, STOPPED } from '../time/rounds.ts'
import type { NatsConnection } from './connect.ts'
import { Flow } from './flow.ts'
import type { Leases } from './leases.ts'
import { Mail } from './mail.ts'
import { BEAT_MS, DEAD_MS } from './members.ts'
import type { Gap } from './numbers.ts'
import { bodyOf, fromOf, lifeOf, lostOf, type Parcel, takeParcel, toOf, Unpacking, withBody } from './parcels.ts'
import { Past } from './past.ts'
import { Tenure } from './tenure.ts'
import { COORDINATOR, type Frames, type Note, type Packing, readNone, SUBJECTS } from './wire.ts'
import { placed, readSums, type Sums, writeSums } from './words.ts'

export interface LodgingWith {
  readonly connection: NatsConnection
  readonly packing: Packing
  readonly leases: Leases
  /** The host's name, and that of this one process. */
  readonly name: string
  readonly id: string
  readonly note: (text: string) => void
}

type Invitation = Frames['enlist']

export class Lodging {
  readonly #with: LodgingWith
  readonly #run: string
  readonly #self: number
  readonly #board: Board
  readonly #codec: Codec
  readonly #unpacking: Unpacking
  readonly #runtime: RealTimeRuntime
  readonly #flow: Flow
  readonly #mail: Mail
  readonly #tenure: Tenure
  /** By slot. */
  readonly #nodes: number[] = []
  readonly #past = new Past()
  readonly #sums = new Map<number, string>()
  /** Milliseconds that the clock here is ahead of the clock of node 0. */
  #ahead = 0
  #heard = performance.now()
  #isOver = false
  /** What ended it, if that was an error. */
  #failure: unknown

  private constructor(surroundings: LodgingWith, invitation: Invitation, tenure: Tenure) {
    const { connection, packing } = surroundings
    this.#with = surroundings
    this.#run = invitation.run
    this.#tenure = tenure
    this.#self = tenure.epoch
    this.#board = Board.create(invitation.size, true)
    this.#board.put(this.#board.until, Number.POSITIVE_INFINITY)
    this.#codec = new Codec(this.#board.block, this.#board.definitions)
    this.#unpacking = new Unpacking(this.#board, this.#codec)
    const { cells, watchdogMs } = invitation
    const onDeath = (slot: number, life: number, cause: Cause) => {
      this.#drain()
      this.#flow.push({ type: 'died', slot, life, cause: causeOf(cause) })
    }
    const isHere = (slot: number) => this.#isHere(slot)
    this.#runtime = new RealTimeRuntime(this.#board, cells, { watchdogMs, onDeath }, 1, isHere)
    const limit = connection.info?.max_payload ?? Number.POSITIVE_INFINITY
    this.#flow = new Flow(packing, this.#self, limit, (frame) => this.#publish(COORDINATOR, 'flow', frame))
    this.#mail = new Mail({
      ...{ packing, self: this.#self, limit },
      publish: (node, slot, frame, none) => this.#publish(node, slot, frame, none),
      tally: (node, sent, heard) => this.#tally(node, sent, heard),
    })
  }

  /**
   * Takes part in a run; the returned promise settles when that is over.
   *
   * @throws if the host takes part in it already
   */
  static async open(
    surroundings: LodgingWith,
    invitation: Invitation,
    signal: AbortSignal,
  ): Promise<{ readonly node: number; readonly over: Promise<void> }> {
    const { leases, name, id } = surroundings
    const tenure = await Tenure.begin(leases, invitation.run, name, id)
    try {
      const lodging = new Lodging(surroundings, invitation, tenure)
      await lodging.#readClock()
      return { node: tenure.epoch, over: lodging.#toEnd(signal) }
    } catch (error) {
      await tenure.end()
      throw error
    }
  }

  async #toEnd(signal: AbortSignal): Promise<void> {
    const { connection } = this.#with
    const stop = (): void => this.#end('it leaves')
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    const beat = setInterval(() => this.#beat(), BEAT_MS)
    this.#tenure.watch((why) => this.#end(why))
    const subscription = connection.subscribe(SUBJECTS.at(this.#run, this.#self, '*'), {
      callback: (refused, { subject, data }) => {
        try {
          if (refused) throw refused
          this.#hear(subject.slice(subject.lastIndexOf('.') + 1), data)
        } catch (error) {
          this.#failure = error
          this.#end(messageOf(error))
        }
      },
    })
    try {
      while (!this.#isOver) {
        await this.#runtime.pass()
        this.#drain()
      }
      if (this.#failure !== undefined) throw this.#failure
    } catch (error) {
      this.#end(messageOf(error))
      this.#flow.push({ type: 'broken', cause: causeOf(error) })
    } finally {
      clearInterval(beat)
      signal.removeEventListener('abort', stop)
      await this.#runtime.stop()
      subscription.unsubscribe()
      if (this.#tenure.isHeld) this.#flow.push({ type: 'left' })
      await this.#tenure.end()
    }
  }

  /** Lets go of the run; `why` is told. */
  #end(why: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#with.note(`${this.#with.name} lets go of the run ${this.#run}: ${why}`)
    this.#board.ring(SYSTEM)
  }

  #isHere(slot: number): boolean {
    return this.#nodes[slot] === this.#self
  }

  /** By the quickest of some answers of node 0: it is half as old as it took. */
  async #readClock(): Promise<void> {
    const { connection, packing } = this.#with
    let quickest = Number.POSITIVE_INFINITY
    for (let i = 0; i < CLOCK_READINGS; i++) {
      const asked = milliseconds()
      const timeout = BEAT_MS
      const answer = await connection
        .request(SUBJECTS.at(this.#run, COORDINATOR, 'time'), '', { timeout })
        .catch(() => {})
      const read = answer && packing.read('time', answer.data)
      const now = milliseconds()
      if (!read || now - asked > quickest) continue
      quickest = now - asked
      this.#ahead = (asked + now) / 2 - read.at
    }
  }

  #hear(what: string, data: Uint8Array): void {
    const { packing } = this.#with
    if (/^\d+$/.test(what)) return this.#hearMail(packing.read('mail', data))
    const none = readNone(what)
    if (none) return this.#lose(none.to, { first: none.n, last: none.n }, record.LOST_NO_HOST)
    if (what === 'tally') return this.#hearTally(packing.read('tally', data))
    if (what === 'over') return this.#end('it is over')
    const frame = what === 'flow' ? packing.read('flow', data) : undefined
    if (frame?.from !== COORDINATOR) return
    this.#heard = performance.now()
    const note = this.#flow.hear(frame)
    if (note) this.#obey(note)
  }

  #hearMail(frame: Frames['mail'] | undefined): void {
    if (!frame) return
    const heard = this.#mail.hear(frame)
    if (!heard) return
    this.#miss(frame.from, heard.lost)
    this.#past.merge(frame.before)
    this.#deliver(frame.parcels, frame.from)
  }

  #hearTally(tally: Frames['tally'] | undefined): void {
    if (!tally) return
    if (tally.from !== COORDINATOR) return this.#miss(tally.from, this.#mail.tally(tally))
    this.#heard = performance.now()
    this.#flow.tally(tally.heard)
  }

  #miss(from: number, gap: Gap | undefined): void {
    if (gap) this.#flow.push({ type: 'missed', from, ...gap })
  }

  #lose(to: number, gap: Gap, reason: number): void {
    this.#letters(this.#mail.take(to, gap).map((parcel) => lostOf(parcel, reason)))
  }

  #letters(parcels: readonly Parcel[]): void {
    if (parcels.length > 0) this.#flow.push({ type: 'letters', before: this.#past.before, parcels })
  }

  #deliver(parcels: readonly Parcel[], node: number): void {
    const board = this.#board
    for (const parcel of parcels) {
      if (!this.#isHere(toOf(parcel))) {
        this.#letters([lostOf(parcel, record.LOST_NO_HOST)])
        continue
      }
      const at = this.#unpacking.put(parcel)
      if (at === undefined) continue
      const [from, life] = [fromOf(parcel), lifeOf(parcel)]
      // that a new life has begun may be heard from itself first
      if (from !== SYSTEM && !this.#isHere(from) && life > board.int(board.life + from)) {
        this.#nodes[from] = node
        board.set(board.life + from, life)
        board.set(board.dead + from, ALIVE)
      }
      link(board, at)
    }
  }

  #obey(note: Note): void {
    switch (note.type) {
      case 'letters':
        return this.#deliver(note.parcels, COORDINATOR)
      case 'gone': {
        this.#mail.leave(note.node)
        return this.#past.forget(note.node)
      }
      case 'words':
        return this.#words(note)
      case 'clock':
        return startClock(this.#board, note.scale, note.zero + this.#ahead)
      case 'start':
        return void this.#start(note)
      case 'kill':
        return void this.#kill(note.slot)
      case 'probe':
        return this.#tell(note.n)
      case 'lost':
        return this.#lose(note.at, note, record.LOST_BETWEEN_HOSTS)
    }
  }

  #words({ slots, slotCount, watching }: Extract<Note, { type: 'words' }>): void {
    const board = this.#board
    board.set(board.slotCount, slotCount)
    board.set(board.watching, watching)
    for (const words of slots) {
      const { slot, life, dead, sideA, sideB, stall, node } = placed(words)
      if (life < board.int(board.life + slot)) continue // a later life was heard from itself
      this.#nodes[slot] = node
      const isHere = this.#isHere(slot)
      // of those here a life begins with its start, not before
      if (!isHere) {
        board.set(board.sleeper(slot), ELSEWHERE)
        board.set(board.life + slot, life)
      }
      const ends = dead !== ALIVE && (!isHere || board.int(board.life + slot) === life)
      if (ends || !isHere) board.set(board.dead + slot, dead)
      board.set(board.sideA + slot, sideA)
      board.set(board.sideB + slot, sideB)
      board.put(board.stall + slot, stall)
      if (isHere && ends) this.#bounce(slot, dead === STOPPED ? record.LOST_STOPPED : record.LOST_DEAD)
    }
  }

  /** A life here is over: what was on its way to it goes back to the system. */
  #bounce(slot: number, reason: number): void {
    const board = this.#board
    awaitLinkers(board, slot)
    for (const at of takeUndelivered(board, slot, reason)) {
      board.set(2 * at + record.STATE, record.STATE_POSTED)
      push(board, SYSTEM, at)
    }
    board.ring(SYSTEM)
  }

  async #start({ slot, life, address, path, engine, heapMB, sums }: Extract<Note, { type: 'start' }>): Promise<void> {
    const board = this.#board
    this.#nodes[slot] = this.#self
    board.set(board.slotCount, Math.max(board.int(board.slotCount), slot + 1))
    board.freshen(slot, life)
    writeSums(board, slot, sums)
    this.#sums.set(slot, sums.join())
    try {
      const module = moduleAt(path)
      if (module === undefined) throw new Error(`${path} is no module of this project`)
      const resourceLimits = heapMB === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMB } }
      const ran = await this.#runtime.start({ slot, life, address, module, engine, ...resourceLimits })
      this.#flow.push({ type: 'started', slot, life, engine: ran })
    } catch (error) {
      this.#flow.push({ type: 'failed', slot, life, cause: causeOf(error) })
    }
  }

  async #kill(slot: number): Promise<void> {
    await this.#runtime.kill(slot)
    this.#drain()
    this.#flow.push({ type: 'killed', slot })
  }

  /** Takes what is for others, then what was reported: of what leaves the report comes before it. */
  #drain(): void {
    const board = this.#board
    const { pending, slotCount, call } = board
    const mail: (readonly [slot: number, parcels: readonly Parcel[]])[] = []
    for (let slot = 1; slot < board.int(slotCount); slot++) {
      if (this.#isHere(slot)) board.set(call + slot, 0)
      else {
        const linked = takeAll(board, slot)
        if (linked.length === 0) continue
        Atomics.sub(board.i32, pending + slot, linked.length)
        mail.push([slot, this.#parcels(linked)])
      }
    }
    this.#letters(this.#parcels(takeAll(board, SYSTEM)).map(located))
    this.#past.set(this.#self, this.#flow.sent)
    const { before } = this.#past
    for (const [slot, parcels] of mail) this.#letters(this.#mail.send(this.#nodes[slot] ?? -1, slot, parcels, before))
  }

  #parcels(linked: readonly number[]): readonly Parcel[] {
    return linked.flatMap((at) => {
      const parcel = takeParcel(this.#board, this.#codec, at)
      return parcel ? [parcel] : []
    })
  }

  /** The answer to a probe. */
  #tell(n: number): void {
    this.#drain()
    const board = this.#board
    const here = this.#nodes.flatMap((node, slot) => (node === this.#self ? [slot] : []))
    const sums = here.flatMap((slot) => {
      const now: Sums = readSums(board, slot)
      if (this.#sums.get(slot) === now.join()) return []
      this.#sums.set(slot, now.join())
      return [[slot, ...now]]
    })
    const steps = here.reduce((sum, slot) => sum + board.int(board.done + slot), 0)
    this.#flow.push({ type: 'state', n, isQuiet: this.#runtime.quiet, steps, ...this.#mail.counts, sums })
  }

  #tally(to: number, sent: number, heard: number): void {
    this.#publish(to, 'tally', this.#with.packing.pack({ from: this.#self, sent, heard }))
  }

  /** The server says `none` if nobody listens. */
  #publish(to: number, what: string | number, data: Uint8Array, none?: string): void {
    const { connection } = this.#with
    if (connection.isClosed()) return
    const reply = none === undefined ? {} : { reply: SUBJECTS.at(this.#run, this.#self, none) }
    connection.publish(SUBJECTS.at(this.#run, to, what), data, reply)
  }

  /** Renews the lease, or lets go of the run if nobody is heard of for whom to have it. */
  #beat(): void {
    if (!this.#tenure.isHeld) return
    if (performance.now() - this.#heard >= DEAD_MS) return this.#end('nobody waits for it')
    // only who holds the lease says that it is there: so who does not say so for longer than a lease lasts has none
    this.#tally(COORDINATOR, this.#flow.sent, this.#flow.heard)
    this.#mail.beat()
    void this.#tenure.renew()
  }
}

const CLOCK_READINGS = 8

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Told = Pick<Cause, 'name' | 'message' | 'stack'>

const causeOf = (error: unknown): Told => {
  const { name = 'Error', message = String(error), stack = '' }: Partial<Told> = isObject(error) ? error : {}
  return { name, message, stack }
}

/** Only this process knows where the frames of its threads were written. */
function located(parcel: Parcel): Parcel {
  const body = bodyOf(parcel)
  if (!isReport(body) || body.type !== 'crash') return parcel
  return withBody(parcel, { ...body, stack: locate(body.stack) })
}
