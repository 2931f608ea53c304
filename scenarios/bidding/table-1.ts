/** Malone et al. 1986, Table 1 (and figures 2 and 3): DSP by load, speeds and errors of the estimates. */

import { wholePercent } from '../../lib/core/table.ts'
import { ERROR_MODELS, type ErrorModel } from '../../lib/workload/generate.ts'
import type { Drawing, Verdict } from '../study/figure.ts'
import { knownOf, optimalOf, type Row, TABLE_1 } from './paper/table-1.ts'
import { FLOW, seriesOf, sideBySide } from './study/charts.ts'
import { type Found, figureMain } from './study/figure.ts'
import { studyFlags } from './study/flags.ts'
import { flowIn, ifLong, isAbout } from './study/statements.ts'

const cellOf = (row: Row, errors: ErrorModel) => ({
  labels: [100 * row.load, errors, row.speeds.join()],
  at: { speeds: row.speeds, load: row.load, errors },
  converged: row.converged[errors],
  paper: errors === 'perfect' ? row.paper.perfect : row.paper.errors,
  beside: [optimalOf(row)],
  known: knownOf(row, errors),
})

const CONFIGURATIONS = [...new Set(TABLE_1.map(({ speeds }) => speeds.join()))]

const charts = (found: readonly Found[]): Drawing[] => [
  {
    name: 'figure-2',
    chart: {
      title: 'Figure 2: DSP on 4,1,1,1,1',
      x: { label: 'load', unit: '%', min: 0, max: 100 },
      y: FLOW,
      series: seriesOf(
        found.filter(({ labels }) => labels[2] === '4,1,1,1,1'),
        ({ point }) => `errors ${point.errors}`,
        ({ point }) => 100 * point.load,
      ),
    },
  },
  {
    name: 'figure-3',
    chart: {
      title: 'Figure 3: DSP at 50 %',
      x: sideBySide(CONFIGURATIONS),
      y: FLOW,
      series: seriesOf(
        found.filter(({ point }) => point.load === 0.5),
        ({ point }) => `errors ${point.errors}`,
        ({ point }) => CONFIGURATIONS.indexOf(point.speeds.join()) + 1,
      ),
    },
  },
]

const ALIKE = ['8', '4,4', '2,2,2,2', '1,1,1,1,1,1,1,1']

function statements(found: readonly Found[]): Verdict[] {
  const flow = flowIn(found)
  const price = (load: number, speeds: string) => flow(load, 'gen', speeds) / flow(load, 'perfect', speeds) - 1
  const dearest = TABLE_1.map(({ load, speeds }) => ({ load: 100 * load, speeds: speeds.join() })).reduce(
    (one, other) => (price(other.load, other.speeds) > price(one.load, one.speeds) ? other : one),
  )
  const most = price(dearest.load, dearest.speeds)
  const machines = flow(50, 'perfect', '2,2,2,2') / flow(50, 'perfect', '8')
  const range = 1 - flow(50, 'perfect', '4,2,1,1') / flow(50, 'perfect', '2,2,2,2')
  const gains = TABLE_1.filter(({ load, speeds }) => load === 0.9 && ALIKE.includes(speeds.join())).map(
    (row) => 1 - flow(90, 'perfect', row.speeds.join()) / optimalOf(row),
  )
  return [
    {
      says: 'errors of 100 % cost at most about 15 %',
      ours: `${wholePercent(most)} (${dearest.speeds} at ${dearest.load} %); its own table has 27 % (8 at 90 %)`,
      holds: ifLong(found, isAbout(most, 0.15)),
    },
    {
      says: 'from 1 to 4 machines a factor of about 3',
      ours: `${machines.toFixed(2)} (8 and 2,2,2,2 at 50 %); its own table has 2.56`,
      holds: isAbout(machines, 3),
    },
    {
      says: 'a range of speeds of 4 makes about 12 %',
      ours: `${wholePercent(range)} (2,2,2,2 and 4,2,1,1 at 50 %)`,
      holds: isAbout(range, 0.12),
    },
    {
      says: 'much better than optimal assignment where speeds are alike',
      ours: `${wholePercent(Math.min(...gains))} to ${wholePercent(Math.max(...gains))} less at 90 %`,
      holds: ifLong(found, Math.min(...gains) > 0.1),
    },
  ]
}

await figureMain({
  name: 'bidding/table-1',
  summary: 'Table 1 of Malone et al. 1986: mean flow times of DSP by load, machines and quality of the estimates.',
  title: 'Table 1: DSP by load, errors of the estimates and speeds',
  flags: studyFlags,
  labels: [
    { name: 'load', unit: '%', align: 'right' },
    { name: 'errors', align: 'left' },
    { name: 'speeds', align: 'left' },
  ],
  beside: [{ name: 'optimal assignment', unit: 'units', digits: 2 }],
  notes: [
    'Errors: gen and mult are two readings of "100 %", compared with the same printed column; gen is the one that fits.',
    'Optimal assignment, by formula: tasks in the order of arrival that move to the fastest machines for free. The text',
    'announces its queue length too, but prints the flow time alone.',
  ],
  cells: () => TABLE_1.flatMap((row) => ERROR_MODELS.map((errors) => cellOf(row, errors))),
  groupOf: ({ point }) => point.errors,
  charts,
  statements,
})
