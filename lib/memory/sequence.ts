/** The names of the envelopes of one incarnation. */
import type { EnvelopeId } from '../actor/step-report.ts'
import { BourseError } from '../core/error.ts'
import { CLASS_RECEIPT, isReport, NEWS_FROM } from './envelope.ts'

/** The most envelopes that one incarnation can number: the numbers from here on are for its news. */
export const ENVELOPES_MAX = NEWS_FROM

/** Thrown when an incarnation has no sequence number left; a new incarnation counts from 0 again. */
export class EnvelopesExhausted extends BourseError {
  override readonly name = 'EnvelopesExhausted'

  constructor(message: string) {
    super('BOURSE_ENVELOPES_EXHAUSTED', message)
  }
}

/**
 * Checks that an envelope can have this sequence number.
 *
 * @throws EnvelopesExhausted if it does not fit an int32
 */
export function requireSequenceNumber(seq: number): void {
  if (seq < ENVELOPES_MAX) return
  throw new EnvelopesExhausted(
    `one incarnation of an actor can send ${ENVELOPES_MAX} envelopes (limit ENVELOPES_MAX), and this one has: restart the actor`,
  )
}

export class Sequence {
  readonly #slot: number
  readonly #incarnation: number
  #mail = 0
  #reports = 0

  constructor(slot: number, incarnation: number) {
    this.#slot = slot
    this.#incarnation = incarnation
  }

  /**
   * The name of the next envelope of a CLASS_* code. Reports have numbers of their own, so that tracing changes neither the name
   * nor the order of any mail. A receipt has no name, and is ordered behind all mail that was sent before it.
   */
  next(kind: number): EnvelopeId {
    const isOfReport = isReport(kind)
    requireSequenceNumber(isOfReport ? this.#reports : this.#mail)
    if (isOfReport) return this.at(this.#reports++)
    return this.at(kind === CLASS_RECEIPT ? this.#mail : this.#mail++)
  }

  /** The name of the envelope with a sequence number. */
  at(seq: number): EnvelopeId {
    return [this.#slot, this.#incarnation, seq]
  }
}
