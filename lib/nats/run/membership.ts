/** Who takes part in a run: hosts are asked to, heard, doubted, given up, and asked again if they come back, as new ones. */
import { setTimeout as pause } from 'node:timers/promises'
import { milliseconds } from '../../time/real.ts'
import type { Access } from '../access.ts'
import { connectTo, type Msg } from '../connect.ts'
import { Leases } from '../leases.ts'
import { ALONE_MS, BEAT_MS, LEASE_MS } from '../members.ts'
import { Flow } from '../wire/flow.ts'
import { Line } from '../wire/line.ts'
import { COORDINATOR, type Frames, type Note, packing } from '../wire/wire.ts'
import { enlist } from './enlist.ts'
import type { Hosts } from './hosts.ts'
import { Merge } from './merge.ts'

export interface MembershipWith {
  /** Those that live. */
  readonly hosts: Hosts
  /** All that are to take part. */
  readonly names: readonly string[]
  readonly invitation: Frames['enlist']
  /** Told what becomes of hosts. */
  readonly note: (text: string) => void
  readonly onJoined: (node: number) => void
  /** Something that a host has told, after all that it comes of. */
  readonly onNote: (node: number, note: Note) => void
  readonly onLost: (node: number, message: string) => void
  readonly onFailure: (error: unknown) => void
  /** The run is over. */
  readonly signal: AbortSignal
}

/** A host may start a little later than the run: so often it is asked again. */
const TRIES = 10
/** Between two attempts to take a lease away. */
const AGAIN_MS = 100

export class Membership {
  readonly #with: MembershipWith
  readonly #line: Line
  readonly #leases: Leases
  readonly #merge = new Merge((node, note) => this.#obey(node, note))
  readonly #regaining = new Set<string>()
  #beat: NodeJS.Timeout | undefined

  private constructor(line: Line, leases: Leases, surroundings: MembershipWith) {
    this.#line = line
    this.#leases = leases
    this.#with = surroundings
  }

  /** Until all hosts take part. @throws UsageError if there is no such server or host, or it takes no part */
  static async open(access: Access, surroundings: MembershipWith): Promise<Membership> {
    const { hosts, names, invitation } = surroundings
    const pack = await packing('--nats')
    const connection = await connectTo(access, 'bourse run', '--nats')
    const line = new Line(connection, pack, invitation.run, COORDINATOR)
    try {
      const membership = new Membership(line, await Leases.open(connection, '--nats'), surroundings)
      line.listen((what, message) => membership.#hear(what, message), surroundings.onFailure)
      await Promise.all(names.map((name) => membership.#enlist(name, TRIES)))
      membership.#beat = setInterval(() => membership.#look(), BEAT_MS)
      return membership
    } catch (error) {
      await line.end(hosts.nodes)
      throw error
    }
  }

  async #enlist(name: string, tries: number): Promise<void> {
    const { hosts, invitation, signal, onJoined } = this.#with
    const node = await enlist(this.#line, name, invitation, tries, signal)
    const others = hosts.nodes
    hosts.join(name, node, new Flow(this.#line, node), performance.now())
    // before anybody is told of actors there
    for (const other of others) {
      hosts.tell(other, { type: 'come', node })
      hosts.tell(node, { type: 'come', node: other })
    }
    this.#merge.join(node)
    onJoined(node)
  }

  #hear(what: string, message: Msg): void {
    const { packing } = this.#line
    if (what === 'time') message.respond(packing.pack({ at: milliseconds() }))
    else if (what === 'tally') this.#hearTally(packing.read('tally', message.data))
    else if (what === 'flow') this.#hearFlow(packing.read('flow', message.data))
  }

  #hearTally(tally: Frames['tally'] | undefined): void {
    const host = tally && this.#with.hosts.get(tally.from)
    if (!host) return
    host.heard = performance.now()
    host.flow.tally(tally.heard)
    this.#line.tally(host.node, host.flow.sent, host.flow.heard)
  }

  #hearFlow(frame: Frames['flow'] | undefined): void {
    if (!frame) return
    const host = this.#with.hosts.get(frame.from)
    // who was taken for dead and is not yet told is told
    if (!host) return this.#line.tellOver(frame.from)
    const note = host.flow.hear(frame)
    if (note) this.#merge.add(host.node, note, host.flow.heard)
  }

  #obey(node: number, note: Note): void {
    // of a run that is over every host takes its leave: nobody is lost
    if (note.type !== 'left') this.#with.onNote(node, note)
    else if (!this.#with.signal.aborted) this.#lose(node, 'has left')
  }

  /** Once a beat: who has not been heard of? */
  #look(): void {
    const { hosts, names, note } = this.#with
    for (const { name, node, standing } of hosts.look(performance.now())) {
      if (standing === 'dead') void this.#giveUp(name, node)
      else note(`${name} ${standing === 'suspect' ? 'has not been heard of for long' : 'is heard of again'}`)
    }
    const living = hosts.names
    for (const name of names) if (!living.includes(name)) void this.#regain(name)
  }

  /** Who is silent has no lease, and so no actors, before anybody else may have them. */
  async #giveUp(name: string, node: number): Promise<void> {
    const { signal, onFailure } = this.#with
    await pause(await this.#revoke(name), undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    try {
      this.#lose(node, 'is silent')
    } catch (error) {
      onFailure(error)
    }
  }

  /** For how many milliseconds may a host take its lease, which is taken away, for its own? */
  async #revoke(name: string): Promise<number> {
    const { invitation, signal } = this.#with
    const until = performance.now() + ALONE_MS
    // when nobody answers for so long, hosts have heard nothing of their run either, and have let go of it
    while (!signal.aborted && performance.now() < until) {
      const age = await this.#leases.revoke(Leases.keyOf(invitation.run, name)).catch(() => undefined)
      if (age !== undefined) return Math.max(0, LEASE_MS - age)
      await pause(AGAIN_MS)
    }
    return 0
  }

  /** A host that comes back is a new one: it has none of its actors. */
  async #regain(name: string): Promise<void> {
    const { invitation, note, signal } = this.#with
    if (this.#regaining.has(name) || signal.aborted) return
    this.#regaining.add(name)
    try {
      // of a stay that it has left, or whose answer was lost
      await this.#leases.revoke(Leases.keyOf(invitation.run, name))
      await this.#enlist(name, 0)
      note(`${name} takes part again`)
    } catch {
      // the next beat asks again
    } finally {
      this.#regaining.delete(name)
    }
  }

  #lose(node: number, why: string): void {
    const { hosts, note, onLost } = this.#with
    const host = hosts.leave(node)
    if (!host) return
    this.#merge.leave(node)
    const message = `host ${host.name} ${why}`
    note(message)
    hosts.tellAll({ type: 'gone', node })
    onLost(node, message)
  }

  /** Hosts let go of the run. */
  async end(): Promise<void> {
    clearInterval(this.#beat)
    await this.#line.end(this.#with.hosts.nodes)
  }
}
