/**
 * Causality between hosts, tracked by their messages and not by clocks: a version vector says how much of each host's
 * reports comes before an event. Nodes are named by their epochs.
 */

/** The causal past of an event: for each node, how many bytes of its reports come before (node, bytes, node, bytes, ...). */
export type Before = readonly number[]

/** The part of each node's reports that one node has heard of. */
export class VersionVector {
  readonly #counts = new Map<number, number>()

  of(node: number): number {
    return this.#counts.get(node) ?? 0
  }

  set(node: number, count: number): void {
    this.#counts.set(node, count)
  }

  /** Adds the causal past of something that has arrived. */
  merge(before: Before): void {
    for (const [node, count] of pairs(before)) if (count > this.of(node)) this.#counts.set(node, count)
  }

  /** Says whether all of this is past. Reports of a node that is gone are not waited for. */
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
