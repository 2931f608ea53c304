/** The memory of a system: a board, and a codec that defines shapes in it. */

import { Codec } from './codec.ts'
import { Board, type BoardSize } from './layout.ts'

export interface Memory {
  readonly board: Board
  readonly codec: Codec
}

export function memoryOf(size: BoardSize, shared: boolean): Memory {
  const board = Board.create(size, shared)
  return { board, codec: new Codec(board.block, board.definitions) }
}

/**
 * For systems inline that follow each other: each has the memory of the one before, which then can tell nothing more.
 * To allocate it anew takes longer than a short run, and to collect it as long again.
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
