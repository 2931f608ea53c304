/**
 * Delta debugging (Zeller and Hildebrandt 2002): finds a part of a list that still fails, and that passes as soon as any
 * one more element is left out. It makes counterexamples small. When `late` is aborted, it returns the smallest part so far.
 */
export async function ddmin<T>(
  all: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
  late?: AbortSignal,
): Promise<readonly T[]> {
  if (all.length === 0 || (await fails([]))) return []
  let kept = all
  let parts = 2
  while (kept.length >= 2 && !late?.aborted) {
    const size = Math.ceil(kept.length / parts)
    const smaller = await firstThatFails(kept, size, fails, late)
    if (smaller) {
      kept = smaller
      parts = Math.max(2, parts - 1)
    } else if (size === 1) break
    else parts = Math.min(kept.length, 2 * parts)
  }
  return kept
}

/** The list without one of its pieces. */
async function firstThatFails<T>(
  all: readonly T[],
  size: number,
  fails: (part: readonly T[]) => Promise<boolean>,
  late: AbortSignal | undefined,
): Promise<readonly T[] | undefined> {
  for (let at = 0; at < all.length && !late?.aborted; at += size) {
    const rest = [...all.slice(0, at), ...all.slice(at + size)]
    if (rest.length > 0 && (await fails(rest))) return rest
  }
  return undefined
}
