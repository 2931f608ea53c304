/**
 * How many jobs may be on the mesh at the same time, and how others get there before one of them is done: as long as jobs
 * wait, those that have been there longest are swapped for them again and again (section 6).
 */
import { type Address, cancel, type Effect, now, type Time, timer } from '../../../lib/actor.ts'
import { type Mesh, processorsOf } from '../mesh.ts'

export type Admission = {
  /** Jobs on the mesh at the same time; the others wait, first come first served. */
  readonly limit: number
  /** null: who is there stays until it is done. */
  readonly swaps: Swaps | null
}

export type Swaps = {
  readonly every: Time
  /** So long the whole machine stands still. */
  readonly takes: Time
}

/** Room for one processor each at least. */
export const roomOf = ({ mesh, limit }: { readonly mesh: Mesh; readonly limit: number }): number =>
  Math.min(limit, processorsOf(mesh))

export type SwapDue = { readonly type: 'swap-due' }

/** What an allocator remembers of swaps. */
export type Turn = {
  /** When somebody had to wait, or of the last swap since; null: nobody waits. */
  readonly turnedAt: Time | null
  readonly isSwapDue: boolean
}

export const NO_TURN: Turn = { turnedAt: null, isSwapDue: false }

/** Whenever the allocator is at rest. */
export function awaitSwap(
  { swaps, turnedAt }: Turn & { readonly swaps: Swaps | null },
  waiting: number,
): readonly [changes: Partial<Turn>, ...Effect[]] {
  if (swaps === null) return [{}]
  if (waiting === 0) return [NO_TURN, cancel('swap')]
  const since = turnedAt ?? now()
  return [{ turnedAt: since }, timer('swap', Math.max(0, since + swaps.every - now()), { type: 'swap-due' })]
}

export const swapDue = (): readonly [Turn] => [{ turnedAt: now(), isSwapDue: true }]

/** Who goes, and who comes for him: as many as there are of both, in the order in which they came. */
export const swapped = (
  there: readonly Address[],
  waiting: readonly Address[],
): readonly (readonly [goes: Address, comes: Address])[] =>
  there.flatMap((goes, i) => {
    const comes = waiting[i]
    return comes === undefined ? [] : [[goes, comes] as const]
  })

/** All stand still until those who come have been loaded. */
export const awaitLoaded = ({ swaps }: Admission): readonly [changes: object, Effect] => [
  {},
  timer('loaded', swaps?.takes ?? 0, { type: 'loaded' }),
]
