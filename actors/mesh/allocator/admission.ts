/**
 * How many jobs may be on the mesh at the same time, and how others get there before one of them is done: as long as jobs
 * wait, those that have been there longest are swapped for them again and again (section 6).
 */
import { type Address, cancel, type Effect, type Time, timer } from '../../../lib/actor.ts'
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

/** Until the next swap; when that has come, until the one after it. */
export const untilSwap = ({ every }: Swaps): Effect => timer('swap', every, { type: 'swap-due' } satisfies SwapDue)

/** Time runs from when somebody waits, and as long as anybody does. */
export function awaitSwap(
  { swaps, isTiming }: { readonly swaps: Swaps | null; readonly isTiming: boolean },
  waiting: number,
): readonly [changes: { readonly isTiming: boolean; readonly isSwapDue?: false }, ...Effect[]] {
  if (swaps === null || waiting > 0 === isTiming) return [{ isTiming }]
  return waiting > 0 ? [{ isTiming: true }, untilSwap(swaps)] : [{ isTiming: false, isSwapDue: false }, cancel('swap')]
}

/** Who goes, and who comes for him: as many as there are of both, in the order in which they came. */
export const swapped = (
  there: readonly Address[],
  waiting: readonly Address[],
): readonly (readonly [goes: Address, comes: Address])[] =>
  there.flatMap((goes, i) => {
    const comes = waiting[i]
    return comes === undefined ? [] : [[goes, comes] as const]
  })
