/** A persistent heap (skew heap, Sleator & Tarjan 1986): pushing and popping cost O(log n), amortised. */

export type Heap<T> = Tree<T> | null

interface Tree<T> {
  readonly top: T
  readonly left: Heap<T>
  readonly right: Heap<T>
}

export type Before<T> = (one: T, other: T) => boolean

function merge<T>(one: Heap<T>, other: Heap<T>, before: Before<T>): Heap<T> {
  if (!one || !other) return one ?? other
  return before(other.top, one.top)
    ? { top: other.top, left: merge(one, other.right, before), right: other.left }
    : { top: one.top, left: merge(other, one.right, before), right: one.left }
}

export const push = <T>(heap: Heap<T>, item: T, before: Before<T>): Heap<T> =>
  merge(heap, { top: item, left: null, right: null }, before)

/** The heap without its first item; an empty heap stays empty. */
export const pop = <T>(heap: Heap<T>, before: Before<T>): Heap<T> => heap && merge(heap.left, heap.right, before)

export const heapOf = <T>(items: Iterable<T>, before: Before<T>): Heap<T> => {
  let heap: Heap<T> = null
  for (const item of items) heap = push(heap, item, before)
  return heap
}

/** All items, in no particular order. */
export function itemsOf<T>(heap: Heap<T>): T[] {
  const items: T[] = []
  const trees = [heap]
  for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
    if (!tree) continue
    items.push(tree.top)
    trees.push(tree.left, tree.right)
  }
  return items
}

/** Replaces one item by another of the same rank; returns the same heap if no item `matches`. */
export function replace<T>(heap: Heap<T>, matches: (item: T) => boolean, by: (item: T) => T): Heap<T> {
  if (!heap) return heap
  if (matches(heap.top)) return { ...heap, top: by(heap.top) }
  const left = replace(heap.left, matches, by)
  if (left !== heap.left) return { ...heap, left }
  const right = replace(heap.right, matches, by)
  return right === heap.right ? heap : { ...heap, right }
}
