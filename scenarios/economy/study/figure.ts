/** What a figure of the paper consists of, and what came of it: numbers beside those that the model converges to. */
import type { Subject } from '../../../lib/cli/help.ts'
import type { Chart } from '../../../lib/experiment/chart.ts'
import { type Converged, toleranceOf } from '../../../lib/experiment/converged.ts'
import { type Interval, tInterval } from '../../../lib/experiment/interval.ts'
import type { Column, ResultTable } from '../../../lib/experiment/report.ts'
import { FULL_SPAN } from './flags.ts'
import type { Ran } from './point.ts'
import type { Row } from './rows.ts'

/** A number that is to be reproduced. */
export interface Quantity {
  /** Such as `S` or `U2 / U1`. */
  readonly of: string
  /** Null: no job that it would be the mean of. */
  readonly ours: Interval | null
  readonly converged: Converged | null
  /** As the paper prints it or says it; null where it is only drawn. */
  readonly paper: string | null
}

/** What is run together, and what comes of it. */
export interface Case {
  /** What tells it from the others, under the labels of the figure. */
  readonly labels: readonly (string | number)[]
  readonly load: number
  readonly rows: readonly Omit<Row, 'span'>[]
  /** Of the runs of each row, which have the same seeds in the same order. */
  readonly quantities: (...ran: readonly (readonly Ran[])[]) => readonly Quantity[]
}

/** A quantity that was measured. */
export interface Found extends Quantity {
  readonly labels: Case['labels']
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

export interface Figure extends Subject {
  readonly title: string
  readonly labels: readonly Column[]
  readonly cases: readonly Case[]
  /** What a run without flags takes. */
  readonly quickLoads: readonly number[]
  /** For people; default: every quantity in a line. */
  readonly shown?: (found: readonly Found[]) => readonly ResultTable[]
  readonly charts: (found: readonly Found[]) => readonly { readonly name: string; readonly chart: Chart }[]
  readonly verdicts: (find: Find) => readonly Verdict[]
}

/** The mean of what was found under these labels; null if it was not run. */
export type Find = (of: string, ...labels: Case['labels']) => number | null

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
export const meanOf = (ran: readonly Ran[], of: (one: Ran) => number | null): Interval | null => intervalOf(ran.map(of))

export const over = (one: number | null, other: number | null): number | null =>
  one === null || other === null || other === 0 ? null : one / other

/** The mean of ratios of two runs with the same seed. */
export const ratioOf = (
  ran: readonly Ran[],
  others: readonly Ran[],
  of: (one: Ran) => number | null,
): Interval | null => {
  return intervalOf(
    ran.map((one, i) => {
      const other = others[i]
      return other ? over(of(one), of(other)) : null
    }),
  )
}

/** Only runs as long as those that the values are of can be held against them. */
export function foundOf({ labels, load }: Case, quantity: Quantity, span: number, seeds: number): Found {
  const { ours, converged } = quantity
  if (!converged || !ours || span !== FULL_SPAN) return { ...quantity, labels, load, tolerance: null, agrees: null }
  const tolerance = toleranceOf(converged, seeds)
  return { ...quantity, labels, load, tolerance, agrees: Math.abs(ours.mean - converged.value) <= tolerance }
}
