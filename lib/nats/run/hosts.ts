/** The hosts that take part in a run and live, by node: what each is told, and when it was heard of. No clock here. */

import { standingAfter } from '../members.ts'
import type { Flow } from '../wire/flow.ts'
import type { Note } from '../wire/wire.ts'

export interface Host {
  readonly name: string
  readonly node: number
  readonly flow: Flow
  /** When it last said that it is there, in milliseconds. */
  heard: number
  isSuspect: boolean
}

export class Hosts {
  readonly #hosts = new Map<number, Host>()
  #told = 0

  join(name: string, node: number, flow: Flow, now: number): void {
    this.#hosts.set(node, { name, node, flow, heard: now, isSuspect: false })
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

  /** Who has been silent for too long, and of whom one has begun or ceased to doubt that he is there. */
  look(now: number): { readonly silent: readonly Host[]; readonly changed: readonly Host[] } {
    const silent: Host[] = []
    const changed: Host[] = []
    for (const host of this.#hosts.values()) {
      const standing = standingAfter(now - host.heard)
      if (standing === 'dead') silent.push(host)
      else if (host.isSuspect !== (standing === 'suspect')) {
        host.isSuspect = !host.isSuspect
        changed.push(host)
      }
    }
    return { silent, changed }
  }
}
