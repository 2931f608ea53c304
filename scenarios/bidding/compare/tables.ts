/** The tables of a comparison. */

import type { ResultTable } from '../../../lib/core/table.ts'
import { againstBaseline } from '../../../lib/experiment/compare.ts'
import { tInterval } from '../../../lib/experiment/interval.ts'
import type { Replication } from './laboratory.ts'

/** A policy, and its mean flow time in each replication. */
export type Measured = { readonly name: string; readonly values: readonly number[] }

export const meansTable = (measured: readonly Measured[], confidence: number): ResultTable => ({
  title: 'Mean flow time',
  columns: [{ name: 'policy' }, { name: 'replications' }, { name: 'flow time', unit: 'units', digits: 2 }],
  rows: measured.map(({ name, values }) => [name, values.length, tInterval(values, confidence)]),
  notes: [`Intervals at ${100 * confidence} %.`],
})

export function differencesTable([baseline, ...others]: readonly Measured[], confidence: number): ResultTable {
  const compared = baseline ? againstBaseline(baseline, others, { confidence }) : []
  return {
    title: `Against ${baseline?.name}`,
    columns: [
      { name: 'policy' },
      { name: 'difference', unit: 'units', digits: 2 },
      { name: 'correlation', digits: 2 },
      { name: 'variance left', unit: '%', digits: 0 },
      { name: 'verdict', align: 'left' },
    ],
    rows: compared.map(({ name, mean: difference, halfWidth, correlation, variance, verdict }) => [
      name,
      { mean: difference, halfWidth },
      correlation,
      variance === null ? null : 100 * variance,
      verdict,
    ]),
    notes: [
      `All intervals together hold at ${100 * confidence} %. Variance left: the variance of the difference, in % of that of independent`,
      'runs. Common random numbers save the rest, and with it the same share of the replications.',
    ],
  }
}

export const replicationsTable = (
  replications: readonly Replication[],
  measured: readonly Measured[],
): ResultTable => ({
  title: 'Replications',
  columns: [
    { name: 'replication' },
    { name: 'seed' },
    { name: 'arrivals', align: 'left' },
    ...measured.map(({ name }) => ({ name, unit: 'units', digits: 2 })),
  ],
  rows: replications.map(({ seed, arrivals }, r) => [
    r + 1,
    String(seed),
    arrivals,
    ...measured.map(({ values }) => values[r] ?? null),
  ]),
  notes: ['Arrivals are shown by their digest. Equal digests would mean that a replication was used twice.'],
})
