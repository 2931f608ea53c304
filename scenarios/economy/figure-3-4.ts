/** Stoica et al. 1995, figures 3 and 4: response, and response over service, by load and policy. */

import { type ResultTable, rounded } from '../../lib/core/table.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import {
  type Find,
  type Found,
  holdsOf,
  meanOf,
  over,
  type Quantity,
  rankedText,
  ratioOf,
  type Verdict,
} from '../study/figure.ts'
import { seriesOf } from '../study/series.ts'
import {
  CHARGED,
  ECON_OVER_RES,
  FCFS_BY_HORIZON,
  FIGURES_3_4,
  MEASURES,
  type Measure,
  type Point as PaperPoint,
  POLICIES,
  type Policy,
  UNCHARGED,
} from './paper/figures-3-4.ts'
import { OVER_RES } from './paper/printed.ts'
import { type Case, figureMain, type Row } from './study/main.ts'
import { type Ran, STANDARD } from './study/point.ts'

const ROWS: Readonly<Record<Policy, Omit<Row, 'load'>>> = {
  FCFS: { ...STANDARD, policy: 'FCFS' },
  RES: { ...STANDARD, policy: 'RES' },
  'ECON/paper': { ...STANDARD, preset: 'paper' },
  'ECON/literal': { ...STANDARD, preset: 'literal' },
}

const OVER = ' / RES'

/** Quantities until the last arrival. Without a steady state the choice of the jobs that count matters. */
const untilTheLastArrival = (own: readonly Ran[]): Quantity[] => [
  {
    of: 'S until the last arrival',
    converged: FCFS_BY_HORIZON.S,
    paper: null,
    ours: meanOf(own, (one) => one.earlyS),
  },
  {
    of: 'utilisation until the last arrival',
    converged: FCFS_BY_HORIZON.utilisation,
    paper: null,
    ours: meanOf(own, (one) => one.earlyUtilisation),
  },
]

function caseOf({ load, policy, means, utilisation }: PaperPoint): Case {
  const converged = ECON_OVER_RES.find((one) => one.load === load && `ECON/${one.preset}` === policy)
  const isPrinted = load === 0.9 && policy === 'ECON/paper'
  return {
    labels: [load, policy],
    load,
    rows: [
      { ...ROWS[policy], load },
      { ...ROWS.RES, load },
    ],
    quantities: (own = [], res = []) => [
      ...MEASURES.map(
        (of): Quantity => ({ of, ours: meanOf(own, (one) => one[of]), converged: means[of], paper: null }),
      ),
      {
        of: 'utilisation',
        converged: utilisation,
        paper: null,
        ours: meanOf(own, (one) => one.utilisation),
      },
      ...(policy === 'FCFS' && load === FCFS_BY_HORIZON.load ? untilTheLastArrival(own) : []),
      ...(converged
        ? MEASURES.map(
            (of): Quantity => ({
              of: `${of}${OVER}`,
              ours: ratioOf(own, res, (one) => one[of]),
              converged: converged.ratios[of],
              paper: isPrinted && of === 'S' ? `< ${OVER_RES}` : null,
            }),
          )
        : []),
    ],
  }
}

const loadOf = ({ labels: [load] }: Found): number => Number(load)
const loadsOf = (found: readonly Found[]): number[] => [...new Set(found.map(loadOf))]

/** A table of the policies side by side. Its last column names those that disagree with the converged values. */
function byPolicy(found: readonly Found[], of: Measure, title: string): ResultTable {
  const policies = POLICIES.filter((policy) => found.some(({ labels }) => labels[1] === policy))
  return {
    title,
    columns: [
      { name: 'load' },
      ...policies.flatMap((policy) => [
        { name: policy, digits: 2 },
        { name: `converged ${policy}`, digits: 2 },
      ]),
      { name: 'disagree', align: 'left' },
    ],
    rows: loadsOf(found).map((load) => {
      const own = found.filter((one) => loadOf(one) === load && one.of === of)
      const at = policies.map((policy) => own.find(({ labels }) => labels[1] === policy))
      return [
        String(load),
        ...at.flatMap((one) => [one?.ours ?? null, one?.converged?.value ?? null]),
        own
          .filter(({ agrees }) => agrees === false)
          .map(({ labels }) => labels[1])
          .join(', '),
      ]
    }),
  }
}

/** A table of ECON over RES for all jobs and by class: measured and converged. */
function ratios(found: readonly Found[], measures: readonly Measure[], title: string): ResultTable {
  const presets = POLICIES.filter((policy) => found.some((one) => one.labels[1] === policy && one.of.endsWith(OVER)))
  return {
    title,
    columns: [
      { name: 'load' },
      { name: 'policy', align: 'left' },
      ...measures.flatMap((of) => [
        { name: of, digits: 3 },
        { name: `converged ${of}`, digits: 3 },
      ]),
      { name: 'disagree', align: 'left' },
    ],
    rows: loadsOf(found).flatMap((load) =>
      presets.map((policy) => {
        const own = measures.map((of) =>
          found.find((one) => loadOf(one) === load && one.labels[1] === policy && one.of === `${of}${OVER}`),
        )
        return [
          ...[String(load), policy, ...own.flatMap((one) => [one?.ours ?? null, one?.converged?.value ?? null])],
          own.flatMap((one) => (one?.agrees === false ? [one.of] : [])).join(', '),
        ]
      }),
    ),
  }
}

const chartOf = (found: readonly Found[], of: Measure, title: string, label: string, above: number): Chart => ({
  title,
  x: { label: 'load', min: 0, max: 1 },
  // beyond 0.7 FCFS would stretch the axis too far
  y: { label, min: 0, cut: { above } },
  series: POLICIES.map((policy) =>
    seriesOf(
      policy,
      found.filter((one) => one.of === of && one.labels[1] === policy),
      loadOf,
    ),
  ),
})

const POLICIES_SHOWN = ['FCFS', 'RES', 'ECON/paper', 'ECON/literal']

const shown = (value: number | null) => rounded(value, 3)

function verdicts(find: Find): Verdict[] {
  const S = (load: number, policy: Policy) => find('S', load, policy)
  const ratio = (of: Measure, load: number) => find(`${of}${OVER}`, load, 'ECON/paper')
  const behind = over(S(0.3, 'FCFS'), S(0.3, 'RES'))
  const rise = over(S(0.7, 'FCFS'), S(0.3, 'FCFS'))
  const riseOfRes = over(S(0.7, 'RES'), S(0.3, 'RES'))
  const from = ratio('S', 0.4)
  const to = ratio('S', 0.9)
  const gains = (['S1', 'S2', 'S3'] as const).map((of) => ratio(of, 0.9))
  const [first = null, second = null, third = null] = gains
  const slowdown = ratio('U', 0.9)
  return [
    {
      says: 'up to load 0.3 the policies are alike',
      ours: `FCFS over RES at 0.3: ${shown(behind)}; ECON over RES ${shown(ratio('S', 0.3))}`,
      holds: holdsOf([behind], Math.abs((behind ?? 0) - 1) < 0.1),
    },
    {
      says: 'the response of FCFS rises sharply from 0.3 on',
      ours: `from 0.3 to 0.7 by a factor of ${shown(rise)}, of RES ${shown(riseOfRes)}`,
      holds: holdsOf([rise, riseOfRes], (rise ?? 0) > 2 * (riseOfRes ?? 0)),
    },
    {
      says: 'ECON is ahead of RES from 0.4 on, by more than 34 % at 0.9',
      ours: `ECON over RES ${shown(from)} at 0.4, ${shown(to)} at 0.9 (literal ${shown(find(`S${OVER}`, 0.9, 'ECON/literal'))})`,
      holds: holdsOf([from, to], (from ?? 1) < 1 && (to ?? 1) < OVER_RES),
    },
    {
      says: 'classes 1 and 2 gain most',
      ours: `ECON over RES by class at 0.9: ${gains.map(shown).join(', ')}`,
      holds: holdsOf(gains, Math.max(first ?? 1, second ?? 1) < (third ?? 0)),
    },
    {
      says: 'small jobs gain because wasted time is charged for',
      ours: `converged: ECON over RES ${shown(CHARGED)} with that charge, ${shown(UNCHARGED)} without`,
      holds: false,
    },
    {
      says: 'for response over service the advantage is greater still',
      ours: `ECON over RES at 0.9: U ${shown(slowdown)}, S ${shown(to)}`,
      holds: holdsOf([slowdown, to], (slowdown ?? 1) < (to ?? 0)),
    },
  ]
}

await figureMain({
  name: 'economy/figure-3-4',
  summary:
    'Figures 3 and 4 of Stoica et al. 1995: mean response, and response over service, of FCFS, RES and ECON by load.',
  title: 'Figures 3 and 4',
  labels: [
    { name: 'load', align: 'right' },
    { name: 'policy', align: 'left' },
  ],
  answer: (find) =>
    rankedText(
      'Mean response at a load of 0.9, in minutes',
      POLICIES_SHOWN.map((policy) => ({ name: `under ${policy}`, value: find('S', 0.9, policy) })),
      { better: 'less' },
    ),
  cases: FIGURES_3_4.map(caseOf),
  isQuick: ({ load }) => load === 0.4 || load === 0.9,
  shown: (found) => [
    byPolicy(found, 'S', 'Figure 3: mean response S, in minutes'),
    byPolicy(found, 'U', 'Figure 4: mean response over service, U'),
    ratios(found, ['S', 'S1', 'S2', 'S3'], 'Response of ECON over that of RES, all jobs and classes 1 to 3'),
    ratios(
      found,
      ['U', 'U1', 'U2', 'U3'],
      'Response over service of ECON over that of RES, all jobs and classes 1 to 3',
    ),
  ],
  charts: (found) => [
    { name: 'figure-3', chart: chartOf(found, 'S', 'Figure 3: mean response by load', 'minutes', 700) },
    {
      name: 'figure-4',
      chart: chartOf(found, 'U', 'Figure 4: mean response over service by load', 'response / service', 70),
    },
  ],
  verdicts,
})
