/**
 * An immutable sorted collection, as a treap (Seidel and Aragon 1996). A copy with one item more or less shares all but
 * O(log n) nodes with the original. Priorities are hashes, so the shape and the rounding of sums depend on the items
 * alone, and not on the order of changes.
 */
import { mix } from '../../lib/core/random.ts'

export type Sorted<T> = Node<T> | null

/** The place of an item: the highest rank is first, of equals the lowest number. No two items have the same place. */
interface Place {
  readonly rank: number
  readonly number: number
}

interface Node<T> extends Place {
  readonly item: T
  readonly weight: number
  /** The sum of its own weight and all weights below. */
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

/** Splits a tree at a place. */
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

/** Joins two trees, where all items of the first are before all of the other. */
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

/** Adds an item, or replaces the one at its place. */
export function put<T>(tree: Sorted<T>, number: number, item: T, rank = 0, weight = 0): Sorted<T> {
  const node = { rank, number, item, weight, sum: weight, priority: mix(number), left: null, right: null }
  return inserted(drop(tree, number, rank), node)
}

/** Removes an item. Returns the same tree if there is none at the place. */
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

/** The first item with a rank below this one. */
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

/** All items in order. */
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

/** A book without the tasks that are over. Where no mail is lost and no actor dies, no message concerns them any more. */
export const withoutOver = <Book extends { readonly over: Sorted<unknown> }>(book: Book): Book =>
  book.over ? { ...book, over: null } : book
