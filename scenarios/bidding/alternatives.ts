/** Malone et al. 1986, figure 7: DSP compared with eager and random assignment. */

import { wholePercent } from '../../lib/core/table.ts'
import type { Verdict } from '../study/figure.ts'
import { PROTOCOLS } from './model.ts'
import { FIGURE_7, FIGURE_7_LOAD } from './paper/figure-7.ts'
import { rowOf } from './paper/table-1.ts'
import { RETRY } from './study/cell.ts'
import { FLOW, seriesOf, sideBySide } from './study/charts.ts'
import { type Cell, type Found, figureMain } from './study/figure.ts'
import { type StudyOptions, studyFlags } from './study/flags.ts'
import { cellIn, isLower } from './study/statements.ts'

const ERRORS = ['perfect', 'gen'] as const
const CONFIGURATIONS = FIGURE_7.map(({ speeds }) => speeds.join())

/** Tasks per cell with `--quick` under eager and random with errors: these runs need more messages per task. */
const QUICK = 250

const cells = ({ quick }: StudyOptions): Cell[] =>
  FIGURE_7.flatMap(({ speeds, eager, random }) =>
    ERRORS.flatMap((errors) => {
      const dsp = rowOf(FIGURE_7_LOAD, speeds)?.converged[errors] ?? null
      const converged = { dsp, eager: eager[errors], random: random[errors] }
      return PROTOCOLS.map((protocol) => ({
        labels: [speeds.join(), errors, protocol],
        at: { speeds, load: FIGURE_7_LOAD, errors, protocol },
        converged: converged[protocol],
        paper: null,
        ...(quick && protocol !== 'dsp' && errors === 'gen' && { tasks: QUICK }),
      }))
    }),
  )

function statements(found: readonly Found[]): Verdict[] {
  const cell = cellIn(found)
  /** The configurations on which protocol `one` is better than `other`: certainly, or only within the intervals. */
  const better = (errors: string, one: string, other: string): { certain: string[]; seeming: string[] } => {
    const lower = CONFIGURATIONS.filter((at) => cell(at, errors, one).ours.mean < cell(at, errors, other).ours.mean)
    const isCertain = (at: string) => isLower(cell(at, errors, one), cell(at, errors, other))
    const named = (at: string) => `${at} (${errors})`
    return {
      certain: lower.filter(isCertain).map(named),
      seeming: lower.filter((at) => !isCertain(at)).map(named),
    }
  }
  const denied = (says: string, who: string, places: readonly { certain: string[]; seeming: string[] }[]): Verdict => {
    const certain = [...new Set(places.flatMap((place) => place.certain))]
    const seeming = [...new Set(places.flatMap((place) => place.seeming))]
    if (certain.length > 0) return { says, ours: `${who} is better on ${certain.join(' ')}`, holds: false }
    if (seeming.length === 0) return { says, ours: `${who} is better nowhere`, holds: true }
    return { says, ours: `${who} is lower, within the intervals, on ${seeming.join(' ')}`, holds: null }
  }
  const worseThanRandom = better('gen', 'random', 'eager').certain
  const price = (speeds: string, protocol: string) =>
    cell(speeds, 'gen', protocol).ours.mean / cell(speeds, 'perfect', protocol).ours.mean - 1
  const dearest = (protocol: string) => Math.max(...CONFIGURATIONS.map((speeds) => price(speeds, protocol)))
  const excess = (speeds: string) => cell(speeds, 'gen', 'eager').ours.mean / cell(speeds, 'gen', 'dsp').ours.mean - 1
  const worst = CONFIGURATIONS.toSorted((one, other) => excess(other) - excess(one))[0] ?? ''
  // the runs with errors may be too short for what is said about them
  const judged = (one: Verdict): Verdict => (found.every(({ isLong }) => isLong) ? one : { ...one, holds: null })
  return [
    judged(
      denied('DSP is at least as good as eager in all cases', 'eager', [
        better('perfect', 'eager', 'dsp'),
        better('gen', 'eager', 'dsp'),
      ]),
    ),
    denied('with perfect estimates DSP and eager are as good as random or better', 'random', [
      better('perfect', 'random', 'dsp'),
      better('perfect', 'random', 'eager'),
    ]),
    judged({
      says: 'errors cost DSP little and eager much',
      ours: `at most ${wholePercent(dearest('dsp'))} and ${wholePercent(dearest('eager'))}`,
      holds: dearest('dsp') < dearest('eager'),
    }),
    judged({
      says: 'with errors eager is worse than random in some cases',
      ours: worseThanRandom.length > 0 ? `on ${worseThanRandom.join(' ')}` : 'not for certain',
      holds: worseThanRandom.length > 0 ? true : null,
    }),
    judged({
      says: 'eager is worst with many machines and large differences of speed',
      ours: `${wholePercent(excess(worst))} worse than DSP on ${worst}`,
      holds: worst === '4,1,1,1,1' || worst === '2,1,1,1,1,1,1',
    }),
  ]
}

await figureMain({
  name: 'bidding/alternatives',
  summary: 'Figure 7 of Malone et al. 1986: mean flow times of DSP, eager and random assignment at a load of 50 %.',
  title: 'Figure 7: DSP, eager and random assignment at 50 %',
  flags: studyFlags,
  labels: [
    { name: 'speeds', align: 'left' },
    { name: 'errors', align: 'left' },
    { name: 'protocol', align: 'left' },
  ],
  notes: [
    `Random clients repeat a request every ${RETRY} units; the model repeats it continuously, which is up to 0.03 less.`,
  ],
  groupOf: ({ point }) => point.protocol,
  charts: (found) => [
    {
      name: 'figure-7',
      chart: {
        title: 'Figure 7: DSP, eager and random assignment at 50 %',
        x: sideBySide(CONFIGURATIONS),
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
