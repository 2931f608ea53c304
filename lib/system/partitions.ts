/** Network partitions: the machines on their two sides. Senders read the sides from shared memory. */

import { machineOf } from '../core/address.ts'
import { BourseError } from '../core/error.ts'
import type { Board } from '../memory/layout.ts'
import type { Entry, Registry } from './registry.ts'

/** The machines of the two sides. */
export type Sides = readonly [readonly string[], readonly string[]]

export const isSides = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((side) => Array.isArray(side) && side.every(isText))

const isText = (value: unknown): boolean => typeof value === 'string'

/** The most partitions at the same time: each is a bit of a word. */
const PARTITIONS_MAX = 32

export class Partitions {
  readonly #board: Board
  readonly #registry: Registry
  readonly #partitions: (Sides | undefined)[] = []

  constructor(board: Board, registry: Registry) {
    this.#board = board
    this.#registry = registry
  }

  add(sides: Sides): void {
    const free = this.#partitions.indexOf(undefined)
    const bit = free >= 0 ? free : this.#partitions.length
    if (bit >= PARTITIONS_MAX) throw new BourseError('BOURSE_LIMIT', `too many partitions at once: ${PARTITIONS_MAX}`)
    this.#partitions[bit] = sides
    for (const entry of this.#registry.entries) this.place(entry)
  }

  /** Ends a partition; nothing happens if it is over. */
  heal(sides: Sides): void {
    const bit = this.#partitions.indexOf(sides)
    if (bit < 0) return
    this.#partitions[bit] = undefined
    const { i32, sideA, sideB } = this.#board
    for (const { slot } of this.#registry.entries) {
      Atomics.and(i32, sideA + slot, ~(1 << bit))
      Atomics.and(i32, sideB + slot, ~(1 << bit))
    }
  }

  /** Puts an actor on its sides of all partitions. */
  place({ slot, address }: Entry): void {
    const { i32, sideA, sideB } = this.#board
    const machine = machineOf(address)
    for (const [bit, sides] of this.#partitions.entries()) {
      if (sides?.[0].includes(machine)) Atomics.or(i32, sideA + slot, 1 << bit)
      if (sides?.[1].includes(machine)) Atomics.or(i32, sideB + slot, 1 << bit)
    }
  }
}
