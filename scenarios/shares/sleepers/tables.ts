/**
 * Figure 3, and what the paper does not show: several sleepers, and interactive clients. Every table has the measured
 * and the converged value of each quantity.
 */

import { systemCredit } from '../../../actors/processor/credit.ts'
import type { Column, ResultTable } from '../../../lib/core/table.ts'
import {
  type Case,
  type Found,
  known,
  type Measured,
  type Quantity,
  type Verdict,
  verdictsOn,
} from '../../study/figure.ts'
import { AGREES, agreesColumn } from '../../study/tables.ts'
import { FACTS } from '../paper/facts.ts'
import { FIGURE_3, INTERACTIVE, SLEEPERS, TOLERANCE } from '../paper/figure-3.ts'
import { CAP, longest, type Policy, type Ran, type Row, STANDING } from './study.ts'
import { type Curve, credited, ideal, uncredited } from './unfairness.ts'

const CURVES: readonly (readonly [name: string, curve: Curve])[] = [
  ['ideal', ideal],
  ['no credit, fluid', uncredited],
  ['C = S, fluid', credited],
]

export const curvesAt = (asleep: number): number[] =>
  CURVES.map(([, curve]) => curve({ ran: 1 - asleep, slept: asleep }, STANDING))

export const CURVE_NAMES: readonly string[] = CURVES.map(([name]) => name)

/** A table and its cases, whose first label is the name of the part. */
export interface Part {
  readonly cases: readonly Case<Row, Ran>[]
  readonly tableOf: (measured: readonly Measured<unknown, Ran>[]) => ResultTable
}

const AGREE: Column = agreesColumn('agree')

/** The columns of the measured and of the converged values. */
const bothOf = (columns: readonly Column[]): Column[] =>
  columns.flatMap((column) => [column, { ...column, name: `${column.name} conv.` }])

const cellsOf = (found: readonly Found[]) => [
  ...found.flatMap(({ ours, converged }) => [ours?.mean ?? null, converged?.value ?? null]),
  found
    .filter(({ agrees }) => !agrees)
    .map(({ of }) => `${AGREES.no}: ${of}`)
    .join(', ') || AGREES.yes,
]

/** A table with a line for each case: its labels, and the values of its quantities. */
const lineByLine =
  (
    labels: readonly Column[],
    quantities: readonly Column[],
    about: Pick<ResultTable, 'title' | 'notes'>,
  ): Part['tableOf'] =>
  (measured) => ({
    ...about,
    columns: [...labels, ...bothOf(quantities), AGREE],
    rows: measured.map(({ found }) => [...(found[0]?.labels.slice(1) ?? []), ...cellsOf(found)]),
  })

const LONG = 1000
const SHORT = 30

/** A run with one sleeper; all begin at once. */
const oneSleeper = (runtime: Row['runtime'], policy: Policy, run: number, sleep: number, cycles: number): Row => ({
  runtime,
  policy,
  sleepers: 1,
  run,
  sleep,
  spread: 0,
  cycles,
  until: longest(run, sleep, cycles),
})

const value = (name: string): Column => ({ name, digits: 4 })

/** A line for each time asleep: the curves, then the measured and the converged value of each policy. */
function figureOf<P extends Policy>(
  part: string,
  { policies, run, runtime, cycles }: { policies: readonly P[]; run: number; runtime: Row['runtime']; cycles: number },
  converged: (row: (typeof FIGURE_3)[number], policy: P) => readonly [value: number, tolerance: number],
  note: readonly string[],
): Part {
  return {
    cases: FIGURE_3.map((row) => ({
      labels: [part, Math.round(100 * row.asleep)],
      rows: policies.map((policy) => oneSleeper(runtime, policy, run, (run * row.asleep) / (1 - row.asleep), cycles)),
      quantities: (...ran) =>
        policies.map((policy, i) => known(policy, ran[i]?.[0]?.toSleeper ?? Number.NaN, ...converged(row, policy))),
    })),
    tableOf: (measured) => ({
      title: `Figure 3: unfairness to one of five equal clients by how much it sleeps; ${part}`,
      columns: [
        { name: 'asleep', unit: '%', align: 'right' },
        ...CURVE_NAMES.map(value),
        ...bothOf(policies.map(value)),
        AGREE,
      ],
      rows: measured.map(({ found }) => {
        const percent = Number(found[0]?.labels[1])
        return [percent, ...curvesAt(percent / 100), ...cellsOf(found)]
      }),
      notes: note,
    }),
  }
}

export const longBursts = (runtime: Row['runtime'], cycles: number): Part =>
  figureOf(
    'bursts of 100 quanta',
    { policies: ['none', 'loan', 'system', 'adaptive'], run: LONG, runtime, cycles },
    ({ long }, policy) => [long[policy], TOLERANCE[policy]],
    [
      'Unfairness: (waited + slept) / ran * t / (T - t); 1 is fair, more is too little for the sleeper.',
      `Agree: within ${TOLERANCE.none} of the converged value (adaptive: ${TOLERANCE.adaptive}).`,
    ],
  )

export const shortBursts = (runtime: Row['runtime'], cycles: number): Part =>
  figureOf(
    'bursts of 3 quanta',
    { policies: ['none', 'loan', 'system'], run: SHORT, runtime, cycles },
    ({ short }, policy) => [short[policy], TOLERANCE.short],
    [`Agree: within ${TOLERANCE.short}, because it depends on which client is served first.`],
  )

/** The policies of the tables that the paper does not show. */
const BASIC = ['none', 'system'] as const

/** The starting times are drawn, as in the study of coscheduling, because they matter for long if jobs are equal. */
const SPREAD = 200
const HORIZON = 400_000

/** A line for each number of sleepers and policy: the unfairness to each of the five. */
export const severalSleepers = (runtime: Row['runtime']): Part => ({
  cases: SLEEPERS.flatMap(({ sleepers, tolerance, ...row }) =>
    BASIC.map((policy): Case<Row, Ran> => {
      const setting = { runtime, policy, sleepers, run: LONG, sleep: LONG }
      return {
        labels: ['several sleepers', sleepers, policy],
        rows: [{ ...setting, spread: SPREAD, cycles: 1, until: HORIZON }],
        quantities: ([ran] = []) =>
          row[policy].map((one, i) => known(`c${i + 1}`, ran?.toEach[i] ?? Number.NaN, one, tolerance)),
      }
    }),
  ),
  tableOf: lineByLine(
    [
      { name: 'sleepers', align: 'right' },
      { name: 'credit', align: 'left' },
    ],
    Array.from({ length: STANDING.total }, (_, i) => value(`c${i + 1}`)),
    {
      title: 'Unfairness to each of five equal clients; sleepers spend half of the time that they do not wait asleep',
      notes: ['Sleepers first. Their starting times matter for long, so they are drawn from 0 to 200 ms, by the seed.'],
    },
  ),
})

/** A line for each burst and policy: how soon an interactive client is served. */
export const interactive = (runtime: Row['runtime'], cycles: number): Part => ({
  cases: INTERACTIVE.flatMap((row) =>
    BASIC.map((policy): Case<Row, Ran> => {
      const near = (of: string, ours: number, expected: number): Quantity => known(of, ours, expected, expected / 10)
      return {
        labels: ['interactive', row.ran, policy],
        rows: [oneSleeper(runtime, policy, row.ran, row.slept, cycles)],
        quantities: ([ran] = []) => [
          near('first run', ran?.firstRun ?? Number.NaN, row[policy].firstRun),
          near('response', ran?.response ?? Number.NaN, row[policy].response),
        ],
      }
    }),
  ),
  tableOf: lineByLine(
    [
      { name: 'burst', unit: 'ms', align: 'right' },
      { name: 'credit', align: 'left' },
    ],
    ['first run', 'response'].map((name) => ({ name, unit: 'ms', digits: 2 })),
    {
      title: 'Service of one interactive client among four that always run (it sleeps 97.3 ms)',
      notes: [
        'From waking to the processor and to the end of the burst; agree: within a tenth. All begin at once. If the others',
        'begin up to 20 ms later, the long burst with credit first runs after 7.8 to 10.7 ms; the other values stay.',
      ],
    },
  ),
})

/** The largest difference between a policy's values and a curve, for clients that sleep less than `below`. */
function distance(found: readonly Found[], policy: Policy, curve: Curve, below = 1): number {
  const gaps = found.flatMap(({ of, labels: [, percent], ours }) => {
    const asleep = Number(percent) / 100
    if (of !== policy || !ours || asleep >= below) return []
    return [Math.abs(ours.mean - curve({ ran: 1 - asleep, slept: asleep }, STANDING))]
  })
  return Math.max(...gaps)
}

const three = (value: number) => value.toFixed(3)

/** The knee of a curve: the most time asleep, in percent, before the curve leaves 1. */
function kneeOf(curve: Curve): string {
  const percent = Array.from({ length: 999 }, (_, i) => (i + 1) / 10)
  const fair = percent.filter((x) => curve({ ran: 100 - x, slept: x }, STANDING) <= 1 + 1e-9)
  return `${fair.at(-1)} %`
}

/** The paper's statements on figure 3, with the numbers of long bursts. */
export function verdictsOf(found: readonly Found[]): Verdict[] {
  const { extra } = systemCredit({ ...STANDING, slept: 1, catchUp: 1, cap: CAP })
  const capped = systemCredit({ tickets: 1, total: 2, slept: 1, catchUp: 1, cap: CAP })
  const ours: Readonly<Record<string, string>> = {
    P4: `1 of 5 tickets gets ${three(extra)}; 1 of 2, where the formula has no value, ${three(capped.extra)} for ${three(capped.lasts)} S`,
    P5: `by formula 1 up to ${kneeOf(ideal)}; adaptive credit is ${three(distance(found, 'adaptive', ideal))} from it at most`,
    P6: `without credit at most ${three(distance(found, 'none', uncredited))} from the line`,
    P7: `loans at most ${three(distance(found, 'loan', ideal, 0.71))} from 1 up to 70 %, system credit ${three(distance(found, 'system', ideal, 0.71))}; the knee is at ${kneeOf(credited)}`,
  }
  return verdictsOn(
    FACTS,
    Object.fromEntries(Object.entries(ours).map(([id, told]) => [id, { ours: told, holds: 'settled' }])),
  )
}
