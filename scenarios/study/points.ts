/** Runs the rows of a figure with their seeds, as many runs at a time as there are cores. */
import type { Invocation } from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { pointText } from '../../lib/experiment/fields.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { type SweepOptions, sweeping } from '../sweeping.ts'
import { timeLeft } from '../time-left.ts'

/** The functions that run the rows of a figure. */
export interface Runner<Row, Ran> {
  /** The module that exports `runPoint`, which runs a row with a seed and returns its result. */
  readonly module: URL
  /** A rough estimate of the time that a row takes, in any unit. */
  readonly costOf: (row: Row) => number
  /** Reads the result that a process returned. */
  readonly ranOf: (result: Plain | undefined) => Ran
}

/** The input of a run as plain data. */
export type PlainRow = { readonly [key: string]: Plain }

/** What every run returns. */
export interface Result {
  readonly messages: number
}

/** The results of all runs. */
export interface Runs<Row, Ran> {
  /** The results of a row, in the order of the seeds. */
  readonly of: (row: Row, seeds: readonly number[]) => readonly Ran[]
  /** Every result once. */
  readonly all: readonly Ran[]
}

/** Runs every point, equal ones once. */
export async function runPoints<Row extends PlainRow, Ran>(
  { module, costOf, ranOf }: Runner<Row, Ran>,
  rows: readonly { readonly row: Row; readonly seeds: readonly number[] }[],
  invocation: Invocation<SweepOptions>,
): Promise<Runs<Row, Ran>> {
  const points = rows.flatMap(({ row, seeds }) => {
    const cost = costOf(row)
    return seeds.map((seed) => ({ cost, point: { ...row, seed } }))
  })
  const distinct = [...new Map(points.map((one) => [pointText(one.point), one]))]
  // the longest runs start first, so that all cores finish at about the same time
  const inOrder = distinct.toSorted(([, one], [, other]) => other.cost - one.cost)
  const left = timeLeft(inOrder.map(([, { cost }]) => cost))
  const results = await sweep({
    module,
    export: 'runPoint',
    points: inOrder.map(([, { point }]) => point),
    ...(await sweeping(invocation, (done, total) => [`${done} of ${total} runs`, ...left(done)].join(', '))),
  })
  const ran = new Map(inOrder.map(([key], i) => [key, ranOf(results[i])]))
  return {
    of: (row, seeds) => seeds.flatMap((seed) => ran.get(pointText({ ...row, seed })) ?? []),
    all: [...ran.values()],
  }
}
