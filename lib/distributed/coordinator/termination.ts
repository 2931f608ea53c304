/**
 * Is nobody at work any more, on any host? Each is asked twice: if all were at rest both times, took no step between,
 * and had heard everything that was sent to them, nothing was on its way (Mattern, Algorithms for distributed
 * termination detection, 1987). No messages and no clock here.
 */
import type { Note } from '../wire/protocol.ts'

export type State = Omit<Extract<Note, { type: 'state' }>, 'type' | 'sums'>

export class TerminationDetector {
  #n = 0
  /** Who was asked, and lives. */
  #asked = new Set<number>()
  readonly #answers = new Map<number, State>()
  /** What the round before came to, if all were at rest. */
  #before: string | undefined
  /** What was told to hosts when the round began. */
  #told = 0
  #isAtRest = false

  /** Begins a round; `told` counts what was told to the hosts, which they may yet have to act on. Returns its number. */
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

  /** A host has answered. */
  answer(node: number, state: State): void {
    if (state.n !== this.#n) return
    this.#answers.set(node, state)
    if (!this.isOver) return
    const states = [...this.#answers].sort(([a], [b]) => a - b)
    const sum = (of: (state: State) => number): number => states.reduce((total, [, state]) => total + of(state), 0)
    const isQuiet = states.every(([, { isQuiet }]) => isQuiet) && sum(({ sent }) => sent) === sum(({ heard }) => heard)
    const now = states.map(([host, { steps, sent, heard }]) => [host, steps, sent, heard].join()).join(' ')
    this.#isAtRest = isQuiet && now === this.#before
    this.#before = isQuiet ? now : undefined
  }

  /** A host is gone: it is not waited for. */
  leave(node: number): void {
    this.#asked.delete(node)
  }

  /** Have all answered that were asked and live? */
  get isOver(): boolean {
    for (const node of this.#asked) if (!this.#answers.has(node)) return false
    return true
  }

  /** Was everybody at rest, and nobody told anything since? */
  holds(told: number): boolean {
    return this.#isAtRest && told === this.#told
  }
}
