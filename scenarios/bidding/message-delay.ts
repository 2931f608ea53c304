/** Malone et al. 1986, figure 5: DSP by message delay, compared with machines that serve only their own tasks. */

import { wholePercent } from '../../lib/core/table.ts'
import type { Drawing, Verdict } from '../study/figure.ts'
import { FIGURE_5, localOf } from './paper/figure-5.ts'
import { speedsOf } from './paper/means.ts'
import { FLOW, levelOf, seriesOf } from './study/charts.ts'
import { type Found, figureMain } from './study/figure.ts'
import { studyFlags } from './study/flags.ts'
import { flowIn } from './study/statements.ts'

const DELAYS = [0, 5, 10, 15, 20]
const CONFIGURATIONS = ['4,4', '4,1,1,1,1', '1,1,1,1,1,1,1,1']

/** The delay, in percent, where flow times that grow with the delay pass `level`; null if they do not. */
function crossing(flows: readonly number[], level: number): number | null {
  const after = flows.findIndex((flow) => flow > level)
  const [before = 0, beyond = 0] = [flows[after - 1], flows[after]]
  const [from = 0, to = 0] = [DELAYS[after - 1], DELAYS[after]]
  return after < 1 ? null : from + ((to - from) * (level - before)) / (beyond - before)
}

const charts = (found: readonly Found[]): Drawing[] =>
  [0.1, 0.5].map((load) => {
    const own = found.filter(({ point }) => point.load === load)
    const configurations = [...new Set(own.map(({ point }) => point.speeds.join()))]
    const locals = configurations.map((speeds) =>
      levelOf(`${speeds} local`, localOf({ load, speeds: speedsOf(speeds) }), 0, 20),
    )
    return {
      name: `figure-5-load-${100 * load}`,
      chart: {
        title: `Figure 5: DSP by message delay, and local processing, at ${100 * load} %`,
        x: { label: 'delay of a message', unit: '% of the mean execution', min: 0 },
        y: FLOW,
        series: [
          ...seriesOf(
            own,
            ({ point }) => point.speeds.join(),
            ({ labels }) => Number(labels[2]),
          ),
          ...locals,
        ],
      },
    }
  })

function statements(found: readonly Found[]): Verdict[] {
  const flow = flowIn(found)
  const curve = (load: number, speeds: string) => DELAYS.map((delay) => flow(load, speeds, delay))
  const bends = [10, 50].flatMap((load) =>
    CONFIGURATIONS.map((speeds) => {
      const [start = 0, , middle = 0, , end = 0] = curve(load, speeds)
      return Math.abs((2 * middle) / (start + end) - 1)
    }),
  )
  const [none = 0, , , , most = 0] = curve(50, '1,1,1,1,1,1,1,1')
  const [many, two] = ['1,1,1,1,1,1,1,1', '4,4'].map((speeds) =>
    crossing(curve(50, speeds), localOf({ load: 0.5, speeds: speedsOf(speeds) })),
  )
  const at = (where: number | null | undefined) =>
    where == null ? 'beyond 20 %' : `at a delay of ${where.toFixed(1)} %`
  return [
    {
      says: 'flow time is quite linear in the delay',
      ours: `half-way at most ${wholePercent(Math.max(...bends))} off the straight line`,
      holds: Math.max(...bends) < 0.05,
    },
    {
      says: 'a delay costs less than four messages, since requests travel while machines are busy',
      ours: `${(most - none).toFixed(1)} for 4 times 12 (eight machines at 50 %): free machines waste time on bids`,
      holds: most - none < 48,
    },
    {
      says: 'with many machines at 50 % the network beats local processing beyond a delay of 20 %',
      ours: `they are equal ${at(many)}; with four messages and the paper's numbers, at 17 % at most`,
      holds: many === null,
    },
    {
      says: 'with two machines at 50 % it does so up to about 5 %',
      ours: `they are equal ${at(two)}`,
      holds: two !== null && two !== undefined && two > 4 && two < 10,
    },
  ]
}

await figureMain({
  name: 'bidding/message-delay',
  summary: 'Figure 5 of Malone et al. 1986: mean flow time of DSP by message delay, compared with local processing.',
  title: 'Figure 5: DSP by message delay',
  flags: studyFlags,
  labels: [
    { name: 'load', unit: '%', align: 'right' },
    { name: 'speeds', align: 'left' },
    { name: 'delay', unit: '%', align: 'right' },
  ],
  beside: [{ name: 'local', unit: 'units', digits: 2 }],
  notes: [
    'Delay of each message, in percent of the mean execution on a machine of mean speed. A task that finds its machine taken',
    'waits there (hold). Local: every machine serves its own tasks, shortest first (exact).',
  ],
  sizes: { quick: { light: 700, moderate: 2000 }, standard: { light: 1500, moderate: 4000 } },
  charts,
  cells: () =>
    FIGURE_5.map((point) => ({
      labels: [100 * point.load, point.speeds.join(), point.percent],
      at: { speeds: point.speeds, load: point.load, delay: point.delay },
      converged: point.converged,
      paper: null,
      beside: [localOf(point)],
    })),
  statements,
})
