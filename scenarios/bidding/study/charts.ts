/** The results of a study as charts. */
import type { Axis, Point, Series } from '../../../lib/experiment/chart.ts'
import type { Found } from './figure.ts'

export const FLOW = { label: 'mean flow time', unit: 'units', min: 0 }

/** The x axis for configurations of machines, by the speeds of the machines. */
export const sideBySide = (configurations: readonly string[]): Axis => ({
  label: 'speeds of the machines',
  names: configurations,
})

/** A series for every name, with our means and intervals in the order of x, those of the paper, and the converged means. */
export function seriesOf(
  found: readonly Found[],
  nameOf: (cell: Found) => string,
  xOf: (cell: Found) => number,
): Series[] {
  const names = [...new Set(found.map(nameOf))]
  return names.map((name) => {
    const own = found
      .filter((cell) => nameOf(cell) === name)
      .map((cell) => ({ cell, x: xOf(cell) }))
      .toSorted((one, other) => one.x - other.x)
    const known = (of: (cell: Found) => Point['y'] | undefined): Point[] =>
      own.flatMap(({ cell, x }) => {
        const y = of(cell)
        return y === null || y === undefined ? [] : [{ x, y }]
      })
    return {
      name,
      points: own.map(({ cell: { ours, isLong }, x }) => ({
        x,
        y: { mean: ours.mean, halfWidth: ours.halfWidth },
        isShort: !isLong,
      })),
      paper: known(({ paper }) => paper),
      // the intervals of these means are hardly wider than the line
      converged: known(({ converged }) => converged?.mean),
    }
  })
}

/** A horizontal line. */
export const levelOf = (name: string, y: number, from: number, to: number): Series => ({
  name,
  points: [
    { x: from, y },
    { x: to, y },
  ],
})
