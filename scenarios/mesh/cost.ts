/** The cost of an arrival, a departure and a rotation: messages by number of jobs. */
import { meshText } from '../../actors/mesh/mesh.ts'
import { integer, type OptionsOf, seedFlags, value } from '../../lib/cli/index.ts'
import { figure as figureText, plainOf, type ResultTable } from '../../lib/core/table.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import type { Figure } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { reportFlags, sweepFlags } from '../sweep-flags.ts'
import { type Costs, ROTATIONS, type Row, runner } from './cost/point.ts'
import { jobsOn, meshParser } from './model-flags.ts'

const flags = {
  ...seedFlags,
  mesh: value({
    metavar: 'RxC',
    fallback: '16x16',
    parse: meshParser,
    help: 'rows and columns of processors, powers of two',
  }),
  jobs: value({
    metavar: 'N',
    fallback: '32',
    parse: integer({ min: 1, max: 256 }),
    help: 'numbers of jobs from 1 to N',
  }),
  ...sweepFlags,
  ...reportFlags,
}

type Options = OptionsOf<typeof flags>

const COLUMNS = ['EQUI arrival', 'EQUI departure', 'FOLD arrival', 'FOLD departure', 'FOLD rotation'] as const

/** The messages of each column, by number of jobs. */
const countsOf = (equi?: Costs, fold?: Costs) =>
  [equi?.arrival, equi?.departure, fold?.arrival, fold?.departure, fold?.rotation].map((of) => of ?? [])

const chartOf = ({ mesh }: Options, equi?: Costs, fold?: Costs): Chart => ({
  title: `Messages on ${meshText(mesh)}`,
  x: { label: 'jobs', min: 0 },
  y: { label: 'messages', min: 0 },
  series: countsOf(equi, fold).map((counts, i) => ({
    name: COLUMNS[i] ?? '',
    points: counts.map((y, at) => ({ x: at + 1, y })),
  })),
})

const tableOf = ({ mesh, jobs }: Options, equi?: Costs, fold?: Costs): ResultTable => ({
  title: `Messages on ${meshText(mesh)}`,
  columns: [
    { name: 'jobs', align: 'right' },
    ...COLUMNS.map((name) => ({ name, digits: name === 'FOLD rotation' ? 1 : 0 })),
  ],
  rows: Array.from({ length: jobs }, (_, i) => [i + 1, ...countsOf(equi, fold).map((counts) => counts[i] ?? null)]),
  notes: [
    'Jobs: those on the mesh after an arrival or before a departure. Answers are counted. Under folding each arrival was',
    `followed by ${ROTATIONS} rotations, whose mean is shown. A departure includes its ticks.`,
  ],
})

/** What the most jobs cost. */
function answerOf({ jobs }: Options, equi?: Costs, fold?: Costs): string[] {
  const [equiArrival, equiDeparture, foldArrival, foldDeparture, rotation] = countsOf(equi, fold).map(
    (counts) => counts[jobs - 1] ?? null,
  )
  const whole = (count: number | null | undefined) => figureText(count ?? null, 0)
  const word = jobs === 1 ? '1 job' : `${jobs} jobs`
  return [
    `With ${word} an arrival takes ${whole(equiArrival)} messages under EQUI and ${whole(foldArrival)} under folding, and a departure ${whole(equiDeparture)} and ${whole(foldDeparture)}.`,
    `Under folding a rotation takes ${figureText(rotation ?? null, 1)} more.`,
  ]
}

const figure: Figure<Options, Row, Costs> = {
  name: 'mesh/cost',
  summary: 'Messages between jobs and the allocator, and among jobs, for an arrival, a departure and a rotation.',
  flags,
  oneScale: 'nothing is random, so that one run of each policy counts every message',
  runner,
  plan: (options) => {
    const { mesh, jobs } = options
    return {
      cases: [
        {
          labels: [meshText(mesh)],
          rows: (['equi', 'fold'] as const).map((policy) => ({ policy, mesh, jobs: jobsOn(mesh, jobs) })),
          quantities: () => [],
        },
      ],
      show: (measured) => {
        const [[equi] = [], [fold] = []] = measured[0]?.ran ?? []
        const table = tableOf(options, equi, fold)
        return {
          tables: [table],
          values: table,
          answer: answerOf(options, equi, fold),
          charts: [{ name: 'cost', chart: chartOf(options, equi, fold) }],
          results: { table: plainOf(table) },
        }
      },
    }
  },
}

await figureMain(figure)
