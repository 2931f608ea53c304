/** What the hosts of a run are told of the system's board: the words of slots, its clock, and what it has posted. */

import { ELSEWHERE, linkChain } from '../../clock/realtime.ts'
import type { Codec } from '../../memory/codec.ts'
import { type Board, SYSTEM } from '../../memory/layout.ts'
import type { Note } from '../wire/protocol.ts'
import { SlotState } from '../wire/slot-state.ts'
import { takeEnvelopes } from '../wire/wire-envelope.ts'
import type { Hosts } from './hosts.ts'

export class BoardSync {
  readonly #board: Board
  readonly #codec: Codec
  readonly #hosts: Hosts
  readonly #words: SlotState
  /** By slot. */
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

  /** A host has joined. */
  welcome(node: number): void {
    this.#hosts.tell(node, { type: 'words', ...this.#words.all })
    const clock = this.#clock
    if (clock) this.#hosts.tell(node, clock)
  }

  /** The clock has started. */
  tellClock(): void {
    const clock = this.#clock
    if (clock) this.#hosts.tellAll(clock)
  }

  /** Undefined before it starts. */
  get #clock(): Note | undefined {
    const { clockZero, clockScale } = this.#board
    const scale = this.#board.num(clockScale)
    return scale === 0 ? undefined : { type: 'clock', zero: this.#board.num(clockZero), scale }
  }

  tellWords(): void {
    const words = this.#words.changes()
    if (words) this.#hosts.tellAll({ type: 'words', ...words })
  }

  /** What the system has posted is sent to where its recipients are. */
  tellLetters(): void {
    linkChain(this.#board, SYSTEM)
    for (const [slot, node] of this.#nodes.entries()) {
      // what is for an actor of a host that is gone stays: it is undeliverable as soon as that death is read
      if (node === undefined || !this.#hosts.has(node)) continue
      const parcels = takeEnvelopes(this.#board, this.#codec, slot)
      if (parcels.length > 0) this.#hosts.tell(node, { type: 'letters', before: [], parcels })
    }
  }
}
