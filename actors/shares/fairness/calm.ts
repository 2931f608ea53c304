/** By when have all machines heard of whatever happened? */
import type { Time } from '../../../lib/actor.ts'

/** How fast news travels from one machine's processor to another's. */
export interface Spread {
  /** How often a processor reports and asks. */
  readonly period: Time
  /** The most that a message between machines takes. */
  readonly delay: Time
  /** How long the last report of a silent peer counts. */
  readonly keep: Time
  /** When actors are stalled or machines cut off from each other, their ends included. */
  readonly disturbed: readonly { readonly from: Time; readonly until: Time }[]
}

/**
 * A change on a machine is in its report within a period, and with the others a delay later. What is on a machine whose
 * processor or ticket server has died counts until its last report is too old; one that comes back has nothing until the
 * others have reported. A ticket between currencies travels so too; and it may be void, which takes another delay to be
 * seen and one to be told. After a stall or a cut a machine may first notice, at its next tick, that it has an answer again.
 */
export class Calm {
  readonly #spread: Spread | null
  /** Until when, and then too, somebody may not have heard of something. */
  #unrest: Time = -1

  constructor(spread: Spread | null) {
    this.#spread = spread
  }

  /** Has everybody heard of everything, at a tick at this instant? */
  at(now: Time): boolean {
    const spread = this.#spread
    if (!spread || now <= this.#unrest) return false
    const { period, delay, disturbed } = spread
    return disturbed.every(({ from, until }) => now < from || now > until + 2 * period + delay)
  }

  /** A job came or went, or a machine has an answer again, or none. */
  changed(at: Time): void {
    this.#disturb(at, 1, 0)
  }

  /** A user heard of a ticket between currencies. */
  issued(at: Time): void {
    this.#disturb(at, 3, 0)
  }

  /** A processor or a ticket server died. */
  lost(at: Time): void {
    this.#disturb(at, 1, 1)
  }

  #disturb(at: Time, delays: number, keeps: number): void {
    if (!this.#spread) return
    const { period, delay, keep } = this.#spread
    this.#unrest = Math.max(this.#unrest, at + period + delays * delay + keeps * keep)
  }
}
