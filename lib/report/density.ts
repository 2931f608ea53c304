/** How many of something there are in each part of an axis. */

/** The sums of the weights of the places in each of `count` parts of equal length between two places. */
export function binsOf(
  places: ArrayLike<number>,
  weightOf: (index: number) => number,
  { from, to }: { readonly from: number; readonly to: number },
  count: number,
): Float64Array {
  const bins = new Float64Array(Math.max(1, count))
  const perPart = to > from ? bins.length / (to - from) : 0
  for (let i = 0; i < places.length; i++) {
    const place = places[i] ?? 0
    if (place < from || place > to) continue
    const bin = Math.min(bins.length - 1, Math.floor((place - from) * perPart))
    bins[bin] = (bins[bin] ?? 0) + weightOf(i)
  }
  return bins
}
