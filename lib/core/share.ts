/** Shares of samples, with their confidence intervals. */

/** The quantile of the normal distribution for an interval of 95 %. */
const Z = 1.96

/** Wilson's interval of a share (1927), which also fits shares near 1 and small samples. */
export function wilson(found: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1]
  const share = found / of
  const center = share + (Z * Z) / (2 * of)
  const half = Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))
  const scale = 1 + (Z * Z) / of
  return [Math.max(0, (center - half) / scale), Math.min(1, (center + half) / scale)]
}

/** The interval of a share in per cent: `35 to 61 %`. */
export const intervalText = (found: number, of: number): string => `${wilson(found, of).map(percent).join(' to ')} %`

const percent = (share: number): number => Math.round(100 * share)
