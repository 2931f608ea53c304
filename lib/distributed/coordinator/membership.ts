/** The membership of a run: hosts are invited, monitored, suspected, given up, and invited again if they come back. */
import { setTimeout as pause } from 'node:timers/promises'
import { milliseconds } from '../../clock/realtime.ts'
import { type Access, secretOf } from '../access.ts'
import { Channel } from '../channel.ts'
import { connectTo } from '../connect.ts'
import { ALONE_MS, HEARTBEAT_MS, LEASE_MS } from '../failure-detector.ts'
import { Leases } from '../leases.ts'
import { MEETING } from '../names.ts'
import { NodeChannel, type NodeMessage } from '../wire/node-channel.ts'
import { COORDINATOR, type Frames, type Note, packing } from '../wire/protocol.ts'
import { StreamError } from '../wire/sequence.ts'
import { ReliableStream } from '../wire/stream.ts'
import { CausalMerge } from './causal-merge.ts'
import type { Host, Hosts } from './hosts.ts'
import { join } from './join.ts'

export interface MembershipDeps {
  /** The living hosts. */
  readonly hosts: Hosts
  /** The names of all hosts that are to take part. */
  readonly names: readonly string[]
  /** The id of the run, which no other run ever has. */
  readonly run: string
  readonly invitation: Frames['enlist']
  /** Called with notes about hosts that join, fail or return. */
  readonly note: (text: string) => void
  readonly onJoined: (node: number) => void
  /** Called with each note of a host, after everything that caused the note. */
  readonly onNote: (node: number, note: Note) => void
  readonly onLost: (node: number, message: string) => void
  readonly onFailure: (error: unknown) => void
  /** Aborted when the run is over. */
  readonly signal: AbortSignal
}

/** The number of repeated invitations: a host may start a little later than the run. */
const TRIES = 10
/** The pause between two attempts to revoke a lease. */
const AGAIN_MS = 100

export class Membership {
  readonly #deps: MembershipDeps
  readonly #channel: Channel
  readonly #line: NodeChannel
  readonly #leases: Leases
  readonly #merge = new CausalMerge((node, note) => this.#obey(node, note))
  readonly #regaining = new Set<string>()
  /** Lost nodes whose hosts have not yet left the run. */
  readonly #gone = new Set<number>()
  #beat: NodeJS.Timeout | undefined

  private constructor(channel: Channel, line: NodeChannel, leases: Leases, deps: MembershipDeps) {
    this.#channel = channel
    this.#line = line
    this.#leases = leases
    this.#deps = deps
  }

  /** Invites all hosts and waits until they have joined. @throws UsageError without such a server or host, or if one refuses */
  static async open(access: Access, deps: MembershipDeps): Promise<Membership> {
    const { hosts, names, run, note } = deps
    const pack = await packing('--nats')
    const connection = await connectTo(access, 'bourse run', '--nats')
    const secret = secretOf(access)
    const channel = new Channel({ connection, secret, purpose: MEETING, self: run, note })
    const line = new NodeChannel({ connection, secret, note, packing: pack, run, self: COORDINATOR })
    try {
      const membership = new Membership(channel, line, await Leases.open(connection, '--nats'), deps)
      line.listen((said) => membership.#hear(said), deps.onFailure)
      await Promise.all(names.map((name) => membership.#enlist(name, TRIES)))
      membership.#beat = setInterval(() => membership.#look(), HEARTBEAT_MS)
      return membership
    } catch (error) {
      await line.end(hosts.nodes)
      throw error
    }
  }

  async #enlist(name: string, tries: number): Promise<void> {
    const { hosts, invitation, signal, onJoined } = this.#deps
    const node = await join({ channel: this.#channel, packing: this.#line.packing, invitation, signal }, name, tries)
    if (this.#gone.has(node)) throw new Error(`${name} has not yet left the run`)
    const others = hosts.nodes
    hosts.join(name, node, new ReliableStream(this.#line, node), performance.now())
    // the nodes get to know each other before they hear of actors there
    for (const other of others) {
      hosts.tell(other, { type: 'come', node })
      hosts.tell(node, { type: 'come', node: other })
    }
    this.#merge.join(node)
    onJoined(node)
  }

  #hear({ what, from, body, answer }: NodeMessage): void {
    const { packing } = this.#line
    if (what === 'time') return answer(packing.pack({ at: milliseconds() }))
    const host = this.#deps.hosts.get(from)
    // a host that was declared dead, and does not know it yet, is told
    if (!host) return what === 'flow' ? this.#line.tellOver(from) : undefined
    try {
      if (what === 'tally') this.#hearTally(host, packing.read('tally', body))
      else if (what === 'flow') this.#hearFlow(host, packing.read('flow', body))
    } catch (error) {
      if (!(error instanceof StreamError)) throw error
      this.#line.tellOver(from)
      void this.#giveUp(host, `is given up: ${error.message}`)
    }
  }

  #hearTally(host: Host, tally: Frames['tally'] | undefined): void {
    if (!tally) return
    host.heard = performance.now()
    host.flow.tally(tally.heard)
    this.#line.tally(host.node, host.flow.sent, host.flow.heard)
  }

  #hearFlow({ node, flow }: Host, frame: Frames['flow'] | undefined): void {
    const note = frame && flow.hear(frame)
    if (note) this.#merge.add(node, note, flow.heard)
  }

  #obey(node: number, note: Note): void {
    // every host leaves a run that is over, so it is not lost
    if (note.type !== 'left') this.#deps.onNote(node, note)
    else if (!this.#deps.signal.aborted) this.#lose(node, 'has left')
  }

  /** The failure detector: looks for silent hosts, once per heartbeat. */
  #look(): void {
    const { hosts, names, note } = this.#deps
    for (const host of hosts.look(performance.now())) {
      const { name, standing } = host
      if (standing === 'dead') void this.#giveUp(host, 'is silent')
      else note(`${name} ${standing === 'suspect' ? 'has not been heard of for long' : 'is heard of again'}`)
    }
    const living = hosts.names
    for (const name of names) if (!living.includes(name)) void this.#regain(name)
  }

  /** Gives up a host: its lease is revoked, so that it has no actors when another host gets them. */
  async #giveUp(host: Host, why: string): Promise<void> {
    const { signal, onFailure } = this.#deps
    if (host.isGivenUp) return
    host.isGivenUp = true
    const { name, node } = host
    await pause(await this.#revoke(name), undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    try {
      this.#lose(node, why)
    } catch (error) {
      onFailure(error)
    }
  }

  /** Revokes a lease; returns for how many milliseconds its host may still believe that it holds the lease. */
  async #revoke(name: string): Promise<number> {
    const { run, signal } = this.#deps
    const until = performance.now() + ALONE_MS
    // without a server for this time, the hosts have heard nothing of their run either, and have left it
    while (!signal.aborted && performance.now() < until) {
      const age = await this.#leases.revoke(Leases.keyOf(run, name)).catch(() => undefined)
      if (age !== undefined) return Math.max(0, LEASE_MS - age)
      await pause(AGAIN_MS)
    }
    return 0
  }

  /** Invites a lost host that comes back, as a new node without actors. */
  async #regain(name: string): Promise<void> {
    const { run, note, signal } = this.#deps
    if (this.#regaining.has(name) || signal.aborted) return
    this.#regaining.add(name)
    try {
      // this lease is of an earlier session, or the answer to the invitation was lost
      await this.#leases.revoke(Leases.keyOf(run, name))
      await this.#enlist(name, 0)
      note(`${name} takes part again`)
    } catch {
      // the next heartbeat invites it again
    } finally {
      this.#regaining.delete(name)
    }
  }

  #lose(node: number, why: string): void {
    const { hosts, note, onLost } = this.#deps
    const host = hosts.leave(node)
    if (!host) return
    this.#gone.add(node)
    this.#merge.leave(node)
    const message = `host ${host.name} ${why}`
    note(message)
    hosts.tellAll({ type: 'gone', node })
    onLost(node, message)
  }

  /** Tells all hosts to leave the run. */
  async end(): Promise<void> {
    clearInterval(this.#beat)
    await this.#line.end(this.#deps.hosts.nodes)
  }
}
