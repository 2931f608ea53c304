/**
 * Causality between hosts, by what they send and not by clocks: how much of what each host reported comes before
 * something. Nodes are named by their epochs.
 */

/** Per node, how many bytes of its reports come before: node, bytes, node, bytes, ... */
export type Before = readonly number[]

/** What one node has heard of, or told of. */
export class VersionVector {
  readonly #counts = new Map<number, number>()

  of(node: number): number {
    return this.#counts.get(node) ?? 0
  }

  set(node: number, count: number): void {
    this.#counts.set(node, count)
  }

  /** Something has come that all this was before. */
  merge(before: Before): void {
    for (const [node, count] of pairs(before)) if (count > this.of(node)) this.#counts.set(node, count)
  }

  /** Is all of this past? What is of a node that is `gone` will not come any more. */
  includes(before: Before, isGone: (node: number) => boolean): boolean {
    for (const [node, count] of pairs(before)) if (count > this.of(node) && !isGone(node)) return false
    return true
  }

  forget(node: number): void {
    this.#counts.delete(node)
  }

  get before(): Before {
    return [...this.#counts].flat()
  }
}

function* pairs(before: Before): Generator<readonly [node: number, count: number]> {
  for (let i = 0; i + 1 < before.length; i += 2) yield [before[i] ?? 0, before[i + 1] ?? 0]
}
