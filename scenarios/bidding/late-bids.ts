/**
 * Malone et al. 1986, figure 6: the improvement that a late bid should offer to move a task that is already running.
 */

import { choice } from '../../lib/cli/index.ts'
import { wholePercent } from '../../lib/core/table.ts'
import type { Verdict } from '../study/figure.ts'
import { FIGURE_6, FIGURE_6_SPEEDS } from './paper/figure-6.ts'
import { FLOW, seriesOf } from './study/charts.ts'
import { type Found, figureMain } from './study/figure.ts'
import { studyFlags } from './study/flags.ts'
import { flowIn } from './study/statements.ts'

const CRITERIA = [0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.75]
/** With this criterion or more, no bid of a machine of speed 4 can win a task from one of speed 1. */
const NEVER = 0.75

function statementsOf(found: readonly Found[], abort: string): Verdict[] {
  const flow = flowIn(found)
  const gain = (load: number, i0: number) => 1 - flow(load, abort, i0) / flow(load, abort, NEVER)
  const best = (load: number, among: readonly number[]) => Math.max(...among.map((i0) => gain(load, i0)))
  const where = (load: number) => CRITERIA.find((i0) => gain(load, i0) === best(load, CRITERIA))
  const isMiddle = [10, 50].every((load) => best(load, CRITERIA) - best(load, [0.4, 0.5, 0.6]) < 0.01)
  const given = `abort ${abort}: `
  return [
    {
      says: 'at 10 % any improvement at all is worth a restart',
      ours: `${given}i0 = 0 saves ${wholePercent(gain(10, 0))}`,
      holds: gain(10, 0) > 0,
    },
    {
      says: 'at 50 % that makes it slightly worse',
      ours: `${given}i0 = 0 ${gain(50, 0) > 0 ? 'saves' : 'costs'} ${wholePercent(Math.abs(gain(50, 0)))}`,
      holds: gain(50, 0) < 0 && gain(50, 0) > -0.1,
    },
    {
      says: 'the best i0 is between 0.4 and 0.6',
      ours: `${given}${where(10)} at 10 %, ${where(50)} at 50 %`,
      holds: isMiddle,
    },
    {
      says: 'at best it saves 20 to 25 % at 10 % load, and about 5 % at 50 %',
      ours: `${given}${wholePercent(best(10, CRITERIA))} and ${wholePercent(best(50, CRITERIA))}`,
      holds: best(10, CRITERIA) > 0.18 && best(10, CRITERIA) < 0.27 && isAboutFive(best(50, CRITERIA)),
    },
  ]
}

const isAboutFive = (gain: number): boolean => gain > 0.03 && gain < 0.075

await figureMain({
  name: 'bidding/late-bids',
  summary: 'Figure 6 of Malone et al. 1986: mean flow time of DSP by the improvement that moves a task to a late bid.',
  title: `Figure 6: DSP on ${FIGURE_6_SPEEDS.join()} by the criterion for late bids`,
  flags: {
    ...studyFlags,
    abort: choice({
      of: ['yes', 'no', 'both'],
      fallback: 'both',
      help: 'whether cancelling a task stops it; otherwise the machine finishes it and the work is wasted',
    }),
  },
  labels: [
    { name: 'load', unit: '%', align: 'right' },
    { name: 'abort', align: 'left' },
    { name: 'i0', align: 'right' },
  ],
  notes: [
    "The paper's formula of the improvement prints t0 where t, the present, is defined and needed.",
    'Its text fits cancelled machines that stay busy (abort no) better than machines that are free at once.',
  ],
  sizes: { quick: { light: 700, moderate: 2000 }, standard: { light: 2000, moderate: 5000 } },
  groupOf: ({ point }) => `abort ${point.abort}`,
  charts: (found) => [
    {
      name: 'figure-6',
      chart: {
        title: `Figure 6: DSP on ${FIGURE_6_SPEEDS.join()} by the criterion for late bids`,
        x: { label: 'least improvement of a winning late bid (i0)', min: 0 },
        y: FLOW,
        series: seriesOf(
          found,
          ({ point }) => `load ${100 * point.load} %, abort ${point.abort}`,
          ({ point }) => point.i0 ?? Number.NaN,
        ),
      },
    },
  ],
  cells: ({ abort }) =>
    (['yes', 'no'] as const)
      .filter((one) => abort === 'both' || abort === one)
      .flatMap((one) =>
        FIGURE_6.map(({ load, i0, freed, busy }) => ({
          labels: [100 * load, one, i0],
          at: { speeds: FIGURE_6_SPEEDS, load, i0, abort: one },
          converged: one === 'yes' ? freed : busy,
          paper: null,
        })),
      ),
  statements: (found) =>
    ['yes', 'no']
      .filter((one) => found.some(({ labels }) => labels[1] === one))
      .flatMap((one) => statementsOf(found, one)),
})
