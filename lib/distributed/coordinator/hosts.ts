/** The hosts that take part in a run and live, by node: what each is told, and when it was heard of. No clock here. */
import { HEARTBEAT_MS, type Liveness, livenessAfter } from '../failure-detector.ts'
import type { Note } from '../wire/protocol.ts'
import type { ReliableStream } from '../wire/stream.ts'

export interface Host {
  readonly name: string
  readonly node: number
  readonly flow: ReliableStream
  /** When it last said that it is there, in milliseconds. */
  heard: number
  standing: Liveness
  /** Its lease is being taken away. */
  isGivenUp: boolean
}

export class Hosts {
  readonly #hosts = new Map<number, Host>()
  #told = 0
  /** When it was looked last, in milliseconds. */
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

  /** Notes that hosts may yet have to act on. */
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

  /** Once a beat: those whose standing has changed. Who is dead remains so. */
  look(now: number): readonly Host[] {
    const late = now - this.#looked - HEARTBEAT_MS
    this.#looked = now
    return [...this.#hosts.values()].filter((host) => {
      if (host.standing === 'dead') return false
      // while this process was busy it could hear no host: that is no silence
      if (late >= HEARTBEAT_MS) host.heard = Math.min(now, host.heard + late)
      const before = host.standing
      host.standing = livenessAfter(now - host.heard)
      return host.standing !== before
    })
  }
}
