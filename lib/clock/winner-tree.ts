/**
 * A winner tree (a priority queue) in flat memory: the earliest of n due times in O(1), a change in O(log n), and all k leaves
 * that are due at an instant in O(k log n). Setting a leaf again is harmless, so half-done work can be repeated.
 */
export class WinnerTree {
  readonly #nodes: Float64Array
  readonly #base: number
  readonly #leaves: number

  /** `leaves` must be a power of two; the tree takes 2 * leaves doubles from `base`, all Infinity at first. */
  constructor(nodes: Float64Array, base: number, leaves: number) {
    this.#nodes = nodes
    this.#base = base
    this.#leaves = leaves
  }

  #at(node: number): number {
    return this.#nodes[this.#base + node] ?? Number.POSITIVE_INFINITY
  }

  get earliest(): number {
    return this.#at(1)
  }

  set(leaf: number, due: number): void {
    let node = this.#leaves + leaf
    if (this.#at(node) === due) return
    this.#nodes[this.#base + node] = due
    for (node >>= 1; node >= 1; node >>= 1) {
      const winner = Math.min(this.#at(2 * node), this.#at(2 * node + 1))
      if (this.#at(node) === winner) return
      this.#nodes[this.#base + node] = winner
    }
  }

  /** Computes every inner node from the leaves, since a dead leader may have left them half-done. */
  rebuild(): void {
    for (let node = this.#leaves - 1; node >= 1; node--) {
      this.#nodes[this.#base + node] = Math.min(this.#at(2 * node), this.#at(2 * node + 1))
    }
  }

  /** Writes every leaf due at or before `now` to `into` from `at`, in ascending order; returns how many. */
  collect(now: number, into: Int32Array, at: number, node = 1): number {
    if (this.#at(node) > now) return 0
    if (node >= this.#leaves) {
      into[at] = node - this.#leaves
      return 1
    }
    const left = this.collect(now, into, at, 2 * node)
    return left + this.collect(now, into, at + left, 2 * node + 1)
  }
}
