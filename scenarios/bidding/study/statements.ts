/** The statements of the paper about its figures, compared with our numbers. */
import { joint } from './agreement.ts'
import type { Found } from './figure.ts'

/** The cell with these labels. @throws if there is none */
export const cellIn =
  (found: readonly Found[]) =>
  (...labels: readonly (string | number)[]): Found => {
    const cell = found.find((one) => one.labels.join(' ') === labels.join(' '))
    if (!cell) throw new Error(`no cell ${labels.join(' ')}`)
    return cell
  }

/** The mean flow time of the cell with these labels. */
export const flowIn = (found: readonly Found[]) => {
  const cell = cellIn(found)
  return (...labels: readonly (string | number)[]): number => cell(...labels).ours.mean
}

/** Whether a value is within a tenth of a stated one. */
export const isAbout = (value: number, said: number): boolean => Math.abs(value / said - 1) <= 0.1

/** Whether the first mean is lower by more than the joint interval. */
export const isLower = ({ ours: a }: Found, { ours: b }: Found): boolean => b.mean - a.mean > joint(a, b)

/** A verdict that needs all these cells; null if one of their runs is too short for it. */
export const ifLong = (found: readonly Found[], holds: boolean): boolean | null =>
  found.every(({ isLong }) => isLong) ? holds : null
