/** From rows to runs: every row with several seeds, as many at a time as there are cores. */
import { type Invocation, signalOf } from '../../../lib/cli.ts'
import { replicationSeed } from '../../../lib/experiment/replications.ts'
import { sweep } from '../../../lib/experiment/sweep.ts'
import { timeLeft } from '../../time-left.ts'
import { type Point, type Ran, ranOf } from './point.ts'

/** A point before its seeds. */
export type Row = Omit<Point, 'seed'>

export interface RowsOptions {
  readonly seed: number
  readonly seeds: number
  readonly parallel: number | undefined
  readonly keep: string | undefined
}

/** Roughly: jobs, and how many wait at each pass; without backfill many do. */
const costOf = ({ load, span, policy }: Point): number => load * span * (1 + (policy === 'FCFS' ? 2 : 1) * load ** 6)

/** Equal rows have equal keys. */
const keyOf = (row: Row): string => JSON.stringify(Object.entries(row).sort())

/**
 * Runs every row with `seeds` seeds, equal rows once. All rows have the same seeds, so what differs between two of them does
 * not differ by chance in the workload.
 *
 * @returns by row: its runs, in the order of the seeds
 */
export async function runRows(
  rows: readonly Row[],
  invocation: Invocation<RowsOptions>,
): Promise<(row: Row) => readonly Ran[]> {
  const { options, progress } = invocation
  const { seed, seeds, parallel, keep } = options
  const distinct = new Map(rows.map((row) => [keyOf(row), row]))
  const points = [...distinct].flatMap(([key, row]) =>
    Array.from({ length: seeds }, (_, i): { key: string; point: Point } => ({
      key,
      point: { ...row, seed: replicationSeed(seed, i) },
    })),
  )
  // the longest first, so that no core is left with one at the end
  const inOrder = points.toSorted((one, other) => costOf(other.point) - costOf(one.point))
  const left = timeLeft(inOrder.map(({ point }) => costOf(point)))
  const results = await sweep({
    module: new URL('./point.ts', import.meta.url),
    export: 'runPoint',
    points: inOrder.map(({ point }) => point),
    keep,
    parallel,
    signal: signalOf(invocation),
    onDone: (done, total) => progress(done, total, [`${done} of ${total} runs`, ...left(done)].join(', ')),
  })
  const ran = new Map<string, Ran[]>()
  // equal costs keep their order, so the runs of a row stay in the order of its seeds
  for (const [i, { key }] of inOrder.entries()) ran.set(key, [...(ran.get(key) ?? []), ranOf(results[i])])
  return (row) => ran.get(keyOf(row)) ?? []
}
