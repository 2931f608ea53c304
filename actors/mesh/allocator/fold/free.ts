/** The allocator speaks for what is free in a ring: to the neighbours it is one of them, that gives and never takes (section 5.5). */
import { type Address, type Effect, tell } from '../../../../lib/actor.ts'
import { type Fold, hasFree, rectanglesOf, stretchesOf } from '../../fold/fold.ts'
import { linksOf, type Step } from '../../fold/orders.ts'
import { ringOf } from '../../fold/ring.ts'
import type { Size } from '../../messages.ts'

/** At a tick both neighbours hear that it is free. */
export function sizesOfFree(fold: Fold, { orders }: Step, change: number): readonly Effect[] {
  if (!hasFree(fold) || !orders.some(({ type }) => type === 'tick')) return []
  const { prev = null, next = null } = linksOf(fold).get(null) ?? {}
  const beside = new Set([prev, next].flatMap((owner) => owner ?? []))
  return [...beside].map((job) => tell(job, { type: 'size', change, size: 'free' }))
}

/** If it is an `s` that comes before it gets the first of the free cells. */
export function cellForPrev(fold: Fold, from: Address, size: Size, change: number): readonly Effect[] {
  const free = stretchesOf(fold).find(({ owner }) => owner === null)
  if (!free || size !== 's' || linksOf(fold).get(null)?.prev !== from) return []
  const [cell] = rectanglesOf(ringOf(fold.area, fold.level), free)
  return cell ? [tell(from, { type: 'cell', change, cell })] : []
}
