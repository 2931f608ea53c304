/** The results of a study as charts. */
import type { Chart, Series } from '../../../lib/experiment/chart.ts'
import type { Found } from './figure.ts'

export const FLOW = { label: 'mean flow time', unit: 'units', min: 0 }

/** The x axis for configurations of machines, which are numbered, and a width that has room for their names. */
export const sideBySide = (configurations: readonly string[]): Pick<Chart, 'x' | 'width'> => ({
  x: {
    label: configurations.map((speeds, i) => `${i + 1}: ${speeds.replaceAll(',', '')}`).join('  '),
    min: 1,
    max: configurations.length,
  },
  width: 880,
})

/** A series for every name, with our means and intervals in the order of x. */
export function seriesOf(
  found: readonly Found[],
  nameOf: (cell: Found) => string,
  xOf: (cell: Found) => number,
): Series[] {
  const names = [...new Set(found.map(nameOf))]
  return names.map((name) => ({
    name,
    points: found
      .filter((cell) => nameOf(cell) === name)
      .map((cell) => ({ x: xOf(cell), y: { mean: cell.ours.mean, halfWidth: cell.ours.halfWidth } }))
      .toSorted((one, other) => one.x - other.x),
  }))
}

/** A horizontal line. */
export const levelOf = (name: string, y: number, from: number, to: number): Series => ({
  name,
  points: [
    { x: from, y },
    { x: to, y },
  ],
})
