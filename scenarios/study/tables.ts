/** The tables of a figure: its numbers, and the paper's statements about it. */
import type { Claim } from '../../lib/experiment/claim.ts'
import type { Column, ResultTable } from '../../lib/experiment/report.ts'
import type { Found, Verdict } from './figure.ts'

export const wordOf = ({ agrees }: Pick<Found, 'agrees'>): string => (agrees === null ? '' : agrees ? 'yes' : 'NO')

/** A table with a line for each quantity: the paper's value, ours, and the converged one. */
export const longTable = (labels: readonly Column[], found: readonly Found[]): ResultTable => ({
  columns: [
    ...labels,
    { name: 'of', align: 'left' },
    { name: 'paper' },
    { name: 'ours', digits: 3 },
    { name: 'converged', digits: 3 },
    { name: 'tolerance', digits: 3 },
    { name: 'agrees', align: 'left' },
  ],
  rows: found.map((one) => [
    ...[...one.labels, one.of, one.paper ?? '', one.ours, one.converged?.value ?? null, one.tolerance],
    wordOf(one),
  ]),
})

export const holdsOf = ({ holds }: Pick<Verdict, 'holds'>): string => (holds === null ? 'open' : holds ? 'yes' : 'no')

/** The table for programs: a line for each quantity, then a line for each statement of the paper. */
export function csvTable(
  labels: readonly Column[],
  found: readonly Found[],
  verdicts: readonly Verdict[],
): ResultTable {
  const { columns, rows } = longTable(labels, found)
  const none = labels.map(() => '')
  return {
    columns: [...columns, { name: 'shape', align: 'left' }],
    rows: [
      ...rows.map((row) => [...row, '']),
      ...verdicts.map((one) => [...none, 'shape', one.says, one.ours, null, null, '', holdsOf(one)]),
    ],
  }
}

/** The table of the paper's statements, with notes on those that are known to be wrong. */
export function verdictTable(verdicts: readonly Verdict[], claims: readonly Claim[]): ResultTable {
  const remarkOf = (says: string): string | undefined => claims.find((claim) => claim.says === says)?.remark
  const remarks = [...new Set(verdicts.flatMap(({ says }) => remarkOf(says) ?? []))]
  const markOf = (says: string): string => {
    const remark = remarkOf(says)
    return remark === undefined ? '' : `(${remarks.indexOf(remark) + 1})`
  }
  return {
    title: "The paper's statements",
    columns: [
      { name: 'the paper', align: 'left' },
      { name: 'our numbers', align: 'left' },
      { name: 'holds', align: 'left' },
      { name: 'note', align: 'left' },
    ],
    rows: verdicts.map(({ says, ours, holds }) => [...[says, ours, holdsOf({ holds })], markOf(says)]),
    notes: remarks.map((remark, i) => `(${i + 1}) ${remark}`),
  }
}
