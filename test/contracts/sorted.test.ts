/** The sorted collection compared with an array that is sorted after each change. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { drop, firstBelow, get, itemsOf, put, type Sorted, sumOf } from '../../actors/contracts/sorted.ts'

interface Item {
  readonly number: number
  readonly rank: number
  readonly weight: number
}

const anyStep = fc.record({ puts: fc.boolean(), number: fc.nat(9), rank: fc.nat(3), weight: fc.nat(50) })

const inOrder = (items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => other.rank - one.rank || one.number - other.number)

const added = (tree: Sorted<Item>, item: Item): Sorted<Item> => put(tree, item.number, item, item.rank, item.weight)

test('the collection equals a sorted array after each step, and earlier versions stay unchanged', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      let tree: Sorted<Item> = null
      let plain: Item[] = []
      const seen: (readonly [Sorted<Item>, readonly Item[]])[] = []
      for (const { puts, ...item } of steps) {
        plain = plain.filter(({ number, rank }) => number !== item.number || rank !== item.rank)
        if (puts) plain = inOrder([...plain, item])
        tree = puts ? added(tree, item) : drop(tree, item.number, item.rank)
        assert.is(get(tree, item.number, item.rank), puts ? item : undefined)
        seen.push([tree, plain])
      }
      for (const [then, expected] of seen) {
        assert.equal(itemsOf(then), expected)
        assert.is(
          sumOf(then),
          expected.reduce((sum, { weight }) => sum + weight, 0),
        )
        for (const rank of [0, 1, 2.5, 9])
          assert.is(
            firstBelow(then, rank),
            expected.find((one) => one.rank < rank),
          )
      }
    }),
    { numRuns: 300 },
  )
})

test('collections of the same items are equal, whatever the order of changes', () => {
  const anyItems = fc.uniqueArray(
    fc.record({ number: fc.nat(99), rank: fc.nat(3), weight: fc.double({ min: 0, max: 1 }) }),
    {
      selector: ({ number }) => number,
    },
  )
  fc.assert(
    fc.property(
      anyItems.chain((items) =>
        fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length }), fc.subarray(items)),
      ),
      ([items, others, gone]) => {
        const one = items.reduce(added, null)
        let other = others.reduce(added, null)
        for (const { number, rank } of gone) other = drop(other, number, rank)
        assert.equal(gone.reduce(added, other), one)
      },
    ),
  )
})

test('dropping a missing item returns the same collection', () => {
  const tree = [3, 1, 2].reduce<Sorted<Item>>((all, number) => added(all, { number, rank: 0, weight: 1 }), null)
  assert.is(drop(tree, 4), tree)
  assert.is(drop(tree, 3, 1), tree)
  assert.is(drop(null, 1), null)
})

test('a collection of thousands of items in order is only some tens of levels deep', () => {
  const all = Array.from({ length: 20_000 }, (_, number) => ({ number, rank: 0, weight: 1 })).reduce(added, null)
  const depthOf = (tree: Sorted<Item>): number => (tree ? 1 + Math.max(depthOf(tree.left), depthOf(tree.right)) : 0)
  assert.ok(depthOf(all) < 50, `${depthOf(all)}`)
})

test.run()
