/**
 * Actors on hosts: the runtime of a system whose threads are in other processes. The system, its supervision, its trace
 * and its checks work as on a single machine. Hosts start, end and link actors on request, and report what happened.
 */

import { nanoid } from 'nanoid'
import type { CellOptions } from '../../cell/actor-cell.ts'
import { END_IDLE, END_NONE, END_UNTIL } from '../../clock/lockstep.ts'
import { millisecondsUntil, modelNow, setBeginning, startClock } from '../../clock/realtime.ts'
import { machineOf, SYSTEM } from '../../core/address.ts'
import { nameOfModule } from '../../core/code-registry.ts'
import { BourseError } from '../../core/error.ts'
import { codeDigest } from '../../core/source-digest.ts'
import { errorOf } from '../../core/thrown.ts'
import type { Time } from '../../core/time.ts'
import { UsageError } from '../../core/usage-error.ts'
import { Latch } from '../../core/waiting.ts'
import { Codec } from '../../memory/codec.ts'
import { ALIVE, type Board, DEAD } from '../../memory/layout.ts'
import { push } from '../../memory/mpsc-list.ts'
import type { Cause, Runtime, SpawnSpec } from '../../runtime/runtime.ts'
import type { ThreadsOptions } from '../../runtime/threads.ts'
import { LOOK_MS } from '../../runtime/threads-realtime.ts'
import type { Access } from '../access.ts'
import type { Note } from '../wire/protocol.ts'
import { readSums, writeSums } from '../wire/slot-state.ts'
import { Unpacking } from '../wire/wire-envelope.ts'
import { BoardSync } from './board-sync.ts'
import { Hosts } from './hosts.ts'
import { Membership } from './membership.ts'
import { PendingCommands } from './pending-commands.ts'
import { type Place, Placement } from './placement.ts'
import { Probe } from './probe.ts'

/** The hosts that run the actors, and the server that connects them. */
export interface HostsOptions {
  readonly access: Access
  readonly hosts: readonly string[]
  readonly places: readonly Place[]
  /** Called with notes about hosts that join, fail or return. */
  readonly note: (text: string) => void
}

export interface CoordinatorDeps {
  readonly board: Board
  readonly cells: CellOptions
  readonly threads: ThreadsOptions
  /** Milliseconds per unit. */
  readonly scale: number
  readonly hosts: HostsOptions
}

/** The runtime of a system whose actors are on hosts. */
export class HostsRuntime implements Runtime {
  readonly runsDuringTurns = true
  readonly subround = 0
  readonly #deps: CoordinatorDeps
  readonly #board: Board
  readonly #unpacking: Unpacking
  readonly #hosts = new Hosts()
  readonly #pendingCommands = new PendingCommands()
  readonly #latch = new Latch()
  readonly #probe = new Probe(this.#hosts, this.#latch)
  readonly #boardSync: BoardSync
  readonly #placement: Placement
  readonly #machines = new Set<string>()
  readonly #stopped = new AbortController()
  readonly #gathered: Promise<Membership>
  #membership: Membership | undefined
  /** The error that ends the run. */
  #failure: Error | undefined

  constructor(deps: CoordinatorDeps) {
    const { board, hosts } = deps
    const codec = new Codec(board.block, board.definitions)
    this.#deps = deps
    this.#board = board
    this.#unpacking = new Unpacking(board, codec)
    this.#boardSync = new BoardSync(board, codec, this.#hosts, (slot) => this.#pendingCommands.isStarting(slot))
    this.#placement = new Placement(hosts.places)
    this.#gathered = this.#gather()
    this.#gathered.catch(() => {}) // whoever starts an actor hears of it
  }

  async #gather(): Promise<Membership> {
    const { board, cells, threads, hosts } = this.#deps
    const { watchdogMs } = threads
    this.#membership = await Membership.open(hosts.access, {
      hosts: this.#hosts,
      names: hosts.hosts,
      note: hosts.note,
      signal: this.#stopped.signal,
      run: nanoid(),
      invitation: { digest: codeDigest(), watchdogMs, size: board.size, cells },
      onJoined: (node) => this.#boardSync.welcome(node),
      onNote: (node, note) => this.#hear(node, note),
      onLost: (node, message) => this.#lose(node, message),
      onFailure: (error) => this.#fail(error instanceof Error ? error : new Error(String(error))),
    })
    return this.#membership
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#pendingCommands.refuse(this.#failure)
    this.#latch.open()
  }

  #hear(node: number, note: Note): void {
    switch (note.type) {
      case 'letters':
        for (const parcel of note.parcels) {
          const at = this.#unpacking.put(parcel)
          if (at !== undefined) push(this.#board, SYSTEM, at)
        }
        return this.#latch.open()
      case 'started':
        this.#pendingCommands.started(note.slot, node, note.engine)
        return this.#boardSync.tellWords()
      case 'failed':
        return this.#pendingCommands.failed(note.slot, node, errorOf(note.cause))
      case 'killed':
        return this.#pendingCommands.killed(note.slot, node)
      case 'died':
        if (this.#boardSync.nodeOf(note.slot) === node) this.#end(note.slot, note.incarnation, note.cause)
        return this.#latch.open()
      case 'state':
        for (const [slot = 0, ...sums] of note.sums) {
          if (this.#boardSync.nodeOf(slot) === node) writeSums(this.#board, slot, sums)
        }
        this.#probe.answer(node, note)
        if (this.quiet) this.#latch.open()
        return
      case 'missed':
        return this.#hosts.tell(note.from, { type: 'lost', at: node, first: note.first, last: note.last })
      case 'broken':
        return this.#fail(errorOf(note.cause))
    }
  }

  /** Reports the end of an incarnation. */
  #end(slot: number, incarnation: number, cause: Cause): void {
    const board = this.#board
    if (board.int(board.incarnation + slot) !== incarnation) return
    board.set(board.dead + slot, DEAD)
    this.#deps.threads.onDeath(slot, incarnation, cause)
  }

  #lose(node: number, message: string): void {
    const { dead, incarnation } = this.#board
    this.#probe.leave(node)
    this.#pendingCommands.lose(node, new UsageError(`--hosts lost a host: ${message}`))
    for (const slot of this.#boardSync.slotsOn(node)) {
      const isAlive = this.#board.int(dead + slot) === ALIVE
      if (isAlive) this.#end(slot, this.#board.int(incarnation + slot), { name: 'Silent', message, stack: '' })
    }
    this.#latch.open()
  }

  async start(seat: SpawnSpec): Promise<string> {
    if (!this.#membership) {
      await this.#gathered.catch((error: unknown) => {
        throw this.#failure ?? error
      })
    }
    if (this.#stopped.signal.aborted) throw new BourseError('BOURSE_STOPPED', 'the system has stopped')
    if (this.#failure) throw this.#failure
    const { slot, incarnation, address, module, engine, resourceLimits } = seat
    const machine = machineOf(address)
    this.#machines.add(machine)
    const name = this.#placement.hostOf(machine, this.#hosts.names)
    const node = name === undefined ? undefined : this.#hosts.nodeOf(name)
    if (node === undefined) throw new UsageError('--hosts has no living host left')
    this.#boardSync.place(slot, node)
    const started = this.#pendingCommands.start(slot, node)
    const seated = { slot, incarnation, address, path: nameOfModule(module), engine, sums: readSums(this.#board, slot) }
    this.#hosts.tell(node, { type: 'start', ...seated, heapMB: resourceLimits?.maxOldGenerationSizeMb })
    return started
  }

  async kill(slot: number): Promise<void> {
    const node = this.#boardSync.nodeOf(slot)
    if (node === undefined || !this.#hosts.has(node)) return
    const killed = this.#pendingCommands.kill(slot, node)
    this.#hosts.tell(node, { type: 'kill', slot })
    await killed
  }

  settleDeath(): void {
    this.#boardSync.tellWords()
  }

  /**
   * Opens the run: starts its clock, and tells the hosts.
   *
   * @throws UsageError for an option `place` that names an unknown workstation
   */
  open(): void {
    const stranger = this.#deps.hosts.places.find(({ machine }) => !this.#machines.has(machine))
    if (stranger) throw UsageError.unknown('workstation', stranger.machine, [...this.#machines], { where: '--place' })
    this.#deps.hosts.note(this.#placement.text)
    startClock(this.#board, this.#deps.scale)
    this.#boardSync.tellWords()
    this.#boardSync.tellClock()
  }

  request(): void {
    this.#latch.open()
  }

  get now(): Time {
    return modelNow(this.#board)
  }

  advance(instant: Time): void {
    setBeginning(this.#board, instant)
  }

  get quiet(): boolean {
    return this.#probe.areAtRest || this.#hosts.count === 0
  }

  async yieldTurn(): Promise<number> {
    const board = this.#board
    const { until, due } = board
    this.#boardSync.tellWords()
    this.#boardSync.tellLetters()
    const next = Math.min(board.num(until), board.num(due))
    await this.#latch.wait(Math.min(LOOK_MS, millisecondsUntil(board, next)))
    if (this.#failure) throw this.#failure
    if (this.now >= board.num(until)) {
      await this.#probe.count(this.#stopped.signal)
      return END_UNTIL
    }
    if (board.num(due) === Number.POSITIVE_INFINITY && this.quiet) return END_IDLE
    this.#probe.ask()
    return END_NONE
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#board.set(this.#board.stop, 1)
    this.#latch.open()
    const membership = await this.#gathered.catch(() => undefined)
    this.#pendingCommands.end(new BourseError('BOURSE_STOPPED', 'the system has stopped'))
    await membership?.end()
  }
}
