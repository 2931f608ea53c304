/**
 * Fairness against throughput: the effects of spin limit, catch-up time, cap and quantum on jobs with tickets 1:2:3.
 */
import { fileFlag, integer, type OptionsOf, optional } from '../../lib/cli/index.ts'
import { figure as figureText, type Interval, type ResultTable } from '../../lib/core/table.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import { type Case, type Figure, meanOf } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import {
  promisesOf,
  type Ran,
  type Row,
  runner,
  seedsOf,
  slowdownOf,
  studyFlags,
  unfairness,
} from './coscheduling/study.ts'
import { DEFAULTS, type Parameters, SPINS, type Spin, spinOf } from './paper/parameters.ts'

const TICKETS = [1, 2, 3]

const SEEDS = { quick: 2, full: 2 }

const flags = {
  ...studyFlags(SEEDS, 'run 162 points instead of 27, for longer'),
  machines: optional({
    metavar: 'N',
    parse: integer({ min: 2, max: 256 }),
    help: 'machines, with one process of each job on every one (default 8, with --full 16)',
  }),
  svg: fileFlag('result', 'draw the points and their frontier (SVG)'),
}
type Options = OptionsOf<typeof flags>

interface Grid {
  readonly spin: readonly Spin[]
  readonly catchUp: readonly number[]
  readonly cap: readonly number[]
  readonly quantum: readonly number[]
}

const QUICK: Grid = {
  spin: [SPINS.block, SPINS.switches, SPINS.spread],
  catchUp: [0.5, 1, 2],
  cap: [95],
  quantum: [10, 20, 50],
}
const FULL: Grid = {
  ...QUICK,
  spin: [
    SPINS.block,
    SPINS.switch,
    SPINS.switches,
    { switches: 5, spread: 0.5 },
    SPINS.spread,
    { switches: 5, spread: 1.5 },
  ],
  cap: [80, 95, 99],
}

const pointsOf = ({ spin, catchUp, cap, quantum }: Grid, nodes: number): Parameters[] =>
  spin.flatMap((s) =>
    catchUp.flatMap((c) =>
      cap.flatMap((most) => quantum.map((q) => ({ ...DEFAULTS, nodes, spin: s, catchUp: c, cap: most, quantum: q }))),
    ),
  )

interface Found {
  readonly parameters: Parameters
  /** The largest relative error of progress against tickets, in percent. */
  readonly unfair: Interval
  readonly slowdown: Interval
}

/** Whether no other point is at least as fair and as fast, and better in one. */
const isOnFrontier = (one: Found, all: readonly Found[]): boolean =>
  !all.some(
    (other) =>
      other !== one &&
      other.unfair.mean <= one.unfair.mean &&
      other.slowdown.mean <= one.slowdown.mean &&
      (other.unfair.mean < one.unfair.mean || other.slowdown.mean < one.slowdown.mean),
  )

const isDefault = ({ parameters: { spin, catchUp, cap, quantum } }: Found) =>
  spin === DEFAULTS.spin && catchUp === DEFAULTS.catchUp && cap === DEFAULTS.cap && quantum === DEFAULTS.quantum

const spinText = (parameters: Parameters) => String(Number((spinOf(parameters) ?? Number.POSITIVE_INFINITY).toFixed(2)))

function tableOf(found: readonly Found[], frontier: readonly Found[]): ResultTable {
  return {
    columns: [
      { name: 'spin', unit: 'ms', align: 'right' },
      { name: 'catch-up', unit: 'sleeps' },
      { name: 'cap', unit: '%' },
      { name: 'quantum', unit: 'ms' },
      { name: 'unfair', unit: '%', digits: 1 },
      { name: 'slowdown', digits: 3 },
      { name: 'note', align: 'left' },
    ],
    rows: found.map((one) => {
      const { catchUp, cap, quantum } = one.parameters
      const marks = [frontier.includes(one) ? 'frontier' : '', isDefault(one) ? 'default' : '']
      return [
        spinText(one.parameters),
        catchUp,
        cap,
        quantum,
        one.unfair,
        one.slowdown,
        marks.filter(Boolean).join(', '),
      ]
    }),
  }
}

function chartOf(found: readonly Found[], frontier: readonly Found[]): Chart {
  const spot = ({ slowdown, unfair }: Found) => ({ x: slowdown.mean, y: unfair.mean })
  const spins = [...new Set(found.map(({ parameters }) => spinText(parameters)))]
  return {
    title: 'Tickets 1:2:3: fairness against throughput',
    x: { label: 'slowdown against gang scheduling' },
    y: { label: 'largest relative error of progress', unit: '%', min: 0 },
    series: [
      ...spins.map((spin) => ({
        name: `spin ${spin} ms`,
        line: false,
        points: found.filter(({ parameters }) => spinText(parameters) === spin).map(spot),
      })),
      { name: 'frontier', points: frontier.map(spot) },
    ],
  }
}

/** Whether other settings are both fairer and faster than the default. */
function answerOf(found: readonly Found[]): string[] {
  const own = found.find(isDefault)
  if (!own) return []
  const better = found.filter(
    ({ unfair, slowdown }) => unfair.mean < own.unfair.mean && slowdown.mean < own.slowdown.mean,
  )
  return [
    `The default has a slowdown of ${figureText(own.slowdown.mean, 3)} and misses the ratio of the tickets by ${figureText(own.unfair.mean, 1)} %; ${better.length} of ${found.length - 1} other settings are both faster and fairer, by these means.`,
  ]
}

interface Point extends Case<Row, Ran> {
  readonly parameters: Parameters
}

const figure: Figure<Options, Row, Ran, Point> = {
  name: 'shares/frontier',
  summary: 'Fairness and throughput of implicit coscheduling over spin limit, catch-up time, cap and quantum.',
  usage: 'Without flags: 27 points with two runs each; --full runs more.',
  flags,
  runner,
  plan: (options) => {
    const { full, runtime } = options
    const { machines = full ? 16 : 8, warmUp = full ? 2000 : 1000, measure = full ? 10_000 : 5000 } = options
    const seeds = seedsOf(options, SEEDS)
    return {
      about: `${seeds.length} seeds on ${machines} machines`,
      cases: pointsOf(full ? FULL : QUICK, machines).map((parameters) => ({
        labels: [spinText(parameters), parameters.catchUp, parameters.cap, parameters.quantum],
        rows: [{ parameters, runtime, warmUp, measure, tickets: TICKETS, scheduler: 'implicit', servers: false }],
        seeds,
        parameters,
        quantities: () => [],
      })),
      show: (measured) => {
        const found = measured
          .flatMap(({ case: { parameters }, ran: [ran = []] }): Found[] => {
            const [unfair, slowdown] = [meanOf(ran, unfairness(TICKETS)), meanOf(ran, slowdownOf)]
            return unfair && slowdown ? [{ parameters, unfair, slowdown }] : []
          })
          .toSorted((one, other) => one.slowdown.mean - other.slowdown.mean)
        const frontier = found.filter((one) => isOnFrontier(one, found))
        const shown = found.filter((one) => frontier.includes(one) || isDefault(one))
        return {
          tables: [
            {
              ...tableOf(shown, frontier),
              title: `The frontier of ${found.length} points on ${machines} machines, and the default`,
              notes: [
                `mean of ${seeds.length} seeds ± 95 %, ${measure} ms of the model after ${warmUp}; unfair: largest relative error of 1:2:3`,
              ],
            },
          ],
          values: tableOf(found, frontier),
          answer: answerOf(found),
          charts: [{ name: 'frontier', chart: chartOf(found, frontier) }],
          ...promisesOf(measured),
        }
      },
    }
  },
}

await figureMain(figure)
