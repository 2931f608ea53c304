/** The memory of a system: its board, a codec that defines shapes in it, and the table of addresses. */

import { AddressTable } from './address-table.ts'
import { Codec } from './codec.ts'
import { Board, type BoardSize } from './layout.ts'

export interface Memory {
  readonly board: Board
  readonly codec: Codec
  readonly addresses: AddressTable
}

export function memoryOf(size: BoardSize, shared: boolean): Memory {
  const board = Board.create(size, shared)
  return { board, codec: new Codec(board.block, board.definitions), addresses: new AddressTable(board) }
}

/**
 * Memory for inline systems that follow each other. Each takes the memory of the one before, which cannot be read any
 * more. This saves allocation and garbage collection; either takes longer than a short run.
 */
export class ReusedMemory {
  #memory: Memory | undefined

  memoryOf(size: BoardSize): Memory {
    const last = this.#memory
    if (last && JSON.stringify(last.board.size) === JSON.stringify(size)) {
      last.board.clear()
      return last
    }
    this.#memory = memoryOf(size, false)
    return this.#memory
  }
}
