/** The series of a figure's charts, from what was measured. */
import type { Point, Series } from '../../lib/experiment/chart.ts'
import type { Found } from './figure.ts'

/** Whether a quantity has a converged value, and a run that is too short to be compared with it. */
export const isTooShort = ({ ours, converged, agrees }: Pick<Found, 'ours' | 'converged' | 'agrees'>): boolean =>
  ours !== null && converged !== null && agrees === null

/** A series of measured quantities, beside their values in the paper and the converged ones. */
export function seriesOf(name: string, found: readonly Found[], xOf: (one: Found) => number): Series {
  const inOrder = found.map((one) => ({ one, x: xOf(one) })).toSorted((a, b) => a.x - b.x)
  return {
    name,
    points: inOrder.map(({ one, x }) => ({ x, y: one.ours, isShort: isTooShort(one) })),
    paper: inOrder.flatMap(({ one: { paper }, x }): Point[] =>
      paper === null || typeof paper === 'string' ? [] : [{ x, y: paper }],
    ),
    converged: inOrder.flatMap(({ one: { converged }, x }) => (converged ? [{ x, y: converged.value }] : [])),
  }
}
