/** The persistent heap: its order is that of sorting. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Heap, heapOf, itemsOf, pop, push, replace } from '../../actors/processor/heap.ts'

const test = suite('heap')

type Item = { readonly key: number; readonly mark: string }
const isBefore = (one: Item, other: Item) => one.key < other.key
const item = (key: number, mark = ''): Item => ({ key, mark })

function drain(heap: Heap<Item>): number[] {
  const keys: number[] = []
  for (let rest = heap; rest; rest = pop(rest, isBefore)) keys.push(rest.top.key)
  return keys
}

const keys = fc.uniqueArray(fc.nat(1000), { maxLength: 60 })
const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b)

test('a heap returns its items in order', () => {
  fc.assert(
    fc.property(keys, (list) =>
      assert.equal(
        drain(
          heapOf(
            list.map((key) => item(key)),
            isBefore,
          ),
        ),
        sorted(list),
      ),
    ),
  )
})

test('a heap does not change when others are made from it', () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 2000, max: 3000 }), (list, more) => {
      const heap = heapOf(
        list.map((key) => item(key)),
        isBefore,
      )
      push(heap, item(-more), isBefore)
      pop(heap, isBefore)
      replace(
        heap,
        ({ key }) => key === list[0],
        ({ key }) => item(key, 'new'),
      )
      assert.equal(drain(heap), sorted(list))
      assert.ok(itemsOf(heap).every(({ mark }) => mark === ''))
    }),
  )
})

test('an item can be replaced by an equal one, wherever it is', () => {
  fc.assert(
    fc.property(keys, fc.nat(1000), (list, wanted) => {
      const heap = heapOf(
        list.map((key) => item(key)),
        isBefore,
      )
      const next = replace(
        heap,
        ({ key }) => key === wanted,
        ({ key }) => item(key, 'new'),
      )
      assert.equal(drain(next), sorted(list))
      assert.equal(
        itemsOf(next)
          .filter(({ mark }) => mark === 'new')
          .map(({ key }) => key),
        list.filter((key) => key === wanted),
      )
      if (!list.includes(wanted)) assert.is(next, heap)
    }),
  )
})

test('an empty heap stays empty', () => {
  assert.is(heapOf([], isBefore), null)
  assert.is(pop(null, isBefore), null)
  assert.equal(itemsOf(null), [])
})

test.run()
