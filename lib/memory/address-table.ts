/**
 * The addresses of the slots, in shared memory. Every actor knows all addresses; here each thread reads them, so that no
 * message has to carry them. An address belongs to its slot for good, so its text is written once, among the definitions.
 */
import type { Address } from '../core/address.ts'
import type { Board } from './layout.ts'
import { DefinitionsFull } from './shapes.ts'

/** Writes the table. Only the system does so, before it tells an actor of the slot. */
export class AddressTable {
  readonly #board: Board
  /** Where the text of each address is: it stays there when the board is cleared for another system. */
  readonly #places = new Map<Address, number>()

  constructor(board: Board) {
    this.#board = board
  }

  /** Gives a slot its address. */
  set(slot: number, address: Address): void {
    const at = this.#places.get(address) ?? this.#write(address)
    this.#places.set(address, at)
    this.#board.i32[this.#board.addressAt + slot] = at
  }

  #write(address: Address): number {
    const { i32, block, definitionTop, definitionsEnd } = this.#board
    const words = 1 + Math.ceil(address.length / 8)
    const at = Atomics.add(i32, definitionTop, words)
    if (at + words > definitionsEnd)
      throw new DefinitionsFull('definitions memory full (option memoryMB, --max-memory)')
    i32[2 * at] = address.length
    block.bytes.write(address, (at + 1) * 8, 'latin1')
    return at
  }
}

/** The address of a slot; '' for a slot that has none. */
export function addressIn({ i32, addressAt, block }: Board, slot: number): Address {
  const at = i32[addressAt + slot] ?? 0
  const first = (at + 1) * 8
  return at === 0 ? '' : block.bytes.toString('latin1', first, first + (i32[2 * at] ?? 0))
}
