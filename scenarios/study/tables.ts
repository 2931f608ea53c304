/** Tables of a figure: its numbers, and what the paper says of it. */
import type { Claim } from '../../lib/experiment/claim.ts'
import type { Column, ResultTable } from '../../lib/experiment/report.ts'
import type { Found, Verdict } from './figure.ts'

export const wordOf = ({ agrees }: Pick<Found, 'agrees'>): string => (agrees === null ? '' : agrees ? 'yes' : 'NO')

/** Every quantity in a line: paper, ours, what the model converges to. */
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

/** For programs: the same, and below it a line for each shape that the paper sees in its figure. */
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

/** With what is known to stand against a claim, where something is. */
export function verdictTable(verdicts: readonly Verdict[], claims: readonly Claim[]): ResultTable {
  const remarkOf = (says: string): string | undefined => claims.find((claim) => claim.says === says)?.remark
  const remarks = [...new Set(verdicts.flatMap(({ says }) => remarkOf(says) ?? []))]
  const markOf = (says: string): string => {
    const remark = remarkOf(says)
    return remark === undefined ? '' : `(${remarks.indexOf(remark) + 1})`
  }
  return {
    title: 'What the paper says of it',
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
