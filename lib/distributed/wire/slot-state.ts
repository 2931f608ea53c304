/** The wire form of the state of slots, which the system's board passes on to the boards of hosts. */
import type { Board } from '../../memory/layout.ts'
import { COUNTS } from '../../memory/layout.ts'

/** The fields of `SlotFields` for one slot, in their order. */
export type SlotStateWords = readonly number[]

export interface SlotFields {
  readonly slot: number
  readonly incarnation: number
  readonly dead: number
  readonly sideA: number
  readonly sideB: number
  readonly pausedUntil: number
  readonly writeTime: number
  readonly skew: number
  /** The node of the actor; -1 before it has one. */
  readonly node: number
}

export const slotFields = ([
  slot = 0,
  incarnation = 0,
  dead = 0,
  sideA = 0,
  sideB = 0,
  pausedUntil = 0,
  writeTime = 0,
  skew = 0,
  node = -1,
]: SlotStateWords): SlotFields => ({
  slot,
  incarnation,
  dead,
  sideA,
  sideB,
  pausedUntil,
  writeTime,
  skew,
  node,
})

/** Finds the slots of the system's board that have changed since the last call. */
export class SlotState {
  readonly #board: Board
  readonly #nodeOf: (slot: number) => number
  readonly #isStarting: (slot: number) => boolean
  /** The last state of each slot. */
  readonly #last: SlotStateWords[] = []
  #run: readonly number[] = []

  /** Slots whose incarnation is about to start are left out: no mail is meant for them before. */
  constructor(board: Board, nodeOf: (slot: number) => number, isStarting: (slot: number) => boolean) {
    this.#board = board
    this.#nodeOf = nodeOf
    this.#isStarting = isStarting
  }

  /** The state of one slot. */
  of(slot: number): SlotStateWords {
    const board = this.#board
    return [
      slot,
      board.int(board.incarnation + slot),
      board.int(board.dead + slot),
      board.int(board.sideA + slot),
      board.int(board.sideB + slot),
      board.num(board.pausedUntil + slot),
      board.num(board.writeTime + slot),
      board.num(board.skew + slot),
      this.#nodeOf(slot),
    ]
  }

  /** The state of all slots. */
  get all(): { readonly slots: readonly SlotStateWords[]; readonly slotCount: number; readonly watching: number } {
    const slotCount = this.#board.int(this.#board.slotCount)
    const all = Array.from({ length: Math.max(0, slotCount - 1) }, (_, i) => i + 1)
    const slots = all.filter((slot) => !this.#isStarting(slot)).map((slot) => this.of(slot))
    return { slots, slotCount, watching: this.#board.int(this.#board.watching) }
  }

  /** The state of the slots that have changed; undefined if none has. */
  changes(): SlotState['all'] | undefined {
    const { slots, slotCount, watching } = this.all
    const changed = slots.filter((words) => !areSame(words, this.#last[words[0] ?? 0]))
    for (const words of changed) this.#last[words[0] ?? 0] = words
    const run = [slotCount, watching]
    if (changed.length === 0 && areSame(run, this.#run)) return undefined
    this.#run = run
    return { slots: changed, slotCount, watching }
  }
}

const areSame = (now: readonly number[], before: readonly number[] = []): boolean =>
  now.every((word, i) => word === before[i])

/** The counters of a slot, such as messages and steps, over all its incarnations on the board of its process. */
export type Sums = readonly number[]

const sumsAt = ({ sent, sentNear, steps, unhandled, again, receipts, counts }: Board, slot: number): number[] => [
  ...[sent, sentNear, steps, unhandled, again, receipts].map((word) => word + slot),
  ...Array.from({ length: COUNTS }, (_, type) => counts + COUNTS * slot + type),
]

export const readSums = (board: Board, slot: number): Sums => sumsAt(board, slot).map((at) => board.num(at))

export function writeSums(board: Board, slot: number, sums: Sums): void {
  for (const [i, at] of sumsAt(board, slot).entries()) board.put(at, sums[i] ?? 0)
}
