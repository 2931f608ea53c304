/** The tables of a figure: its numbers, and the paper's statements about it. */

import { type Column, type ResultTable, textColumn } from '../../lib/core/table.ts'
import type { Claim } from '../../lib/experiment/claim.ts'
import type { Found, Verdict } from './figure.ts'

const wordOf = ({ agrees }: Pick<Found, 'agrees'>): string => (agrees === null ? '' : agrees ? 'yes' : 'NO')

/** A table with a line for each quantity: the paper's value, ours, and the converged one. */
export const longTable = (labels: readonly Column[], found: readonly Found[]): ResultTable => ({
  columns: [
    ...[...labels, textColumn('of'), { name: 'paper' }],
    ...['ours', 'converged', 'tolerance'].map((name) => ({ name, digits: 3 })),
    textColumn('agrees'),
  ],
  rows: found.map((one) => [
    ...[...one.labels, one.of, one.paper ?? '', one.ours, one.converged?.value ?? null, one.tolerance],
    wordOf(one),
  ]),
})

/** Whether a statement holds, or its settled verdict. */
function holdsOf({ holds }: Verdict, claim: Claim | undefined): string {
  if (holds === null) return 'open'
  if (claim?.verdict === undefined) return holds ? 'yes' : 'no'
  return holds ? claim.verdict : 'CONTRADICTED'
}

/** The table for programs: a line for each quantity, then a line for each statement of the paper. */
export function csvTable(
  labels: readonly Column[],
  found: readonly Found[],
  verdicts: readonly Verdict[],
): ResultTable {
  const { columns, rows } = longTable(labels, found)
  const none = labels.map(() => '')
  return {
    columns: [...columns, textColumn('shape')],
    rows: [
      ...rows.map((row) => [...row, '']),
      ...verdicts.map((one) => [...none, 'shape', one.says, one.ours, null, null, '', holdsOf(one, undefined)]),
    ],
  }
}

/** The table of the paper's statements, with notes on those that are known to be wrong. */
export function verdictTable(verdicts: readonly Verdict[], claims: readonly Claim[]): ResultTable {
  const judged = verdicts.map((verdict) => ({ verdict, claim: claims.find(({ says }) => says === verdict.says) }))
  const remarks = [...new Set(judged.flatMap(({ claim }) => claim?.remark ?? []))]
  const markOf = (remark: string | undefined) => (remark === undefined ? '' : `(${remarks.indexOf(remark) + 1})`)
  return {
    title: "The paper's statements",
    columns: ['the paper', 'our numbers', 'holds', ...(remarks.length > 0 ? ['note'] : [])].map(textColumn),
    rows: judged.map(({ verdict, claim }) => [
      claim ? `${claim.where}: ${claim.says}` : verdict.says,
      verdict.ours,
      holdsOf(verdict, claim),
      ...(remarks.length > 0 ? [markOf(claim?.remark)] : []),
    ]),
    notes: remarks.map((remark, i) => `(${i + 1}) ${remark}`),
  }
}
