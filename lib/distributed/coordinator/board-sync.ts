/** Tells hosts about the system's board: the state of slots, the clock, and the system's mail. */

import { ELSEWHERE, linkChain } from '../../clock/realtime.ts'
import { SYSTEM } from '../../core/address.ts'
import type { Codec } from '../../memory/codec.ts'
import type { Board } from '../../memory/layout.ts'
import type { Note } from '../wire/protocol.ts'
import { SlotState } from '../wire/slot-state.ts'
import { takeEnvelopes } from '../wire/wire-envelope.ts'
import type { Hosts } from './hosts.ts'

export class BoardSync {
  readonly #board: Board
  readonly #codec: Codec
  readonly #hosts: Hosts
  readonly #words: SlotState
  /** The node of each slot. */
  readonly #nodes: number[] = []

  /** Slots whose incarnation is about to start are left out: no mail is meant for them before. */
  constructor(board: Board, codec: Codec, hosts: Hosts, isStarting: (slot: number) => boolean) {
    this.#board = board
    this.#codec = codec
    this.#hosts = hosts
    this.#words = new SlotState(board, (slot) => this.#nodes[slot] ?? -1, isStarting)
  }

  place(slot: number, node: number): void {
    this.#nodes[slot] = node
    this.#board.set(this.#board.sleeper(slot), ELSEWHERE)
  }

  nodeOf(slot: number): number | undefined {
    return this.#nodes[slot]
  }

  slotsOn(node: number): readonly number[] {
    return this.#nodes.flatMap((at, slot) => (at === node ? [slot] : []))
  }

  /** Tells a host that has joined the present state. */
  welcome(node: number): void {
    this.#hosts.tell(node, { type: 'words', ...this.#words.all })
    const clock = this.#clock
    if (clock) this.#hosts.tell(node, clock)
  }

  /** Tells all hosts that the clock has started. */
  tellClock(): void {
    const clock = this.#clock
    if (clock) this.#hosts.tellAll(clock)
  }

  /** The note about the clock; undefined before the clock starts. */
  get #clock(): Note | undefined {
    const { clockZero, clockScale } = this.#board
    const scale = this.#board.num(clockScale)
    return scale === 0 ? undefined : { type: 'clock', zero: this.#board.num(clockZero), scale }
  }

  tellWords(): void {
    const words = this.#words.changes()
    if (words) this.#hosts.tellAll({ type: 'words', ...words })
  }

  /** Sends the system's mail to the hosts of its recipients. */
  tellLetters(): void {
    linkChain(this.#board, SYSTEM)
    for (const [slot, node] of this.#nodes.entries()) {
      // mail to an actor of a lost host stays here: it becomes a dead letter once that death is read
      if (node === undefined || !this.#hosts.has(node)) continue
      const parcels = takeEnvelopes(this.#board, this.#codec, slot)
      if (parcels.length > 0) this.#hosts.tell(node, { type: 'letters', before: [], parcels })
    }
  }
}
