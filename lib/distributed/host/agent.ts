/** The agent of one run on a host: obeys the notes of the run, forwards mail of its actors, and reports on them. */

import { isReport } from '../../actor/step-report.ts'
import { startClock } from '../../clock/realtime.ts'
import { actorNamed, NOT_REGISTERED } from '../../core/code-registry.ts'
import { thrownOf } from '../../core/thrown.ts'
import * as record from '../../memory/envelope.ts'
import { ActorThreads } from '../../runtime/actor-threads.ts'
import { locate } from '../../runtime/bundle.ts'
import { RealTimeRuntime } from '../../runtime/threads-realtime.ts'
import type { NodeChannel, NodeMessage } from '../wire/node-channel.ts'
import { COORDINATOR, type Frames, type Note } from '../wire/protocol.ts'
import type { Gap } from '../wire/sequence.ts'
import { ReliableStream } from '../wire/stream.ts'
import { VersionVector } from '../wire/version-vector.ts'
import { bodyOf, lostOf, type WireEnvelope, withBody } from '../wire/wire-envelope.ts'
import { HostedActors } from './hosted-actors.ts'
import { type Arrived, HostMail } from './mail.ts'

export class HostAgent {
  readonly #line: NodeChannel
  /** The number of milliseconds by which this clock is ahead of the clock of node 0. */
  readonly #ahead: number
  readonly #hostedActors: HostedActors
  readonly #runtime: RealTimeRuntime
  readonly #flow: ReliableStream
  readonly #mail: HostMail
  readonly #past = new VersionVector()
  /** The error of a task that no caller awaits. */
  #failure: unknown

  constructor(line: NodeChannel, { size, cells, watchdogMs }: Frames['enlist'], ahead: number) {
    this.#line = line
    this.#ahead = ahead
    this.#hostedActors = new HostedActors(size, line.self)
    this.#flow = new ReliableStream(line, COORDINATOR)
    this.#mail = new HostMail(line)
    const crew = {
      watchdogMs,
      onDeath: (slot: number, incarnation: number, cause: unknown) => this.#apart(this.#died(slot, incarnation, cause)),
    }
    const isHere = (slot: number) => this.#hostedActors.isHere(slot)
    const { board } = this.#hostedActors
    this.#runtime = new RealTimeRuntime(board, crew, 1, (own) => new ActorThreads(board, cells, own), isHere)
  }

  /** Lets the actors run until there is work for the agent. Throws what failed meanwhile. */
  async pass(): Promise<void> {
    await this.#runtime.yieldTurn()
    if (this.#failure !== undefined) throw this.#failure
    this.#drain()
  }

  /** Ends the pass that is waiting. */
  wake(): void {
    this.#runtime.request()
  }

  /** Tells all peers how much was sent to them and received from them. */
  tally(): void {
    this.#line.tally(COORDINATOR, this.#flow.sent, this.#flow.heard)
    this.#mail.beat()
  }

  report(note: Note): void {
    this.#flow.push(note)
  }

  /** Ends the actors. */
  stop(): Promise<void> {
    return this.#runtime.stop()
  }

  /**
   * Handles a message of another node.
   *
   * @throws StreamError if the message contradicts earlier ones
   */
  hear({ what, from, body }: NodeMessage): void {
    const { packing } = this.#line
    if (what === 'tally') this.#hearTally(from, packing.read('tally', body))
    else if (what === 'flow') this.#hearFlow(from, packing.read('flow', body))
    else if (/^\d+$/.test(what)) {
      const frame = packing.read('mail', body)
      if (frame) this.#hearMail({ ...frame, from })
    }
  }

  #hearMail(frame: Arrived): void {
    const heard = this.#mail.hear(frame)
    if (!heard) return
    this.#miss(frame.from, heard.lost)
    this.#past.merge(frame.before)
    this.#deliver(frame.parcels, frame.from)
  }

  #hearTally(from: number, tally: Frames['tally'] | undefined): void {
    if (!tally) return
    if (from === COORDINATOR) this.#flow.tally(tally.heard)
    else this.#miss(from, this.#mail.tally(from, tally))
  }

  #hearFlow(from: number, frame: Frames['flow'] | undefined): void {
    const note = frame && from === COORDINATOR ? this.#flow.hear(frame) : undefined
    if (note) this.#obey(note)
  }

  #obey(note: Note): void {
    switch (note.type) {
      case 'letters':
        return this.#deliver(note.parcels, COORDINATOR)
      case 'come':
        for (const frame of this.#mail.meet(note.node)) this.#hearMail(frame)
        return
      case 'gone':
        this.#mail.leave(note.node)
        return this.#past.forget(note.node)
      case 'words':
        return this.#hostedActors.write(note)
      case 'clock':
        return startClock(this.#hostedActors.board, note.scale, note.zero + this.#ahead)
      case 'start':
        return this.#apart(this.#start(note))
      case 'kill':
        return this.#apart(this.#kill(note.slot))
      case 'probe':
        return this.#answer(note.n)
      case 'lost':
        return this.#giveUp(note.at, note, record.LOST_BETWEEN_HOSTS)
    }
  }

  #deliver(parcels: readonly WireEnvelope[], node: number): void {
    this.#return(this.#hostedActors.deliver(parcels, node), record.LOST_NO_HOST)
  }

  /** Runs a task that no caller awaits; if it fails, the next pass fails. */
  #apart(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#failure = error
      this.wake()
    })
  }

  async #start(note: Extract<Note, { type: 'start' }>): Promise<void> {
    const { slot, incarnation, address, path, engine, heapMB } = note
    this.#hostedActors.prepare(note)
    try {
      const module = actorNamed(path)
      if (module === undefined) throw new Error(`${path} is not ${NOT_REGISTERED}, on this host`)
      const resourceLimits = heapMB === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMB } }
      const ran = await this.#runtime.start({ slot, incarnation, address, module, engine, ...resourceLimits })
      this.#flow.push({ type: 'started', slot, incarnation, engine: ran })
    } catch (error) {
      this.#flow.push({ type: 'failed', slot, incarnation, cause: thrownOf(error) })
    }
  }

  async #kill(slot: number): Promise<void> {
    await this.#runtime.kill(slot)
    this.#drain()
    this.#flow.push({ type: 'killed', slot })
  }

  async #died(slot: number, incarnation: number, cause: unknown): Promise<void> {
    this.#drain()
    this.#flow.push({ type: 'died', slot, incarnation, cause: thrownOf(cause) })
  }

  /** Answers a probe. */
  #answer(n: number): void {
    this.#drain()
    this.#flow.push({
      type: 'state',
      n,
      isQuiet: this.#runtime.quiet,
      ...this.#hostedActors.count(),
      ...this.#mail.counts,
    })
  }

  /** Sends reports and then mail, so that a report reaches the run before the effects of its step can be heard of. */
  #drain(): void {
    const { mail, reports } = this.#hostedActors.take()
    this.#letters(reports.map(located))
    this.#past.set(this.#line.self, this.#flow.sent)
    const { before } = this.#past
    for (const { node, slot, parcels } of mail) this.#letters(this.#mail.send(node, slot, parcels, before))
  }

  /** Reports lost mail from a node. */
  #miss(from: number, gap: Gap | undefined): void {
    if (gap) this.#flow.push({ type: 'missed', from, ...gap })
  }

  /** Reports lost mail to a node. */
  #giveUp(to: number, gap: Gap, reason: number): void {
    this.#return(this.#mail.take(to, gap), reason)
  }

  #return(parcels: readonly WireEnvelope[], reason: number): void {
    this.#letters(parcels.map((parcel) => lostOf(parcel, reason)))
  }

  #letters(parcels: readonly WireEnvelope[]): void {
    if (parcels.length > 0) this.#flow.push({ type: 'letters', before: this.#past.before, parcels })
  }
}

/** Maps the stack in the record of a crash to source files, since only this process knows the bundles of its threads. */
function located(parcel: WireEnvelope): WireEnvelope {
  const body = bodyOf(parcel)
  const [record = null] = Array.isArray(body) ? body : []
  if (!isReport(record) || record.type !== 'step' || !record.crash) return parcel
  return withBody(parcel, [{ ...record, crash: { ...record.crash, stack: locate(record.crash.stack) } }])
}
