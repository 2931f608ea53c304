/** The simulated network as one sender sees it: for each message whether it is lost, duplicated or delayed. */

import { type Arrivals, arrivals, copies, type NetworkOptions } from '../actor/network.ts'
import type { Scheduler } from '../actor/schedule.ts'
import { instantAfter, type Time } from '../core/time.ts'
import { LOST_NETWORK, LOST_PARTITION } from '../memory/envelope.ts'
import { type Board, LINK_FAULTS } from '../memory/layout.ts'

/** The arrival times of a message's copies, or a LOST_* code if none arrives. */
export type LinkResult = { readonly dues: Arrivals } | { readonly lost: number }

const SEPARATED: LinkResult = { lost: LOST_PARTITION }
const LOST: LinkResult = { lost: LOST_NETWORK }

export class Links {
  readonly #board: Board
  readonly #network: NetworkOptions
  readonly #seed: number
  readonly #slot: number
  readonly #incarnation: number
  readonly #scheduler: Scheduler | undefined
  /** For each recipient the messages sent so far, and the latest due time: later mail is not due before that. */
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

  /** Decides what becomes of the next message to `slot`. */
  transmit(slot: number, now: Time): LinkResult {
    const more = this.#delayTo(slot)
    if (more === null) return SEPARATED
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
    if (typeof outcome === 'object') {
      const [due] = arrivals(link.lastDue, now, first + more, undefined)
      link.lastDue = due
      return { dues: [due, this.#lateDue(due, outcome.lateBy)] }
    }
    const again = outcome === 'twice' ? (second ?? first) : second
    const dues = arrivals(link.lastDue, now, first + more, again === undefined ? undefined : again + more)
    link.lastDue = dues.at(-1) ?? link.lastDue
    return { dues }
  }

  /** When a late copy arrives: with the beginning of the calm at the latest, but not before the message itself. */
  #lateDue(due: Time, lateBy: Time): Time {
    const calm = this.#scheduler?.bounds?.calm ?? Number.POSITIVE_INFINITY
    return Math.max(due, Math.min(calm, instantAfter(due, lateBy, 'a late copy (option schedule)')))
  }

  /** How much longer mail to `slot` takes, as the slowest link says; null if a partition separates its machine from this one. */
  #delayTo(slot: number): Time | null {
    const board = this.#board
    const { sideA, sideB } = board
    const ownA = board.int(sideA + this.#slot)
    const ownB = board.int(sideB + this.#slot)
    if ((ownA | ownB) === 0) return 0
    const between = (ownA & board.int(sideB + slot)) | (ownB & board.int(sideA + slot))
    if (between === 0) return 0
    let slowest = 0
    for (let bit = 0; bit < LINK_FAULTS; bit++) {
      if (((between >>> bit) & 1) === 0) continue
      const delay = board.num(board.linkDelay + bit)
      if (delay === 0) return null
      slowest = Math.max(slowest, delay)
    }
    return slowest
  }
}
