/** The colour of text on a coloured background. It is not in the folder `page`, because it needs no browser. */

/** Black or white, whichever has more contrast with a colour `#rrggbb`. */
export function readableOn(color: string): string {
  const part = (from: number): number => {
    const value = Number.parseInt(color.trim().slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : Math.exp(2.4 * Math.log((value + 0.055) / 1.055))
  }
  // relative luminance by WCAG; at the threshold both contrasts are equal
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.179 ? '#000' : '#fff'
}
