/** The clocks of machines, which faults make jump. Cells read in shared memory what the clock of their machine shows. */
import { machineOf } from '../core/address.ts'
import type { Time } from '../core/time.ts'
import type { Board } from '../memory/layout.ts'
import type { Entry, Registry } from './registry.ts'

export class Clocks {
  readonly #board: Board
  readonly #registry: Registry
  /** How far each clock that has jumped is ahead. */
  readonly #skews = new Map<string, Time>()

  constructor(board: Board, registry: Registry) {
    this.#board = board
    this.#registry = registry
  }

  /** Whether any clock has jumped, also if it has jumped back since. */
  get haveJumped(): boolean {
    return this.#skews.size > 0
  }

  /** Moves the clock of a machine, ahead or back; jumps add up. */
  jump(machine: string, by: Time): void {
    this.#skews.set(machine, (this.#skews.get(machine) ?? 0) + by)
    for (const entry of this.#registry.entries) this.place(entry)
  }

  /** Gives an actor the clock of its machine. */
  place({ slot, address }: Entry): void {
    this.#board.put(this.#board.skew + slot, this.#skews.get(machineOf(address)) ?? 0)
  }
}
