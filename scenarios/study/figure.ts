/** A figure of a paper: its cases, and their measured quantities compared with the converged values. */
import type { Subject } from '../../lib/cli/help.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import { type Converged, toleranceOf } from '../../lib/experiment/converged.ts'
import { type Interval, tInterval } from '../../lib/experiment/interval.ts'
import type { Column, ResultTable } from '../../lib/experiment/report.ts'

export type Labels = readonly (string | number)[]

/** A number to reproduce. */
export interface Quantity {
  /** The name of the quantity, such as `S` or `U2 / U1`. */
  readonly of: string
  /** Our mean with its interval; null if there is no value. */
  readonly ours: Interval | null
  readonly converged: Converged | null
  /** The value in the paper, in a table or the text; null if it is only drawn. */
  readonly paper: string | null
}

/**
 * Rows that run together, and their quantities. `Row` is the input of a run without size and seed, `Ran` its result.
 */
export interface Case<Row, Ran> {
  /** The values of the figure's labels for this case, which identify it. */
  readonly labels: Labels
  readonly load: number
  readonly rows: readonly Row[]
  /** Computes the quantities from the runs of each row, which have the same seeds in the same order. */
  readonly quantities: (...ran: readonly (readonly Ran[])[]) => readonly Quantity[]
}

/** A quantity that was measured. */
export interface Found extends Quantity {
  readonly labels: Labels
  readonly load: number
  /** The tolerance around the converged value; null if there is no such value or the runs are too short. */
  readonly tolerance: number | null
  readonly agrees: boolean | null
}

/** A statement of the paper, and what our numbers say about it. */
export type Verdict = {
  /** The paper's statement, as in `CLAIMS`. */
  readonly says: string
  readonly ours: string
  /** Whether our numbers confirm it; null if they cannot tell. */
  readonly holds: boolean | null
}

export interface Figure<Row, Ran> extends Subject {
  readonly title: string
  readonly labels: readonly Column[]
  readonly cases: readonly Case<Row, Ran>[]
  /** Whether a run without flags includes the case. */
  readonly isQuick: (one: Case<Row, Ran>) => boolean
  /** The tables to print; by default one with a line for each quantity. */
  readonly shown?: (found: readonly Found[]) => readonly ResultTable[]
  readonly charts: (found: readonly Found[]) => readonly { readonly name: string; readonly chart: Chart }[]
  readonly verdicts: (find: Find) => readonly Verdict[]
}

/** Finds the mean of a quantity by its labels; null if it was not run. */
export type Find = (of: string, ...labels: Labels) => number | null

export const finder =
  (found: readonly Found[]): Find =>
  (of, ...labels) =>
    found.find((one) => one.of === of && one.labels.join(' ') === labels.join(' '))?.ours?.mean ?? null

const isThere = (value: number | null): value is number => value !== null

const intervalOf = (values: readonly (number | null)[]): Interval | null => {
  const there = values.filter(isThere)
  return there.length === 0 ? null : tInterval(there)
}

/** The mean over seeds. */
export const meanOf = <Ran>(ran: readonly Ran[], of: (one: Ran) => number | null): Interval | null =>
  intervalOf(ran.map(of))

export const over = (one: number | null, other: number | null): number | null =>
  one === null || other === null || other === 0 ? null : one / other

/** The mean of a function of two runs with the same seed. */
export const pairedOf = <Ran>(
  ran: readonly Ran[],
  others: readonly Ran[],
  of: (one: Ran, other: Ran) => number | null,
): Interval | null =>
  intervalOf(
    ran.map((one, i) => {
      const other = others[i]
      return other ? of(one, other) : null
    }),
  )

/** The mean of ratios of two runs with the same seed. */
export const ratioOf = <Ran>(
  ran: readonly Ran[],
  others: readonly Ran[],
  of: (one: Ran) => number | null,
): Interval | null => pairedOf(ran, others, (one, other) => over(of(one), of(other)))

/** Compares a quantity with its converged value, if the runs are of the same size (`isFull`). */
export function foundOf(
  { labels, load }: Pick<Found, 'labels' | 'load'>,
  quantity: Quantity,
  isFull: boolean,
  seeds: number,
): Found {
  const { ours, converged } = quantity
  if (!converged || !ours || !isFull) return { ...quantity, labels, load, tolerance: null, agrees: null }
  const tolerance = toleranceOf(converged, seeds)
  return { ...quantity, labels, load, tolerance, agrees: Math.abs(ours.mean - converged.value) <= tolerance }
}

/** The greatest of the values that are not null. */
export function mostOf(values: readonly (number | null)[]): number | null {
  const there = values.filter(isThere)
  return there.length === 0 ? null : Math.max(...there)
}

/** Whether each value is greater than the previous one. */
export const rises = (values: readonly (number | null)[]): boolean =>
  values.every((one, i) => i === 0 || (one ?? Number.NaN) > (values[i - 1] ?? Number.NaN))
