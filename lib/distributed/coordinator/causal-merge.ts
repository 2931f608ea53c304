/** Merges the reports of all hosts in causal order: no report comes before its cause. */

import type { Note } from '../wire/protocol.ts'
import { type Before, VersionVector } from '../wire/version-vector.ts'

/** The most notes of one host that may wait for notes of others. */
const WAITING_MAX = 100_000

interface Waiting {
  readonly note: Note
  /** The length of its host's reports up to and with this note, in bytes. */
  readonly n: number
}

const NONE: Before = []

export class CausalMerge {
  readonly #past = new VersionVector()
  /** The waiting notes of each node. */
  readonly #waiting = new Map<number, Waiting[]>()
  readonly #onNote: (node: number, note: Note) => void

  constructor(onNote: (node: number, note: Note) => void) {
    this.#onNote = onNote
  }

  join(node: number): void {
    this.#waiting.set(node, [])
  }

  /**
   * Adds note `n` of a node. It is released once all notes that it depends on have been.
   *
   * @throws Error that names the limit if too many notes of the node wait
   */
  add(node: number, note: Note, n: number): void {
    const waiting = this.#waiting.get(node)
    if (!waiting) return
    if (waiting.length === WAITING_MAX) throw new Error(`more than ${WAITING_MAX} notes of a host wait for others`)
    waiting.push({ note, n })
    this.#advance()
  }

  /** Releases the reports of a node that is gone; no more are awaited. */
  leave(node: number): void {
    const waiting = this.#waiting.get(node)?.splice(0) ?? []
    this.#waiting.delete(node)
    for (const { note } of waiting) this.#onNote(node, note)
    this.#advance()
  }

  #advance(): void {
    for (let moved = true; moved; ) {
      moved = false
      for (const [node, waiting] of this.#waiting) {
        for (let next = waiting[0]; next && this.#isDue(next.note); next = waiting[0]) {
          waiting.shift()
          this.#past.set(node, next.n)
          moved = true
          this.#onNote(node, next.note)
        }
      }
    }
  }

  #isDue(note: Note): boolean {
    const before = note.type === 'letters' ? note.before : NONE
    return this.#past.includes(before, (node) => !this.#waiting.has(node))
  }
}
