/**
 * Divides room among needs, so that the smallest share is as large as possible (max-min fairness): a need up to an equal part is
 * met, and what it leaves is divided among the larger ones.
 */
export function fairShares(needs: readonly number[], room: number): readonly number[] {
  const shares = needs.map(() => 0)
  const inOrder = [...needs.entries()].sort(([, one], [, other]) => one - other)
  let left = room
  for (const [done, [place, need]] of inOrder.entries()) {
    const share = Math.min(need, Math.floor(left / (needs.length - done)))
    shares[place] = share
    left -= share
  }
  return shares
}
