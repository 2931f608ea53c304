/** Probes the hosts of a run for termination, in repeated rounds. */

import type { Latch } from '../../core/waiting.ts'
import { LOOK_MS } from '../../runtime/threads-realtime.ts'
import type { Hosts } from './hosts.ts'
import { type State, TerminationDetector } from './termination.ts'

export class Probe {
  readonly #hosts: Hosts
  readonly #latch: Latch
  readonly #rest = new TerminationDetector()
  /** The time of the last probe, in milliseconds. */
  #asked = Number.NEGATIVE_INFINITY

  constructor(hosts: Hosts, bell: Latch) {
    this.#hosts = hosts
    this.#latch = bell
  }

  /** Whether no actor is at work and no mail is on its way: quiescence. */
  get areAtRest(): boolean {
    return this.#rest.holds(this.#hosts.told)
  }

  /** Begins a round of probes, unless the last one is still open or was begun a moment ago. */
  ask(): void {
    const now = performance.now()
    if (now - this.#asked < LOOK_MS || !this.#rest.isOver) return
    this.#asked = now
    const n = this.#rest.ask(this.#hosts.told, this.#hosts.nodes)
    this.#hosts.tellAll({ type: 'probe', n })
  }

  answer(node: number, state: State): void {
    this.#rest.answer(node, state)
  }

  leave(node: number): void {
    this.#rest.leave(node)
  }

  /** Waits until all hosts have reported the present counters of their actors. */
  async count(signal: AbortSignal): Promise<void> {
    await this.#answered(signal)
    this.#asked = Number.NEGATIVE_INFINITY
    this.ask()
    await this.#answered(signal)
  }

  async #answered(signal: AbortSignal): Promise<void> {
    while (!this.#rest.isOver && !signal.aborted) await this.#latch.wait(LOOK_MS)
  }
}
