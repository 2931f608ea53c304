/** Malone et al. 1986, figure 7: DSP beside eager and random assignment. */

import { FIGURE_7, FIGURE_7_LOAD } from './paper/figure-7.ts'
import { rowOf } from './paper/table-1.ts'
import { PROTOCOLS } from './run.ts'
import { RETRY } from './study/cell.ts'
import { FLOW, seriesOf } from './study/charts.ts'
import { studyFlags } from './study/flags.ts'
import { studyMain } from './study/main.ts'
import { cellIn, isLower, percent, type Statement } from './study/statements.ts'
import type { Cell, Found } from './study/study.ts'

const ERRORS = ['perfect', 'gen'] as const
const CONFIGURATIONS = FIGURE_7.map(({ speeds }) => speeds.join())

const cells = (): Cell[] =>
  FIGURE_7.flatMap(({ speeds, eager, random }) =>
    ERRORS.flatMap((errors) => {
      const dsp = rowOf(FIGURE_7_LOAD, speeds)?.converged[errors] ?? null
      const converged = { dsp, eager: eager[errors], random: random[errors] }
      return PROTOCOLS.map((protocol) => ({
        labels: [speeds.join(), errors, protocol],
        at: { speeds, load: FIGURE_7_LOAD, errors, protocol },
        converged: converged[protocol],
        paper: null,
      }))
    }),
  )

function statements(found: readonly Found[]): Statement[] {
  const cell = cellIn(found)
  const where = (errors: string, lower: string, higher: string) =>
    CONFIGURATIONS.filter((speeds) => isLower(cell(speeds, errors, lower), cell(speeds, errors, higher))).map(
      (speeds) => `${speeds} (${errors})`,
    )
  const listed = (places: readonly string[]) => (places.length > 0 ? `on ${places.join(' ')}` : 'nowhere')
  const eagerWins = [...where('perfect', 'eager', 'dsp'), ...where('gen', 'eager', 'dsp')]
  const randomWins = [...new Set(['dsp', 'eager'].flatMap((one) => where('perfect', 'random', one)))]
  const price = (speeds: string, protocol: string) =>
    cell(speeds, 'gen', protocol).ours.mean / cell(speeds, 'perfect', protocol).ours.mean - 1
  const dearest = (protocol: string, among = CONFIGURATIONS) => Math.max(...among.map((one) => price(one, protocol)))
  const excess = (speeds: string) => cell(speeds, 'gen', 'eager').ours.mean / cell(speeds, 'gen', 'dsp').ours.mean - 1
  const worst = CONFIGURATIONS.toSorted((one, other) => excess(other) - excess(one))[0] ?? ''
  return [
    {
      paper: 'DSP is at least as good as eager in all cases',
      ours: `eager is better ${listed(eagerWins)}`,
      holds: eagerWins.length === 0,
    },
    {
      paper: 'with perfect estimates DSP and eager are as good as random or better',
      ours: `random is better ${listed(randomWins)}`,
      holds: randomWins.length === 0,
    },
    {
      paper: 'errors cost DSP little and eager much',
      ours: `at most ${percent(dearest('dsp'))} and ${percent(dearest('eager'))}`,
      holds: dearest('dsp') < dearest('eager'),
    },
    {
      paper: 'with errors eager is worse than random in some cases',
      ours: listed(where('gen', 'random', 'eager')),
      holds: where('gen', 'random', 'eager').length > 0,
    },
    {
      paper: 'eager is worst with many machines and large differences of speed',
      ours: `${percent(excess(worst))} worse than DSP on ${worst}`,
      holds: worst === '4,1,1,1,1' || worst === '2,1,1,1,1,1,1',
    },
  ]
}

await studyMain({
  name: 'bidding/alternatives',
  summary: 'Figure 7 of Malone et al. 1986: mean flow times of DSP, eager and random assignment at a load of 50 %.',
  title: 'Figure 7: DSP, eager and random assignment at 50 %',
  flags: studyFlags,
  labels: [
    { name: 'speeds', align: 'left' },
    { name: 'errors', align: 'left' },
    { name: 'protocol', align: 'left' },
  ],
  notes: [`Random clients ask again every ${RETRY} units; the model asks all the time, which is up to 0.03 less.`],
  charts: (found) => [
    {
      name: 'figure-7',
      chart: {
        title: 'Figure 7: DSP, eager and random assignment at 50 %',
        x: {
          label: CONFIGURATIONS.map((speeds, i) => `${i + 1}: ${speeds.replaceAll(',', '')}`).join('  '),
          min: 1,
          max: 10,
        },
        y: FLOW,
        series: seriesOf(
          found,
          ({ point }) => `${point.protocol}, errors ${point.errors}`,
          ({ point }) => CONFIGURATIONS.indexOf(point.speeds.join()) + 1,
        ),
      },
    },
  ],
  cells,
  statements,
})
