/**
 * Compares coscheduling with the values that the same model converges to, row by row: dedicated rates, slowdowns and
 * progress.
 */
import type { OptionsOf } from '../../lib/cli/index.ts'
import { withoutEmpty } from '../../lib/core/table.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import { type Figure, type Found, meanOf, verdictsOn } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { longTable } from '../study/tables.ts'
import {
  heldTo,
  promisesOf,
  type Ran,
  type Row,
  ratioAt,
  runner,
  seedsOf,
  slowdownOf,
  studyFlags,
} from './coscheduling/study.ts'
import { DEDICATED, PROGRESS, SLOWDOWNS, type Tolerated } from './paper/converged.ts'
import { FACTS } from './paper/facts.ts'
import { DEFAULTS, type Parameters, SPINS } from './paper/parameters.ts'

const SEEDS = { quick: 3, full: 5 }

const flags = studyFlags(
  SEEDS,
  'run all rows, for --warm-up and --measure or as long as the known values: 60 s after 10 s (below 5 ms between barriers always 1.5 s after 0.5 s)',
)
type Options = OptionsOf<typeof flags>

/** A value that a row should reach. */
interface Target {
  readonly what: string
  readonly of: (ran: Ran) => number
  readonly value: Tolerated
}

interface Known {
  readonly name: string
  readonly tickets: readonly number[]
  readonly parameters: Parameters
  readonly targets: readonly Target[]
}

/** The name of a row: the parameters that differ from the defaults. */
function nameOf(parameters: Parameters): string {
  const said = Object.entries(parameters).flatMap(([key, value]) => {
    const byDefault: unknown = Object.entries(DEFAULTS).find(([name]) => name === key)?.[1]
    if (value === byDefault) return []
    return [`${key} ${typeof value === 'object' ? `${value.switches}W+${value.spread}vg` : value}`]
  })
  return said.join(', ') || 'defaults'
}

const spinName = ({ spin }: Parameters) => Object.entries(SPINS).find(([, one]) => one === spin)?.[0] ?? 'other'

const KNOWN: readonly Known[] = [
  ...DEDICATED.map(
    ({ parameters, rate }): Known => ({
      name: `alone: ${nameOf(parameters)}`,
      tickets: [1],
      parameters,
      targets: [{ what: 'barriers/s', of: ({ rates }) => rates[0] ?? 0, value: [rate, rate / 100] }],
    }),
  ),
  ...SLOWDOWNS.map(({ parameters, slowdown }): Known => {
    const { switching, granularity, imbalance, credit } = parameters
    return {
      name: `1:1:1: W ${switching}, g ${granularity}, v ${imbalance}, ${spinName(parameters)}, credit ${credit}`,
      tickets: [1, 1, 1],
      parameters,
      targets: [{ what: 'slowdown', of: slowdownOf, value: slowdown }],
    }
  }),
  ...PROGRESS.map(
    ({ parameters, progress: [second, third], slowdown }): Known => ({
      name: `1:2:3: ${nameOf(parameters)}`,
      tickets: [1, 2, 3],
      parameters,
      targets: [
        { what: 'second', of: ratioAt(1), value: second },
        { what: 'third', of: ratioAt(2), value: third },
        { what: 'slowdown', of: slowdownOf, value: slowdown },
      ],
    }),
  ),
]

/** Granularities below this make a run of a minute take an hour. */
const FINE = 5
/** Whether a default run includes a row: those with few messages. */
const isCheap = ({ parameters: { nodes, granularity } }: Known) => nodes / granularity <= 0.8

function rowOf({ parameters, tickets }: Known, { full, runtime, ...options }: Options): Row {
  const isFine = parameters.granularity < FINE
  const warmUp = isFine ? 500 : (options.warmUp ?? (full ? 10_000 : 1000))
  const measure = isFine ? 1500 : (options.measure ?? (full ? 60_000 : 5000))
  return { parameters, tickets, scheduler: 'implicit', servers: false, runtime, warmUp, measure }
}

/** Our values over the converged ones, in the order of the table. */
const chartOf = (found: readonly Found[]): Chart => ({
  title: 'Our values over those that the model converges to, in the order of the table',
  x: { label: 'value', min: 0 },
  y: { label: 'ours over converged' },
  series: [
    {
      name: 'ours over converged',
      line: false,
      points: found.flatMap(({ ours, converged }, i) =>
        ours && converged
          ? [
              {
                x: i + 1,
                y: {
                  mean: ours.mean / converged.value,
                  halfWidth: ours.halfWidth === null ? null : ours.halfWidth / converged.value,
                },
              },
            ]
          : [],
      ),
    },
    { name: 'equal', marks: false, points: found.map((_, i) => ({ x: i + 1, y: 1 })) },
  ],
})

const figure: Figure<Options, Row, Ran> = {
  name: 'shares/converged',
  summary:
    'Compares implicit coscheduling with the converged values of the same model (Arpaci-Dusseau & Culler 1997, section 5.2).',
  usage: 'Without flags: some rows, for a short time. Exit 1 if a value differs from the converged value of the model.',
  flags,
  claims: FACTS,
  runner,
  plan: (options) => {
    const seeds = seedsOf(options, SEEDS)
    return {
      about: `${seeds.length} seeds`,
      cases: KNOWN.filter((one) => options.full || options.only !== undefined || isCheap(one)).map((one) => {
        const row = rowOf(one, options)
        return {
          labels: [one.name],
          rows: [row],
          seeds,
          quantities: (ran = []) =>
            one.targets.map(({ what, of, value }) => {
              const ours = meanOf(ran, of)
              return { of: what, ours, converged: heldTo(value, ours, row.measure), paper: null }
            }),
        }
      }),
      show: (measured) => {
        const found = measured.flatMap((one) => one.found)
        const table = longTable([{ name: 'row' }], found)
        return {
          tables: [withoutEmpty(table)],
          values: table,
          charts: [{ name: 'converged', chart: chartOf(found) }],
          verdicts: verdictsOn(FACTS, { P15: { ours: 'the slowdowns of the rows with a quantum', holds: 'settled' } }),
          notes: [
            `Ours: mean of ${seeds.length} seeds ± 95 %. The tolerance of a row shorter than the values took includes that half-width.`,
          ],
          ...promisesOf(measured),
        }
      },
    }
  },
}

await figureMain(figure)
