/** A figure or a table of a paper: its cases, their measured quantities, and what these are compared with. */

import type { Subject } from '../../lib/cli/help.ts'
import type { Check, Flags, Outcome } from '../../lib/cli/index.ts'
import type { Interval, ResultTable, Value } from '../../lib/core/table.ts'
import { rounded } from '../../lib/core/table.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import type { Claim, Fact } from '../../lib/experiment/claim.ts'
import { type Converged, toleranceOf } from '../../lib/experiment/converged.ts'
import { tInterval } from '../../lib/experiment/interval.ts'
import type { ShownAgreement, ShownImage } from '../../lib/report/types.ts'
import type { SweepOptions } from '../sweeping.ts'
import type { PlainRow, Result, Runner } from './points.ts'

export type Labels = readonly (string | number)[]

/** A number to reproduce. */
export interface Quantity {
  /** The name of the quantity, such as `S` or `U2 / U1`. */
  readonly of: string
  /** Our mean with its interval; null if there is no value. */
  readonly ours: Interval | null
  readonly converged: Converged | null
  /** The value in the paper, in a table or the text; null if it is only drawn. */
  readonly paper: Value
}

/** Rows that run together, and their quantities. `Row` is the input of a run without its seed, `Ran` its result. */
export interface Case<Row, Ran> {
  /** The values of the figure's labels for this case, which identify it. */
  readonly labels: Labels
  /** The rows to run; none if the quantities are calculated. */
  readonly rows: readonly Row[]
  /** The seeds of each row (default: the seed of the command). */
  readonly seeds?: readonly number[]
  /** Whether the runs are long enough to be compared with converged values (default true). */
  readonly isComparable?: boolean
  /** Computes the quantities from the runs of each row, in the order of the seeds. */
  readonly quantities: (...ran: readonly (readonly Ran[])[]) => readonly Quantity[]
}

/** A quantity that was measured. */
export interface Found extends Quantity {
  readonly labels: Labels
  /** The tolerance around the converged value; null if there is no such value or the runs are too short. */
  readonly tolerance: number | null
  readonly agrees: boolean | null
}

/** A case that was run: the runs of each of its rows, and its quantities. */
export interface Measured<C, Ran> {
  readonly case: C
  readonly ran: readonly (readonly Ran[])[]
  readonly found: readonly Found[]
}

/** A statement of the paper, and what our numbers say about it. */
export type Verdict = {
  /** The statement, in our words; that of a claim, if it has remarks or a settled verdict. */
  readonly says: string
  readonly ours: string
  /**
   * Whether our numbers confirm the statement, or the settled verdict on it; null if they cannot tell. `settled`: they
   * only illustrate that verdict.
   */
  readonly holds: boolean | null | 'settled'
}

/** Our numbers for some of the facts, by their names. */
export type Numbers = { readonly [id: string]: Omit<Verdict, 'says'> }

/** The verdicts on the facts that have numbers, in the order of the paper. */
export const verdictsOn = (facts: readonly Fact[], ours: Numbers): Verdict[] =>
  facts.flatMap(({ id, says }) => {
    const one = ours[id]
    return one ? [{ says, ...one }] : []
  })

/** A chart and the name of its file. */
export interface Drawing {
  readonly name: string
  readonly chart: Chart | ShownImage
}

/** The results of a figure as people and programs see them. */
interface Shown {
  /** The tables to print; that of the statements follows. */
  readonly tables: readonly ResultTable[]
  /** All values for programs. */
  readonly values: ResultTable
  /** The tables of the CSV file (default: `values`). */
  readonly csv?: readonly ResultTable[]
  readonly charts?: readonly Drawing[]
  readonly verdicts?: readonly Verdict[]
  /** The answer to the question of the figure, in one or two sentences at the top of its page. */
  readonly answer?: readonly string[]
  /** The result in a few sentences (default: how many values agree with the converged ones). */
  readonly story?: readonly string[]
  /** How many values agree (default: with the converged ones). */
  readonly agreement?: ShownAgreement | undefined
  /** Lines under the tables. */
  readonly notes?: readonly string[]
  /** More results for `--json`. */
  readonly results?: Outcome['results']
  /** Checks in addition to those of the converged values and of the settled verdicts. */
  readonly checks?: readonly Check[]
}

/** The cases that the options choose, and how their results are shown. */
export interface Plan<Row, Ran, C extends Case<Row, Ran> = Case<Row, Ran>> {
  /** Describes the runs, such as `3 seeds, 500 minutes of arrivals`. */
  readonly about?: string
  /** The cases; `--only` chooses among them. */
  readonly cases: readonly C[]
  readonly show: (measured: readonly Measured<C, Ran>[]) => Shown
}

/** The options that the command of a figure understands, if it declares their flags. */
export interface FigureOptions extends SweepOptions {
  readonly seed?: number | undefined
  readonly quick?: boolean
  readonly full?: boolean
  readonly only?: string | undefined
  readonly csv?: string | undefined
  readonly markdown?: string | undefined
  readonly svg?: string | undefined
}

export interface Figure<
  O extends FigureOptions,
  Row = PlainRow,
  Ran = Result,
  C extends Case<Row, Ran> = Case<Row, Ran>,
> extends Subject {
  readonly flags: Flags<O>
  /**
   * The reason why `--quick` and `--full` change nothing, which the help shows after `one scale:`. Absent if the figure has
   * these flags, and for a figure whose numbers are calculated.
   */
  readonly oneScale?: string
  /** The paper's statements, with remarks or settled verdicts. */
  readonly claims?: readonly Claim[]
  /** Runs the rows; absent if all numbers are calculated. */
  readonly runner?: Runner<Row, Ran>
  readonly plan: (options: O) => Plan<Row, Ran, C>
}

/** A calculated number that has a known value. */
export const known = (of: string, ours: number, value: number, tolerance: number): Quantity => ({
  of,
  ours: { mean: ours, halfWidth: null },
  converged: { value, tolerance },
  paper: null,
})

/** The only case of a figure whose quantities are calculated. */
export const calculated = (quantities: readonly Quantity[]): Case<PlainRow, Result> => ({
  labels: [],
  rows: [],
  quantities: () => quantities,
})

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

/** Compares a quantity with its converged value, if the runs of its case are comparable. */
export function foundOf(
  { labels, isComparable = true, seeds = [0] }: Pick<Case<never, never>, 'labels' | 'isComparable' | 'seeds'>,
  quantity: Quantity,
): Found {
  const { ours, converged } = quantity
  if (!converged || !ours || !isComparable) return { ...quantity, labels, tolerance: null, agrees: null }
  const tolerance = toleranceOf(converged, seeds.length)
  // two infinite values are equal, but have no difference
  const agrees = ours.mean === converged.value || Math.abs(ours.mean - converged.value) <= tolerance
  return { ...quantity, labels, tolerance, agrees }
}

/** The truth of a statement about some numbers; null if one of them is missing. */
export const holdsOf = (numbers: readonly (number | null)[], isTrue: boolean): boolean | null =>
  numbers.includes(null) ? null : isTrue

/** A sentence that tells several numbers, the best first: `Mean wait at load 0.9: 3.10 under A, 4.00 under B.` None if fewer than two are known. */
export function rankedText(
  what: string,
  numbers: readonly { readonly name: string; readonly value: number | null }[],
  { better, digits = 2 }: { readonly better: 'less' | 'more'; readonly digits?: number },
): string[] {
  const known = numbers.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))
  if (known.length < 2) return []
  const sign = better === 'less' ? 1 : -1
  const ranked = known.toSorted((one, other) => sign * (one.value - other.value))
  return [`${what}: ${ranked.map(({ name, value }) => `${rounded(value, digits)} ${name}`).join(', ')}.`]
}

/** Numbers with so many decimals, one after the other. */
export const listedNumbers = (values: readonly (number | null)[], digits: number): string =>
  values.map((value) => rounded(value, digits)).join(', ')

/** The greatest of the values that are not null. */
export function mostOf(values: readonly (number | null)[]): number | null {
  const there = values.filter(isThere)
  return there.length === 0 ? null : Math.max(...there)
}

/** Whether each value is greater than the previous one. */
export const rises = (values: readonly (number | null)[]): boolean =>
  values.every((one, i) => i === 0 || (one ?? Number.NaN) > (values[i - 1] ?? Number.NaN))
