/** Malone et al. 1986, figure 4: flow time by the number of machines at a constant load. */

import { wholePercent } from '../../lib/core/table.ts'
import type { Verdict } from '../study/figure.ts'
import { FIGURE_4 } from './paper/table-2.ts'
import { FLOW, seriesOf } from './study/charts.ts'
import { type Found, figureMain } from './study/figure.ts'
import { studyFlags } from './study/flags.ts'
import { flowIn, ifLong } from './study/statements.ts'

function statements(found: readonly Found[]): Verdict[] {
  const flow = flowIn(found)
  const light = 1 - flow(10, 8) / flow(10, 1)
  const moderate = 1 - flow(50, 32) / flow(50, 4)
  const heavy = (flow(90, 1) - flow(90, 8)) / (flow(90, 1) - flow(90, 32))
  return [
    {
      says: 'at 10 % adding machines gains essentially nothing',
      ours: `8 machines save ${wholePercent(light)} of the flow time of one`,
      holds: light < 0.05,
    },
    {
      says: 'at 50 % very little is gained beyond 4 machines',
      ours: `32 machines save ${wholePercent(moderate)} of the flow time of 4`,
      holds: moderate < 0.1,
    },
    {
      says: 'at 90 % 8 machines gain most of what there is to gain',
      ours: `${wholePercent(heavy)} of what 32 machines gain`,
      holds: ifLong(found, heavy > 0.8),
    },
  ]
}

await figureMain({
  name: 'bidding/network-size',
  summary:
    'Figure 4 of Malone et al. 1986: mean flow time of DSP by the number of machines of speed 1 at constant loads.',
  title: 'Figure 4: machines of speed 1 under DSP',
  flags: studyFlags,
  labels: [
    { name: 'load', unit: '%', align: 'right' },
    { name: 'machines', align: 'right' },
  ],
  sizes: {
    quick: { light: 500, moderate: 1500, heavy: 3500 },
    standard: { light: 1000, moderate: 2000, heavy: 6000 },
  },
  charts: (found) => [
    {
      name: 'figure-4',
      chart: {
        title: 'Figure 4: machines of speed 1 under DSP',
        x: { label: 'machines', min: 0 },
        y: FLOW,
        series: seriesOf(
          found,
          ({ point }) => `load ${100 * point.load} %`,
          ({ point }) => point.speeds.length,
        ),
      },
    },
  ],
  cells: () =>
    FIGURE_4.map(({ machines, load, paper, converged, known }) => ({
      labels: [100 * load, machines],
      at: { speeds: Array.from({ length: machines }, () => 1), load },
      converged,
      paper: paper?.spt ?? null,
      known,
    })),
  statements,
})
