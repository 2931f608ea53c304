/** One actor's links over the network: what each copy of a message meets on its way to another machine. */

import { type Arrivals, arrivals, copies, type NetworkOptions } from '../actor/network.ts'
import type { Scheduler } from '../actor/schedule.ts'
import type { Time } from '../core/time.ts'
import { LOST_CUT, LOST_NETWORK } from '../memory/envelope.ts'
import type { Board } from '../memory/layout.ts'

/** When the copies of a message arrive; or, if there is none, why: a LOST_* code. */
export type LinkResult = { readonly dues: Arrivals } | { readonly lost: number }

const CUT: LinkResult = { lost: LOST_CUT }
const LOST: LinkResult = { lost: LOST_NETWORK }

export class Links {
  readonly #board: Board
  readonly #network: NetworkOptions
  readonly #seed: number
  readonly #slot: number
  readonly #incarnation: number
  readonly #scheduler: Scheduler | undefined
  /** Per recipient: messages sent over the network, and the latest due time, which later mail may not undercut. */
  readonly #links = new Map<number, { sent: number; lastDue: Time }>()

  constructor(
    board: Board,
    network: NetworkOptions,
    seed: number,
    { slot, incarnation }: { readonly slot: number; readonly incarnation: number },
    scheduler?: Scheduler,
  ) {
    this.#board = board
    this.#network = network
    this.#seed = seed
    this.#slot = slot
    this.#incarnation = incarnation
    this.#scheduler = scheduler
  }

  /** The next message to `slot`. */
  transmit(slot: number, now: Time): LinkResult {
    if (this.#isCut(slot)) return CUT
    let link = this.#links.get(slot)
    if (!link) {
      link = { sent: 0, lastDue: 0 }
      this.#links.set(slot, link)
    }
    const n = link.sent++
    const [first, second] = copies(this.#network, this.#seed, this.#slot, this.#incarnation, slot, n)
    if (first === undefined) return LOST
    const outcome =
      this.#scheduler?.outcomeOf({ from: this.#slot, incarnation: this.#incarnation, to: slot, n }) ?? 'once'
    if (outcome === 'lost') return LOST
    const dues = arrivals(link.lastDue, now, first, outcome === 'twice' ? (second ?? first) : second)
    link.lastDue = dues.at(-1) ?? link.lastDue
    return { dues }
  }

  #isCut(slot: number): boolean {
    const { i32, sideA, sideB } = this.#board
    const a = Atomics.load(i32, sideA + this.#slot) & Atomics.load(i32, sideB + slot)
    const b = Atomics.load(i32, sideB + this.#slot) & Atomics.load(i32, sideA + slot)
    return (a | b) !== 0
  }
}
