/** The directory that an actor starts with, from the addresses in shared memory. */
import { Directory } from '../actor/directory.ts'
import { addressIn } from '../memory/address-table.ts'
import type { Board } from '../memory/layout.ts'

/** The directory that was made last: all actors of a thread that start together are told the same. */
let latest: { readonly board: Board; readonly key: string; readonly directory: Directory } | undefined

/** The directory of the actors in slots 1 to `slots`, but for those that have `stopped`. */
export function directoryOf(board: Board, slots: number, stopped: readonly number[]): Directory {
  const key = `${board.int(board.generation)} ${slots} ${stopped.join()}`
  if (latest?.board !== board || latest.key !== key) {
    const gone = new Set(stopped)
    const addresses = Array.from({ length: slots + 1 }, (_, slot) => (gone.has(slot) ? '' : addressIn(board, slot)))
    latest = { board, key, directory: Directory.of(addresses) }
  }
  return latest.directory
}
