/** The order of the rows of a table by the texts of a column. */

/** Compares texts by the numbers in them: u2 before u10. */
export const natural = new Intl.Collator('en', { numeric: true }).compare

/** The number at the beginning of a text such as `12.5 ± 0.3`; NaN for another text. */
function numberOf(text: string): number {
  const [, digits] = /^\s*(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)/.exec(text) ?? []
  return digits === undefined ? Number.NaN : Number(digits.replaceAll(',', ''))
}

/** The places of texts in ascending or descending order: numbers by size, then others as words. Empty ones come last. */
export function order(texts: readonly string[], isDown: boolean): number[] {
  const values = texts.map(numberOf)
  const rank = (i: number): number => (/^[-–]?$/.test(texts[i]?.trim() ?? '') ? 2 : Number.isNaN(values[i]) ? 1 : 0)
  return [...texts.keys()].sort((one, other) => {
    if (rank(one) !== rank(other)) return rank(one) - rank(other)
    const way = isDown ? -1 : 1
    if (rank(one) === 0) return way * ((values[one] ?? 0) - (values[other] ?? 0)) || one - other
    return way * natural(texts[one] ?? '', texts[other] ?? '') || one - other
  })
}
