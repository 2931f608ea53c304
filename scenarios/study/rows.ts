/** Runs every row with several seeds, as many runs at a time as there are cores. */
import type { Invocation } from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { replicationSeed } from '../../lib/experiment/replications.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { type SweepOptions, sweeping } from '../sweeping.ts'
import { timeLeft } from '../time-left.ts'

/** The functions that run the rows of a study. */
export interface Runner<Row, Ran> {
  /** The module that exports `runPoint`, which runs a row with a seed and returns its result. */
  readonly module: URL
  /** A rough estimate of the time that a row takes, in any unit. */
  readonly costOf: (row: Row) => number
  /** Reads the result that a process returned. */
  readonly ranOf: (result: Plain | undefined) => Ran
}

export interface RowsOptions extends SweepOptions {
  readonly seed: number
  readonly seeds: number
}

/** The key of a row; equal rows have equal keys. */
const keyOf = (row: object): string => JSON.stringify(Object.entries(row).sort())

/**
 * Runs every row with `seeds` seeds, equal rows once. All rows have the same seeds, and so the same random workloads: a
 * difference between two rows does not come from different workloads.
 *
 * @returns a function that gives the runs of a row, in the order of the seeds
 */
export async function runRows<Row extends { readonly [key: string]: Plain }, Ran>(
  { module, costOf, ranOf }: Runner<Row, Ran>,
  rows: readonly Row[],
  invocation: Invocation<RowsOptions>,
): Promise<(row: Row) => readonly Ran[]> {
  const { seed, seeds } = invocation.options
  const distinct = new Map(rows.map((row) => [keyOf(row), row]))
  const points = [...distinct].flatMap(([key, row]) =>
    Array.from({ length: seeds }, (_, i) => ({
      key,
      cost: costOf(row),
      point: { ...row, seed: replicationSeed(seed, i) },
    })),
  )
  // the longest runs start first, so that all cores finish at about the same time
  const inOrder = points.toSorted((one, other) => other.cost - one.cost)
  const left = timeLeft(inOrder.map(({ cost }) => cost))
  const results = await sweep({
    module,
    export: 'runPoint',
    points: inOrder.map(({ point }) => point),
    ...sweeping(invocation, (done, total) => [`${done} of ${total} runs`, ...left(done)].join(', ')),
  })
  const ran = new Map<string, Ran[]>()
  // equal costs keep their order, so the runs of a row stay in the order of its seeds
  for (const [i, { key }] of inOrder.entries()) ran.set(key, [...(ran.get(key) ?? []), ranOf(results[i])])
  return (row) => ran.get(keyOf(row)) ?? []
}
