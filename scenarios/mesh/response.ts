/**
 * McCann 1994, figures 5.8 to 5.11: response times of short and long jobs by policy, and by the limit on running jobs.
 */
import type { Chart } from '../../lib/experiment/chart.ts'
import { type Found, rankedText } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { seriesOf } from '../study/series.ts'
import { figureOf } from '../study/sized.ts'
import { CASES, type Row } from './response/cases.ts'
import { CLAIMS, verdicts } from './response/claims.ts'
import { FULL_JOBS, type ResponseOptions, responseFlags } from './response/flags.ts'
import { type Point, type Ran, ranOf } from './response/point.ts'

type Sized = Omit<Point, 'seed'>

const responseFigure = figureOf<ResponseOptions, Row, Sized, Ran>({
  runner: {
    module: new URL('./response/point.ts', import.meta.url),
    // rough cost: jobs, rotations and swaps
    costOf: ({ jobs, policy, interval, overhead, limit }) =>
      jobs * ((policy === 'fold' ? 3 : 1) + (interval === null ? 0 : 6) + (overhead === null ? 0 : 20 / (limit ?? 1))),
    ranOf,
  },
  claims: CLAIMS,
  flags: responseFlags,
  seeds: { quick: 1, full: 1 },
  sizes: { quick: 2000, full: FULL_JOBS },
  sizeOf: ({ jobs }) => jobs,
  sized: (row, jobs) => ({ ...row, jobs }),
  precision: {
    ours: '± 90 %, by 40 batches of each run',
    tolerance: 'twice the root of the sum of squares of both half-widths at 90 %',
  },
  print: (jobs) => `${jobs} jobs without the first 5 %`,
})

/** The chart of the rows without FCFS, whose values would stretch the axis too far. */
function byShare(found: readonly Found[], of: string, title: string): Chart {
  const some = found.filter(
    (one) => one.of === of && one.labels[2] === 'none' && one.labels[4] === 'free' && one.ours !== null,
  )
  return {
    title,
    x: { label: 'share of short jobs', min: 0, max: 1 },
    y: { label: 'seconds', min: 0 },
    series: [...new Set(some.map(({ labels: [name] }) => String(name)))].map((name) =>
      seriesOf(
        name,
        some.filter(({ labels }) => labels[0] === name),
        ({ labels }) => Number(labels[1]),
      ),
    ),
  }
}

function byLimit(found: readonly Found[], short: number): Chart {
  const some = found.filter((one) => one.of === 'all' && one.labels[1] === short && one.labels[3] !== '-')
  const nameOf = ({ labels: [name, , , overhead] }: Found) => `${name}, ${overhead}`
  return {
    title: `Mean response by limit, ${short} of the jobs short`,
    x: { label: 'limit', min: 0 },
    y: { label: 'seconds' },
    series: [...new Set(some.map(nameOf))].map((name) =>
      seriesOf(
        name,
        some.filter((one) => nameOf(one) === name),
        ({ labels }) => Number(labels[2]),
      ),
    ),
  }
}

/** The rows of a short study: those that decide on the statements of the thesis, and similar ones. */
const QUICK = [
  ...['FOLD none -', 'FOLD 50 none -', 'FOLD 15J none -', 'FOLD 1 1 %', 'FCFS 1 -'],
  ...['EQUI random none -', 'EQUI+ random none -', 'EQUI+ arrival none -', 'EQUI+ random 2 1 %'],
]

await figureMain(
  responseFigure({
    name: 'mesh/response',
    summary:
      'Response times of short and long jobs under EQUI, EQUI+, folding and FCFS, by policy and by limit (McCann 1994, figures 5.8 to 5.11).',
    title: 'Response in seconds and over the time alone, at load 0.5 (processor sharing: twice the time alone)',
    labels: [
      { name: 'policy', align: 'left' },
      { name: 'short' },
      { name: 'limit' },
      { name: 'swaps' },
      { name: 'moving', align: 'left' },
    ],
    cases: CASES,
    isQuick: ({ labels: [name, short, limit, swaps, moving] }) =>
      QUICK.includes(`${name} ${limit} ${swaps}`) && short === 0.5 && moving === 'free',
    charts: (found) => [
      { name: 'short', chart: byShare(found, 'short', 'Response of short jobs, by the share of short jobs') },
      { name: 'long', chart: byShare(found, 'long', 'Response of long jobs, by the share of short jobs') },
      ...[0.5, 0.9].map((short) => ({ name: `limit-${short}`, chart: byLimit(found, short) })),
    ],
    answer: (find) =>
      rankedText(
        'Mean response of all jobs, half of them short, in seconds',
        [...new Set(CASES.map(({ labels }) => labels))].flatMap(([name = '', short, limit = '', swaps = '', moving]) =>
          QUICK.includes(`${name} ${limit} ${swaps}`) && short === 0.5 && moving === 'free'
            ? [
                {
                  name: `under ${name}${limit === 'none' ? '' : `, at most ${limit} at a time`}`,
                  value: find('all', name, short, limit, swaps, moving),
                },
              ]
            : [],
        ),
        { better: 'less', digits: 1 },
      ),
    verdicts,
  }),
)
