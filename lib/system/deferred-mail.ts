/** The messages that actors keep in hand, as far as the system was told: when an actor ends, they are dead letters. */
import type { EnvelopeId, StepRecord } from '../actor/step-report.ts'

export interface DeferredMessage {
  readonly id: EnvelopeId
  readonly type: string
}

export class DeferredMail {
  /** The messages of each slot by envelope, in the order of deferring. */
  readonly #slots = new Map<number, Map<string, DeferredMessage>>()

  /** Reads the record of a step. */
  read(slot: number, { resumed, deferred }: StepRecord): void {
    if (resumed) this.#slots.get(slot)?.delete(resumed.join('.'))
    if (!deferred) return
    const messages = this.#slots.get(slot) ?? new Map<string, DeferredMessage>()
    this.#slots.set(slot, messages.set(deferred.id.join('.'), deferred))
  }

  /** The number of messages that an actor has deferred. */
  countOf(slot: number): number {
    return this.#slots.get(slot)?.size ?? 0
  }

  /** Takes the messages that an incarnation leaves behind. */
  take(slot: number): readonly DeferredMessage[] {
    const messages = this.#slots.get(slot)
    this.#slots.delete(slot)
    return [...(messages?.values() ?? [])]
  }
}
