/** Many runs: every row of a table with several seeds, side by side. */
import { type Check, type Invocation, none, type Outcome } from '../../../lib/cli/index.ts'
import { type Interval, tInterval } from '../../../lib/experiment/interval.ts'
import { plainOf, type ResultTable } from '../../../lib/experiment/report.ts'
import { type RowsOptions, runRows as runRowsOf } from '../../study/rows.ts'
import type { Tolerated } from '../paper/slowdown.ts'
import { type Point, type Ran, ranOf } from './point.ts'

/** A row before its seeds. */
export type Row = Omit<Point, 'seed'>

/** Messages of a run, roughly: what its time grows with. */
const costOf = ({ parameters, tickets, scheduler, warmUp, measure }: Row): number =>
  ((warmUp + measure) * parameters.nodes * (scheduler === 'gang' ? tickets.length : 1)) / parameters.granularity

/** Runs every row with `seeds` seeds; the results of a row are in the order of its seeds. */
export async function runRows(rows: readonly Row[], invocation: Invocation<RowsOptions>): Promise<(readonly Ran[])[]> {
  return rows.map(await runRowsOf({ module: new URL('./point.ts', import.meta.url), costOf, ranOf }, rows, invocation))
}

/** Of several seeds: the mean, and how well it is known. */
export const meanOf = (ran: readonly Ran[], of: (one: Ran) => number): Interval => tInterval(ran.map(of))

/** The values that things converge to took so long, in milliseconds of the model. */
const LONG = 60_000

export const isLong = (measure: number): boolean => measure >= LONG

/** Is it what it converges to? What is shorter than that took is known less well. */
export const agreesWith = ({ mean, halfWidth }: Interval, [value, tolerance]: Tolerated, measure: number): boolean =>
  Math.abs(mean - value) <= tolerance + (isLong(measure) ? 0 : (halfWidth ?? 0))

/** How often job `index` passed its barrier for each time that the first did. */
export const ratioAt = (index: number) => (ran: Pick<Ran, 'rates'>) => (ran.rates[index] ?? 0) / (ran.rates[0] ?? 0)

/** The largest relative error of progress against tickets, both per those of the first job. */
export const unfairness = (tickets: readonly number[]) => (ran: Ran) =>
  Math.max(...tickets.map((amount, index) => Math.abs(ratioAt(index)(ran) / (amount / (tickets[0] ?? 1)) - 1)))

/** What a study comes to: all its rows, what it checks besides, and that no run broke a promise. */
export function outcomeOf(
  {
    rows,
    text,
    checks = [],
  }: { readonly rows: ResultTable; readonly text: string; readonly checks?: readonly Check[] },
  ran: readonly (readonly Ran[])[],
): Outcome {
  const all = ran.flat()
  const broken = all.flatMap((one) => one.broken)
  return {
    results: { rows: plainOf(rows), broken: broken.slice(0, 10) },
    checks: [...checks, none('promises of proportional share broken', broken)],
    messages: all.reduce((sum, { messages }) => sum + messages, 0),
    text,
    exhibits: { tables: [rows] },
  }
}
