/** What a figure of a paper consists of, and what came of it: numbers beside those that the model converges to. */
import type { Subject } from '../../lib/cli/help.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import { type Converged, toleranceOf } from '../../lib/experiment/converged.ts'
import { type Interval, tInterval } from '../../lib/experiment/interval.ts'
import type { Column, ResultTable } from '../../lib/experiment/report.ts'

export type Labels = readonly (string | number)[]

/** A number that is to be reproduced. */
export interface Quantity {
  /** Such as `S` or `U2 / U1`. */
  readonly of: string
  /** Null: nothing that it would be the mean of. */
  readonly ours: Interval | null
  readonly converged: Converged | null
  /** As the paper prints it or says it; null where it is only drawn. */
  readonly paper: string | null
}

/** What is run together, and what comes of it. `Row`: all that a run's result depends on but size and seed; `Ran`: its result. */
export interface Case<Row, Ran> {
  /** What tells it from the others, under the labels of the figure. */
  readonly labels: Labels
  readonly load: number
  readonly rows: readonly Row[]
  /** Of the runs of each row, which have the same seeds in the same order. */
  readonly quantities: (...ran: readonly (readonly Ran[])[]) => readonly Quantity[]
}

/** A quantity that was measured. */
export interface Found extends Quantity {
  readonly labels: Labels
  readonly load: number
  /** How far ours may lie from what the model converges to; null: there is no such value, or the runs are too short. */
  readonly tolerance: number | null
  readonly agrees: boolean | null
}

/** What the paper says in words, and what our numbers say of it. */
export type Verdict = {
  /** What the paper says, as `CLAIMS` has it. */
  readonly says: string
  readonly ours: string
  /** Null: nothing here can tell. */
  readonly holds: boolean | null
}

export interface Figure<Row, Ran> extends Subject {
  readonly title: string
  readonly labels: readonly Column[]
  readonly cases: readonly Case<Row, Ran>[]
  /** Does a run without flags take it? */
  readonly isQuick: (one: Case<Row, Ran>) => boolean
  /** For people; default: every quantity in a line. */
  readonly shown?: (found: readonly Found[]) => readonly ResultTable[]
  readonly charts: (found: readonly Found[]) => readonly { readonly name: string; readonly chart: Chart }[]
  readonly verdicts: (find: Find) => readonly Verdict[]
}

/** The mean of what was found under these labels; null if it was not run. */
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

/** Over seeds. */
export const meanOf = <Ran>(ran: readonly Ran[], of: (one: Ran) => number | null): Interval | null =>
  intervalOf(ran.map(of))

export const over = (one: number | null, other: number | null): number | null =>
  one === null || other === null || other === 0 ? null : one / other

/** The mean of what is made of two runs with the same seed. */
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

/** Only runs of the size of those that the values are of (`isFull`) can be held against them. */
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

/** Of those that were found. */
export function mostOf(values: readonly (number | null)[]): number | null {
  const there = values.filter(isThere)
  return there.length === 0 ? null : Math.max(...there)
}

/** Is each more than the one before? */
export const rises = (values: readonly (number | null)[]): boolean =>
  values.every((one, i) => i === 0 || (one ?? Number.NaN) > (values[i - 1] ?? Number.NaN))
