/** Do two means with 90 % half-widths agree? */
import type { Mean } from './table-1.ts'

/** Twice the joint half-width: two right intervals rarely lie further apart. */
export const tolerance = (a: Mean, b: Mean): number =>
  2 * Math.sqrt(a.halfWidth * a.halfWidth + b.halfWidth * b.halfWidth)

export const agrees = (a: Mean, b: Mean): boolean => Math.abs(a.mean - b.mean) <= tolerance(a, b)
