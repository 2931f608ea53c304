/**
 * Network partitions and slow links: the machines on their two sides, and how much longer mail between them takes. Senders read
 * both from shared memory.
 */

import { ALL_OTHERS, machineOf } from '../core/address.ts'
import { BourseError } from '../core/error.ts'
import type { Time } from '../core/time.ts'
import { type Board, LINK_FAULTS } from '../memory/layout.ts'
import type { Entry, Registry } from './registry.ts'

/** The machines of the two sides. The second side may be `ALL_OTHERS`. */
export type Sides = readonly [readonly string[], readonly string[]]

export const isSides = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((side) => Array.isArray(side) && side.every(isText))

const isText = (value: unknown): boolean => typeof value === 'string'

/** The sides that a machine is on. */
const sidesOf = ([one, other]: Sides, machine: string): readonly [boolean, boolean] => {
  const isOne = one.includes(machine)
  return [isOne, other.includes(machine) || (other.includes(ALL_OTHERS) && !isOne)]
}

export class Partitions {
  readonly #board: Board
  readonly #registry: Registry
  readonly #partitions: (Sides | undefined)[] = []

  constructor(board: Board, registry: Registry) {
    this.#board = board
    this.#registry = registry
  }

  /** Begins a partition, or with a `delay` > 0 slow links. */
  add(sides: Sides, delay: Time = 0): void {
    const free = this.#partitions.indexOf(undefined)
    const bit = free >= 0 ? free : this.#partitions.length
    if (bit >= LINK_FAULTS)
      throw new BourseError('BOURSE_LIMIT', `too many partitions and slow links at once: ${LINK_FAULTS}`)
    this.#partitions[bit] = sides
    this.#board.put(this.#board.linkDelay + bit, delay)
    for (const entry of this.#registry.entries) this.place(entry)
  }

  /** Ends a partition or slow links; nothing happens if it is over. */
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

  /** Puts an actor on its sides of all partitions and slow links. */
  place({ slot, address }: Entry): void {
    const { i32, sideA, sideB } = this.#board
    const machine = machineOf(address)
    for (const [bit, sides] of this.#partitions.entries()) {
      const [isA, isB] = sides ? sidesOf(sides, machine) : [false, false]
      if (isA) Atomics.or(i32, sideA + slot, 1 << bit)
      if (isB) Atomics.or(i32, sideB + slot, 1 << bit)
    }
  }
}
