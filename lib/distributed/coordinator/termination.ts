/**
 * Termination detection: whether all hosts are quiescent and no message is in transit. Hosts are probed in rounds. All are
 * quiescent if they were idle in two rounds, took no step in between, and had received everything that was sent to them
 * (Mattern, Algorithms for distributed termination detection, 1987). No messages and no clock here.
 */
import { sum } from '../../core/tally.ts'
import type { Note } from '../wire/protocol.ts'

export type State = Omit<Extract<Note, { type: 'state' }>, 'type' | 'sums'>

export class TerminationDetector {
  #n = 0
  /** The living hosts that were probed in this round. */
  #asked = new Set<number>()
  readonly #answers = new Map<number, State>()
  /** The counts of the round before, if all hosts were quiescent. */
  #before: string | undefined
  /** The number of notes that hosts had been sent when the round began. */
  #told = 0
  #isAtRest = false

  /** Begins a round and returns its number; `told` is the number of notes sent to hosts so far. */
  ask(told: number, hosts: Iterable<number>): number {
    if (told !== this.#told) {
      this.#before = undefined
      this.#isAtRest = false
    }
    this.#told = told
    this.#asked = new Set(hosts)
    this.#answers.clear()
    return ++this.#n
  }

  /** Takes the answer of a host. */
  answer(node: number, state: State): void {
    if (state.n !== this.#n) return
    this.#answers.set(node, state)
    if (!this.isOver) return
    const states = [...this.#answers].sort(([a], [b]) => a - b)
    const [sent, heard] = [sum(states, ([, state]) => state.sent), sum(states, ([, state]) => state.heard)]
    const isQuiet = states.every(([, { isQuiet }]) => isQuiet) && sent === heard
    const now = states.map(([host, { steps, sent, heard }]) => [host, steps, sent, heard].join()).join(' ')
    this.#isAtRest = isQuiet && now === this.#before
    this.#before = isQuiet ? now : undefined
  }

  /** Removes a host that has failed; its answer is no longer awaited. */
  leave(node: number): void {
    this.#asked.delete(node)
  }

  /** Whether every living host that was probed has answered. */
  get isOver(): boolean {
    for (const node of this.#asked) if (!this.#answers.has(node)) return false
    return true
  }

  /** Whether all hosts were quiescent, and no note was sent to them since. */
  holds(told: number): boolean {
    return this.#isAtRest && told === this.#told
  }
}
