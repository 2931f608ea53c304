/**
 * Actors on hosts: the runtime of a system whose threads are in other processes. The system, its supervision, its trace
 * and its checks are those of a single machine; what starts, ends and links there is asked for and reported here.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { nanoid } from 'nanoid'
import { machineOf } from '../address.ts'
import type { CellOptions } from '../cell.ts'
import { codeDigest, pathOfModule } from '../code.ts'
import { type Board, SYSTEM } from '../memory/board.ts'
import type { Codec } from '../memory/codec.ts'
import { push, takeAll } from '../memory/list.ts'
import type { CrewOptions } from '../runtime/crew.ts'
import { LOOK_MS } from '../runtime/real-time.ts'
import type { Cause, Runtime, Seat } from '../runtime/runtime.ts'
import { ELSEWHERE, linkChain, milliseconds, millisecondsUntil, modelNow, startClock } from '../time/real.ts'
import { ALIVE, DEAD, END_IDLE, END_NONE, END_UNTIL } from '../time/rounds.ts'
import type { Time } from '../time.ts'
import { UsageError } from '../usage.ts'
import type { Access } from './access.ts'
import { connectTo, type NatsConnection } from './connect.ts'
import { Flow } from './flow.ts'
import { Leases } from './leases.ts'
import { BEAT_MS, standingAfter } from './members.ts'
import { Merge } from './merge.ts'
import { takeParcel, Unpacking } from './parcels.ts'
import { type Place, Placement } from './placement.ts'
import { Rest } from './rest.ts'
import { COORDINATOR, type Note, type Packing, packing, SUBJECTS } from './wire.ts'
import { readSums, Words, writeSums } from './words.ts'

/** On which hosts the actors are, and where these are met. */
export interface HostsOptions {
  readonly access: Access
  readonly hosts: readonly string[]
  readonly places: readonly Place[]
  /** Told what becomes of hosts. */
  readonly note: (text: string) => void
}

export interface CoordinatorWith {
  readonly board: Board
  readonly codec: Codec
  readonly cells: CellOptions
  readonly threads: CrewOptions
  /** Milliseconds per unit. */
  readonly scale: number
  readonly hosts: HostsOptions
}

interface Host {
  readonly name: string
  readonly node: number
  readonly flow: Flow
  /** When it last said that it is there, in milliseconds. */
  heard: number
  isSuspect: boolean
}

interface Starting {
  readonly node: number
  readonly resolve: (engine: string) => void
  readonly reject: (error: Error) => void
}

interface Killing {
  readonly node: number
  readonly resolve: () => void
}

/** What all need, once connected. */
interface Line {
  readonly connection: NatsConnection
  readonly packing: Packing
  readonly leases: Leases
}

/** What an actor needs to begin. */
const LIVING = 'a host that lives'
/** A host may take so long to answer whether it takes part. */
const ENLIST_MS = 5000
/** A host may start a little later than the run: so often it is asked again, once a beat. */
const TRIES = 10

export class HostsRuntime implements Runtime {
  readonly runsOn = true
  readonly subround = 0
  readonly #with: CoordinatorWith
  readonly #run = nanoid()
  readonly #board: Board
  readonly #unpacking: Unpacking
  readonly #words: Words
  readonly #placement: Placement
  readonly #merge = new Merge((node, note) => this.#obey(node, note))
  readonly #rest = new Rest()
  /** Those that live, by node. */
  readonly #hosts = new Map<number, Host>()
  /** By slot. */
  readonly #nodes: number[] = []
  readonly #machines = new Set<string>()
  readonly #starting = new Map<number, Starting>()
  readonly #killing: (Killing & { readonly slot: number })[] = []
  readonly #ready: Promise<Line>
  #line: Line | undefined
  #beat: NodeJS.Timeout | undefined
  /** Notes that hosts may yet have to act on. */
  #told = 0
  /** When hosts were asked last, in milliseconds. */
  #asked = Number.NEGATIVE_INFINITY
  #isOpen = false
  #isStopped = false
  /** What the run does not survive. */
  #failure: Error | undefined
  #isRung = false
  #wakeUp = (): void => {}

  constructor(surroundings: CoordinatorWith) {
    const { board, codec, hosts } = surroundings
    this.#with = surroundings
    this.#board = board
    this.#unpacking = new Unpacking(board, codec)
    this.#words = new Words(
      board,
      (slot) => this.#nodes[slot] ?? -1,
      (slot) => this.#starting.has(slot),
    )
    this.#placement = new Placement(hosts.places)
    this.#ready = this.#connect()
    this.#ready.catch(() => {}) // whoever starts an actor hears of it
  }

  async #connect(): Promise<Line> {
    const { access, hosts } = this.#with.hosts
    const pack = await packing('--nats')
    const connection = await connectTo(access, 'bourse run', '--nats')
    try {
      const line = { connection, packing: pack, leases: await Leases.open(connection, '--nats') }
      connection.subscribe(SUBJECTS.at(this.#run, COORDINATOR, '*'), {
        callback: (refused, message) => {
          if (refused)
            return this.#fail(new UsageError('--nats', 'a server that lets a run subscribe', refused.message))
          const what = message.subject.slice(message.subject.lastIndexOf('.') + 1)
          if (what === 'time') message.respond(line.packing.pack({ at: milliseconds() }))
          else this.#try(() => this.#hear(line, what, message.data))
        },
      })
      await Promise.all(hosts.map((name) => this.#enlist(line, name, TRIES)))
      this.#beat = setInterval(() => this.#try(() => this.#look(line)), BEAT_MS)
      this.#line = line
      return line
    } catch (error) {
      await this.#part({ connection, packing: pack })
      throw error
    }
  }

  /** @throws UsageError if there is no such host, also after so many more tries, or it takes no part */
  async #enlist({ connection, packing }: Line, name: string, tries: number): Promise<void> {
    const { board, cells, threads } = this.#with
    const { watchdogMs } = threads
    const invitation = { run: this.#run, digest: codeDigest(), watchdogMs, size: board.size, cells }
    const ask = () => connection.request(SUBJECTS.enlist(name), packing.pack(invitation), { timeout: ENLIST_MS })
    let answer = await ask().catch(() => undefined)
    for (let i = 0; i < tries && !answer && !this.#isStopped; i++) {
      await pause(BEAT_MS)
      answer = await ask().catch(() => undefined)
    }
    const command = 'npx tsx scenarios/host.ts --nats URL --name'
    if (!answer) throw new UsageError('--hosts', `a host called ${name} (${command} ${name})`, 'no answer')
    const { node, refused = 'what it says cannot be read' } = packing.read('enlisted', answer.data) ?? {}
    if (node === undefined) throw new UsageError('--hosts', `hosts that take part, ${name} among them`, refused)
    const to = (frame: Uint8Array) => {
      if (!connection.isClosed()) connection.publish(SUBJECTS.at(this.#run, node, 'flow'), frame)
    }
    const limit = connection.info?.max_payload ?? Number.POSITIVE_INFINITY
    const flow = new Flow(packing, COORDINATOR, limit, to)
    this.#hosts.set(node, { name, node, flow, heard: performance.now(), isSuspect: false })
    this.#merge.join(node)
    this.#push(node, { type: 'words', ...this.#words.all })
    if (this.#isOpen) this.#push(node, this.#clock)
  }

  get #clock(): Note {
    const { clockZero, clockScale } = this.#board
    return { type: 'clock', zero: this.#board.num(clockZero), scale: this.#board.num(clockScale) }
  }

  #try(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#starting.values()) reject(this.#failure)
    this.#starting.clear()
    this.#wake()
  }

  #push(node: number, note: Note): void {
    if (note.type !== 'probe') this.#told++
    this.#hosts.get(node)?.flow.push(note)
  }

  #hear(line: Line, what: string, data: Uint8Array): void {
    const { packing } = line
    if (what === 'tally') {
      const tally = packing.read('tally', data)
      const host = tally && this.#hosts.get(tally.from)
      if (!host) return
      host.heard = performance.now()
      host.flow.tally(tally.heard)
      this.#publish(line, host.node, 'tally', { from: COORDINATOR, sent: host.flow.sent, heard: host.flow.heard })
      return
    }
    const frame = what === 'flow' ? packing.read('flow', data) : undefined
    const host = frame && this.#hosts.get(frame.from)
    // who was taken for dead and is not yet told is told
    if (frame && !host) return this.#publish(line, frame.from, 'over', null)
    const note = frame && host?.flow.hear(frame)
    if (host && note) this.#merge.add(host.node, note, host.flow.heard)
  }

  /** Tells all hosts that the run is over. */
  async #part(line: Omit<Line, 'leases'>): Promise<void> {
    const { connection } = line
    if (connection.isClosed()) return
    for (const node of this.#hosts.keys()) this.#publish(line, node, 'over', null)
    await connection.flush().catch(() => {})
    await connection.close()
  }

  #publish({ connection, packing }: Omit<Line, 'leases'>, node: number, what: string, value: unknown): void {
    if (connection.isClosed()) return
    connection.publish(SUBJECTS.at(this.#run, node, what), packing.pack(value))
  }

  /** Something that a host has told, after all that it comes of. */
  #obey(node: number, note: Note): void {
    const board = this.#board
    switch (note.type) {
      case 'letters': {
        for (const parcel of note.parcels) {
          const at = this.#unpacking.put(parcel)
          if (at !== undefined) push(board, SYSTEM, at)
        }
        break
      }
      case 'started':
      case 'failed': {
        const starting = this.#starting.get(note.slot)
        if (starting?.node !== node) return
        this.#starting.delete(note.slot)
        if (note.type === 'started') {
          this.#tellWords()
          starting.resolve(note.engine)
        } else starting.reject(errorOf(note.cause))
        return
      }
      case 'killed':
        this.#killed((killing) => killing.slot === note.slot && killing.node === node, 1)
        return
      case 'died': {
        if (this.#nodes[note.slot] !== node || board.int(board.life + note.slot) !== note.life) return
        board.set(board.dead + note.slot, DEAD)
        this.#with.threads.onDeath(note.slot, note.life, note.cause)
        break
      }
      case 'state': {
        for (const [slot = 0, ...sums] of note.sums) if (this.#nodes[slot] === node) writeSums(board, slot, sums)
        this.#rest.answer(node, note, this.#isLiving)
        if (!this.quiet) return
        break
      }
      case 'missed': {
        const { first, last } = note
        this.#push(note.from, { type: 'lost', at: node, first, last })
        return
      }
      case 'broken':
        return this.#fail(errorOf(note.cause))
      case 'left':
        return this.#lose(node, 'has left')
    }
    this.#wake()
  }

  #killed(which: (killing: Killing & { readonly slot: number }) => boolean, most: number): void {
    for (let left = most; left > 0; left--) {
      const at = this.#killing.findIndex(which)
      if (at < 0) return
      this.#killing.splice(at, 1)[0]?.resolve()
    }
  }

  /** Once a beat: who has not been heard of? */
  #look(line: Line): void {
    for (const host of [...this.#hosts.values()]) {
      const standing = standingAfter(performance.now() - host.heard)
      if (standing === 'dead') this.#lose(host.node, 'is silent')
      else if (host.isSuspect !== (standing === 'suspect')) {
        host.isSuspect = standing === 'suspect'
        this.#with.hosts.note(`${host.name} ${host.isSuspect ? 'has not been heard of for long' : 'is heard of again'}`)
      }
    }
    const living = this.#names
    for (const name of this.#with.hosts.hosts) if (!living.includes(name)) void this.#regain(line, name)
  }

  get #names(): string[] {
    return [...this.#hosts.values()].map(({ name }) => name)
  }

  readonly #regaining = new Set<string>()

  /** A host that comes back is a new one: it has none of its actors. */
  async #regain(line: Line, name: string): Promise<void> {
    if (this.#regaining.has(name) || this.#isStopped) return
    this.#regaining.add(name)
    try {
      await this.#enlist(line, name, 0)
      this.#with.hosts.note(`${name} takes part again`)
    } catch {
      // the next beat asks again
    } finally {
      this.#regaining.delete(name)
    }
  }

  #lose(node: number, why: string): void {
    const host = this.#hosts.get(node)
    if (!host) return
    this.#hosts.delete(node)
    this.#merge.leave(node)
    const message = `host ${host.name} ${why}`
    this.#with.hosts.note(message)
    this.#line?.leases.end(Leases.keyOf(this.#run, host.name)).catch(() => {})
    for (const other of this.#hosts.keys()) this.#push(other, { type: 'gone', node })
    this.#killed((killing) => killing.node === node, Number.POSITIVE_INFINITY)
    for (const [slot, starting] of [...this.#starting]) {
      if (starting.node !== node) continue
      this.#starting.delete(slot)
      starting.reject(new UsageError('--hosts', LIVING, message))
    }
    const { dead, life } = this.#board
    for (const [slot, at] of this.#nodes.entries()) {
      if (at !== node || this.#board.int(dead + slot) !== ALIVE) continue
      this.#board.set(dead + slot, DEAD)
      this.#with.threads.onDeath(slot, this.#board.int(life + slot), { name: 'Silent', message, stack: '' })
    }
    this.#wake()
  }

  async start(seat: Seat): Promise<string> {
    if (!this.#line) await this.#ready
    if (this.#isStopped) throw new Error('the system has stopped')
    if (this.#failure) throw this.#failure
    const { slot, life, address, module, engine, resourceLimits } = seat
    const machine = machineOf(address)
    this.#machines.add(machine)
    const name = this.#placement.hostOf(machine, this.#names)
    const host = [...this.#hosts.values()].find((other) => other.name === name)
    if (!host) throw new UsageError('--hosts', LIVING, 'none')
    const { node } = host
    const board = this.#board
    this.#nodes[slot] = node
    board.set(board.sleeper(slot), ELSEWHERE)
    const heapMB = resourceLimits?.maxOldGenerationSizeMb
    return new Promise((resolve, reject) => {
      this.#starting.set(slot, { node, resolve, reject })
      const seated = { slot, life, address, path: pathOfModule(module), engine, sums: readSums(board, slot) }
      this.#push(node, { type: 'start', ...seated, heapMB })
    })
  }

  async kill(slot: number): Promise<void> {
    const node = this.#nodes[slot]
    if (node === undefined || !this.#hosts.has(node)) return
    const killed = new Promise<void>((resolve) => this.#killing.push({ node, slot, resolve }))
    this.#push(node, { type: 'kill', slot })
    await killed
  }

  bury(): void {
    this.#tellWords()
  }

  /** @throws UsageError for a place of a workstation that is none */
  open(): void {
    const stranger = this.#with.hosts.places.find(({ machine }) => !this.#machines.has(machine))
    if (stranger) throw new UsageError('--place', 'a workstation with actors', stranger.machine)
    startClock(this.#board, this.#with.scale)
    this.#isOpen = true
    this.#tellWords()
    for (const node of this.#hosts.keys()) this.#push(node, this.#clock)
  }

  request(): void {
    this.#wake()
  }

  get now(): Time {
    return modelNow(this.#board)
  }

  advance(): void {}

  get quiet(): boolean {
    return this.#rest.holds(this.#told) || this.#hosts.size === 0
  }

  #tellWords(): void {
    const words = this.#words.changes()
    if (!words) return
    for (const node of this.#hosts.keys()) this.#push(node, { type: 'words', ...words })
  }

  /** What the system has posted is sent to where its recipients are. */
  #tellLetters(): void {
    const { board, codec } = this.#with
    const { pending, slotCount } = board
    for (let slot = 1; slot < board.int(slotCount); slot++) {
      const node = this.#nodes[slot]
      // what is for an actor of a host that is gone stays: it is undeliverable as soon as that death is read
      if (node === undefined || !this.#hosts.has(node)) continue
      const linked = takeAll(board, slot)
      if (linked.length === 0) continue
      Atomics.sub(board.i32, pending + slot, linked.length)
      const parcels = linked.flatMap((at) => {
        const parcel = takeParcel(board, codec, at)
        return parcel ? [parcel] : []
      })
      this.#push(node, { type: 'letters', before: [], parcels })
    }
  }

  /** Asks all hosts how they are; not before all have answered the last time, nor too often. */
  #ask(): void {
    const now = performance.now()
    if (now - this.#asked < LOOK_MS || !this.#rest.isOver(this.#isLiving)) return
    this.#asked = now
    const n = this.#rest.ask(this.#told, this.#hosts.keys())
    for (const node of this.#hosts.keys()) this.#push(node, { type: 'probe', n })
  }

  readonly #isLiving = (node: number): boolean => this.#hosts.has(node)

  async pass(): Promise<number> {
    const board = this.#board
    const { until, due } = board
    linkChain(board, SYSTEM)
    this.#tellWords()
    this.#tellLetters()
    const next = Math.min(board.num(until), board.num(due))
    await this.#sleep(Math.min(LOOK_MS, millisecondsUntil(board, next)))
    if (this.#failure) throw this.#failure
    if (this.now >= board.num(until)) {
      await this.#count()
      return END_UNTIL
    }
    if (board.num(due) === Number.POSITIVE_INFINITY && this.quiet) return END_IDLE
    this.#ask()
    return END_NONE
  }

  /** Until something is heard, unless it was since the last time, or `ms` have gone by. */
  async #sleep(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, ms)
        this.#wakeUp = () => {
          clearTimeout(late)
          resolve()
        }
      })
    }
    this.#isRung = false
  }

  #wake(): void {
    this.#isRung = true
    this.#wakeUp()
  }

  /** Waits until all hosts have said what their actors have counted. */
  async #count(): Promise<void> {
    while (!this.#rest.isOver(this.#isLiving) && !this.#isStopped) await this.#sleep(LOOK_MS)
    this.#asked = Number.NEGATIVE_INFINITY
    this.#ask()
    while (!this.#rest.isOver(this.#isLiving) && !this.#isStopped) await this.#sleep(LOOK_MS)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#board.set(this.#board.stop, 1)
    this.#wake()
    const line = await this.#ready.catch(() => undefined)
    clearInterval(this.#beat)
    for (const { reject } of this.#starting.values()) reject(new Error('the system has stopped'))
    for (const { resolve } of this.#killing) resolve()
    if (line) await this.#part(line)
  }
}

const errorOf = ({ name, message, stack }: Cause): Error => Object.assign(new Error(message), { name, stack })
