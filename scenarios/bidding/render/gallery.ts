/** The picture, assembled from the results that its client reports. */
import type { ClientFact } from '../../../actors/bidding/messages.ts'
import type { Time } from '../../../lib/actor.ts'
import { isBytes } from '../../../lib/core/data.ts'
import { type Pixels, place, type Size, type Tile } from './picture.ts'

export class Gallery {
  readonly pixels: Pixels
  readonly #size: Size
  readonly #tiles: readonly Tile[]
  /** The errors of the tiles that ended without a result. */
  readonly errors: string[] = []
  /** The estimated and the measured work of each tile, in the order of their results. */
  readonly measured: { readonly estimate: Time; readonly work: Time }[] = []

  constructor(size: Size, tiles: readonly Tile[]) {
    this.#size = size
    this.#tiles = tiles
    this.pixels = new Uint8Array(3 * size.width * size.height)
  }

  /** Takes in a fact of the client; the number of a task is that of its tile. */
  hear(fact: ClientFact): void {
    if (fact.type === 'ended') {
      const { task, reason, error } = fact
      this.errors.push(`tile ${task}: ${error ? `${error.name}: ${error.message}` : reason}`)
    } else if (fact.type === 'done') {
      const { task, result, estimate = 0, work = 0 } = fact
      const tile = this.#tiles[task]
      if (!tile || !isBytes(result)) return
      place(this.pixels, this.#size, tile, result)
      this.measured.push({ estimate, work })
    }
  }
}
