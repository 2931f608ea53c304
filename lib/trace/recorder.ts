/**
 * A trace in memory, made to be cheap during the run: envelopes are kept as they travel, and lines are made only when they are read.
 * It is no sink of the step log: a step log belongs to one actor, and a trace also has what the network and the system do.
 */

import { itemIn } from '../cell/inbox.ts'
import type { LinkedEnvelope } from '../memory/envelope.ts'
import type { Tape } from '../memory/tape.ts'
import { type Line, linesOf } from './lines.ts'

export class Recorder {
  readonly #tape: Tape
  /** The most bytes of envelopes. */
  readonly #limit: number
  readonly #lines: Line[] = []
  /** For each line the number of envelopes before it. */
  readonly #places: number[] = []

  constructor(tape: Tape, limit: number) {
    this.#tape = tape
    this.#limit = limit
  }

  keep(envelope: LinkedEnvelope): void {
    envelope.addTo(this.#tape)
  }

  /** Keeps all reports so far, since the inbox has been read. */
  keepReports(): void {
    this.#tape.readTo()
  }

  /** Adds a line of the system itself. */
  note(line: Line): void {
    if (!this.#tape.isOpen) return
    this.#places.push(this.#tape.length)
    this.#lines.push(line)
  }

  /** Everything so far, up to the limit. */
  *lines(nameOf: (slot: number) => string): Generator<Line> {
    let [read, told, bytes] = [0, 0, 0]
    for (const { envelope, words } of this.#tape.envelopes()) {
      for (; this.#places[told] === read; told++) yield* this.#lines.slice(told, told + 1)
      read++
      bytes += 8 * words
      if (bytes > this.#limit) return yield { t: 'truncated', limit: this.#limit, option: 'traceBytes' }
      const item = itemIn(envelope, nameOf)
      if (item) yield* linesOf(item, nameOf)
    }
    yield* this.#lines.slice(told)
  }
}
