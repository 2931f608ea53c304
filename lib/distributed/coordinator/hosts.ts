/** The living hosts of a run, by node: the stream of notes to each, and when it was last heard. No clock here. */
import { HEARTBEAT_MS, type Liveness, livenessAfter } from '../failure-detector.ts'
import type { Note } from '../wire/protocol.ts'
import type { ReliableStream } from '../wire/stream.ts'

export interface Host {
  readonly name: string
  readonly node: number
  readonly flow: ReliableStream
  /** The time of its last heartbeat, in milliseconds. */
  heard: number
  standing: Liveness
  /** Whether its lease is being revoked. */
  isGivenUp: boolean
}

export class Hosts {
  readonly #hosts = new Map<number, Host>()
  #told = 0
  /** The time of the last call of `look`, in milliseconds. */
  #looked = Number.POSITIVE_INFINITY

  join(name: string, node: number, flow: ReliableStream, now: number): void {
    this.#looked = Math.min(this.#looked, now)
    this.#hosts.set(node, { name, node, flow, heard: now, standing: 'here', isGivenUp: false })
  }

  leave(node: number): Host | undefined {
    const host = this.#hosts.get(node)
    this.#hosts.delete(node)
    return host
  }

  get(node: number): Host | undefined {
    return this.#hosts.get(node)
  }

  has(node: number): boolean {
    return this.#hosts.has(node)
  }

  nodeOf(name: string): number | undefined {
    return [...this.#hosts.values()].find((host) => host.name === name)?.node
  }

  get count(): number {
    return this.#hosts.size
  }

  get nodes(): readonly number[] {
    return [...this.#hosts.keys()]
  }

  get names(): readonly string[] {
    return [...this.#hosts.values()].map(({ name }) => name)
  }

  /** The number of notes sent to hosts, which they may not have acted on yet. */
  get told(): number {
    return this.#told
  }

  tell(node: number, note: Note): void {
    if (note.type !== 'probe') this.#told++
    this.#hosts.get(node)?.flow.push(note)
  }

  tellAll(note: Note): void {
    for (const node of this.#hosts.keys()) this.tell(node, note)
  }

  /** Returns the hosts whose liveness has changed; called once per heartbeat. A dead host stays dead. */
  look(now: number): readonly Host[] {
    const late = now - this.#looked - HEARTBEAT_MS
    this.#looked = now
    return [...this.#hosts.values()].filter((host) => {
      if (host.standing === 'dead') return false
      // a busy process hears no host, so the time that it was busy is not silence
      if (late >= HEARTBEAT_MS) host.heard = Math.min(now, host.heard + late)
      const before = host.standing
      host.standing = livenessAfter(now - host.heard)
      return host.standing !== before
    })
  }
}
