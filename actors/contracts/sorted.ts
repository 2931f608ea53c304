/**
 * A sorted collection that never changes: with one item more or less it is another one, which shares all but O(log n) nodes with
 * the first (a treap: Seidel and Aragon 1996). Priorities are hashes, so its shape, and how its sums are rounded, depends on
 * what is in it and not on how it came there.
 */
import { mix } from '../../lib/core/random.ts'

export type Sorted<T> = Node<T> | null

/** Where an item stands: the highest rank is first, of equals the lowest number. No two items stand in one place. */
interface Place {
  readonly rank: number
  readonly number: number
}

interface Node<T> extends Place {
  readonly item: T
  readonly weight: number
  /** Of its own weight and of all below. */
  readonly sum: number
  readonly priority: number
  readonly left: Sorted<T>
  readonly right: Sorted<T>
}

export const sumOf = (tree: Sorted<unknown>): number => tree?.sum ?? 0

const isBefore = (one: Place, other: Place): boolean =>
  one.rank === other.rank ? one.number < other.number : one.rank > other.rank

const isAt = (one: Place, other: Place): boolean => one.rank === other.rank && one.number === other.number

const over = <T>(node: Node<T>, left: Sorted<T>, right: Sorted<T>): Node<T> => ({
  ...node,
  left,
  right,
  sum: sumOf(left) + node.weight + sumOf(right),
})

/** What is before a place, and what is not. */
function split<T>(tree: Sorted<T>, place: Place): readonly [Sorted<T>, Sorted<T>] {
  if (!tree) return [null, null]
  if (isBefore(tree, place)) {
    const [before, after] = split(tree.right, place)
    return [over(tree, tree.left, before), after]
  }
  const [before, after] = split(tree.left, place)
  return [before, over(tree, after, tree.right)]
}

const isAbove = <T>(one: Node<T>, other: Node<T>): boolean =>
  one.priority === other.priority ? isBefore(one, other) : one.priority > other.priority

/** All of the first are before all of the other. */
function joined<T>(one: Sorted<T>, other: Sorted<T>): Sorted<T> {
  if (!one || !other) return one ?? other
  return isAbove(one, other)
    ? over(one, one.left, joined(one.right, other))
    : over(other, joined(one, other.left), other.right)
}

function inserted<T>(tree: Sorted<T>, node: Node<T>): Node<T> {
  if (!tree || isAbove(node, tree)) return over(node, ...split(tree, node))
  return isBefore(node, tree)
    ? over(tree, inserted(tree.left, node), tree.right)
    : over(tree, tree.left, inserted(tree.right, node))
}

/** With an item more, or in the place of another. */
export function put<T>(tree: Sorted<T>, number: number, item: T, rank = 0, weight = 0): Sorted<T> {
  const node = { rank, number, item, weight, sum: weight, priority: mix(number), left: null, right: null }
  return inserted(drop(tree, number, rank), node)
}

/** The same tree if nothing is there. */
export function drop<T>(tree: Sorted<T>, number: number, rank = 0): Sorted<T> {
  if (!tree) return tree
  const place = { rank, number }
  if (isAt(tree, place)) return joined(tree.left, tree.right)
  const [side, other] = isBefore(place, tree) ? (['left', 'right'] as const) : (['right', 'left'] as const)
  const less = drop(tree[side], number, rank)
  if (less === tree[side]) return tree
  return side === 'left' ? over(tree, less, tree[other]) : over(tree, tree[other], less)
}

export function get<T>(tree: Sorted<T>, number: number, rank = 0): T | undefined {
  const place = { rank, number }
  let node = tree
  while (node && !isAt(node, place)) node = isBefore(place, node) ? node.left : node.right
  return node?.item
}

/** The first whose rank is below this one. */
export function firstBelow<T>(tree: Sorted<T>, rank: number): T | undefined {
  let first: Sorted<T> = null
  for (let node = tree; node; ) {
    if (node.rank < rank) {
      first = node
      node = node.left
    } else node = node.right
  }
  return first?.item
}

/** In order. */
export function itemsOf<T>(tree: Sorted<T>): T[] {
  const items: T[] = []
  const above: Node<T>[] = []
  for (let node = tree; node || above.length > 0; ) {
    for (; node; node = node.left) above.push(node)
    node = above.pop() ?? null
    if (node) items.push(node.item)
    node = node?.right ?? null
  }
  return items
}
