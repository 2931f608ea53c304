/** The picture as it comes together from what its client hears. */
import type { ClientFact } from '../../../actors/bidding/messages.ts'
import { type Pixels, place, type Size, type Tile } from './picture.ts'

export class Gallery {
  readonly pixels: Pixels
  readonly #size: Size
  readonly #tiles: readonly Tile[]
  /** Of tiles whose call threw. */
  readonly errors: string[] = []
  /** By how much the estimate of each tile was wrong, as a share of what the tile took; in the order of their ends. */
  readonly misses: number[] = []

  constructor(size: Size, tiles: readonly Tile[]) {
    this.#size = size
    this.#tiles = tiles
    this.pixels = new Uint8Array(3 * size.width * size.height)
  }

  /** Task n is tile n. */
  hear(fact: ClientFact): void {
    if (fact.type === 'ended') {
      const { task, reason, error } = fact
      this.errors.push(`tile ${task}: ${error ? `${error.name}: ${error.message}` : reason}`)
    } else if (fact.type === 'done') {
      const { task, result, estimate = 0, work = 0 } = fact
      const tile = this.#tiles[task]
      if (!tile || typeof result !== 'string') return
      place(this.pixels, this.#size, tile, Buffer.from(result, 'base64'))
      if (work > 0) this.misses.push(Math.abs(estimate - work) / work)
    }
  }
}
