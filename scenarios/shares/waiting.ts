/**
 * The paper's experiment in section 5.2: jobs with tickets 1:2:3, for several ways to wait at a barrier, with and
 * without credit for sleeping.
 */
import { isDeepStrictEqual } from 'node:util'
import { integer, type OptionsOf, value } from '../../lib/cli/index.ts'
import { rounded, withoutEmpty } from '../../lib/core/table.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import { type Figure, type Found, finder, meanOf, pairedOf, type Quantity, verdictsOn } from '../study/figure.ts'
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
  unfairness,
} from './coscheduling/study.ts'
import { isLong, PAPER, PROGRESS, type Tolerated } from './paper/converged.ts'
import { FACTS } from './paper/facts.ts'
import { DEFAULTS, SPINS, type Spin } from './paper/parameters.ts'

const TICKETS = [1, 2, 3]

/**
 * The measured time: whole cycles of six slots of the gang scheduler, so that its result does not depend on where a
 * run ends.
 */
const CYCLES = 4200

const SEEDS = { quick: 3, full: 5 }

const flags = {
  ...studyFlags(SEEDS, 'run as long as the converged values did: 60 s after 10 s'),
  machines: value({
    metavar: 'N',
    fallback: '32',
    parse: integer({ min: 2, max: 256 }),
    help: 'number of machines; each has a ticket server and one process of each job',
  }),
}
type Options = OptionsOf<typeof flags>

const RULES = {
  'spin without end': SPINS.endless,
  'block at once': SPINS.block,
  'spin, then block': SPINS.spread,
  'spin less, then block': { switches: 5, spread: 0.5 },
} as const satisfies Record<string, Spin>

const GANG = 'gang scheduler'

/** The values that the same mix converges to on 32 machines. */
const convergedOf = ({ parameters, scheduler }: Row): (typeof PROGRESS)[number] | undefined =>
  parameters.nodes === DEFAULTS.nodes && scheduler === 'implicit'
    ? PROGRESS.find(
        ({ varied, parameters: { spin, credit } }) =>
          isDeepStrictEqual(spin, parameters.spin) &&
          credit === parameters.credit &&
          Object.keys(varied).every((key) => key === 'spin' || key === 'credit'),
      )
    : undefined

/** The quantities of a row, whose runs are compared with those of the gang scheduler with the same seeds. */
function quantitiesOf(row: Row, ran: readonly Ran[], gang: readonly Ran[]): Quantity[] {
  const known = convergedOf(row)
  const of = (name: string, value: (one: Ran) => number, converged?: Tolerated, paper: number | null = null) => {
    const ours = meanOf(ran, value)
    return { of: name, ours, converged: converged ? heldTo(converged, ours, row.measure) : null, paper }
  }
  return [
    of('second', ratioAt(1), known?.progress[0], PAPER[0]),
    of('third', ratioAt(2), known?.progress[1], PAPER[1]),
    of('slowdown', slowdownOf, known?.slowdown),
    {
      of: 'time over that of the gang scheduler',
      ours: pairedOf(ran, gang, (one, other) => one.slowdown / other.slowdown),
      converged: null,
      paper: null,
    },
    of('largest error of progress in %', unfairness(TICKETS)),
  ]
}

/** The relative tolerance for the paper's measurement, which is printed with two digits. */
const PAPER_TOLERANCE = 0.08

function verdictsOf(found: readonly Found[]) {
  const find = finder(found)
  const rows = [...new Map(found.map(({ labels }) => [labels.join(), labels])).values()]
  const isNear = (labels: Found['labels']) =>
    ['second', 'third'].every((of, i) => Math.abs((find(of, ...labels) ?? 0) / (PAPER[i] ?? 0) - 1) <= PAPER_TOLERANCE)
  const near = rows.filter(isNear).map(([rule, credit]) => `${rule} (credit ${credit})`)
  const slowdowns = Object.keys(RULES).map((rule) => `${rule} ${rounded(find('slowdown', rule, 'none'), 3)}`)
  return verdictsOn(FACTS, {
    P13: { ours: near.length > 0 ? `to within 8 %: ${near.join(', ')}` : 'none to within 8 %', holds: 'settled' },
    P14: { ours: `slowdown without credit: ${slowdowns.join(', ')}`, holds: 'settled' },
  })
}

/** The progress of the second and the third job by rule of waiting, beside that of the paper. */
function chartOf(found: readonly Found[]): Chart {
  const names = [...new Set(found.map(({ labels: [rule, credit] }) => `${rule}, credit ${credit}`))]
  return {
    title: 'Progress of jobs with tickets 1:2:3, per barrier of the first',
    x: { label: '', names },
    y: { label: 'progress', min: 0 },
    series: ['second', 'third'].map((of, i) => ({
      name: `${of} job`,
      points: found
        .filter((one) => one.of === of)
        .map(({ labels: [rule, credit], ours }) => ({ x: names.indexOf(`${rule}, credit ${credit}`) + 1, y: ours })),
      paper: names.map((_, at) => ({ x: at + 1, y: PAPER[i] ?? null })),
    })),
  }
}

const figure: Figure<Options, Row, Ran> = {
  name: 'shares/waiting',
  summary:
    'Ways to wait at a barrier: spin, block, or spin and then block, with and without credit for sleeping (section 5.2).',
  usage: 'Without flags: all ways of waiting, for a short time; --full runs longer.',
  flags,
  claims: FACTS,
  runner,
  plan: (options) => {
    const { full, machines, runtime } = options
    const { warmUp = full ? 10_000 : 1000, measure = full ? 60_000 : CYCLES } = options
    const seeds = seedsOf(options, SEEDS)
    const rowOf = (spin: Spin, credit: 'none' | 'system', scheduler: Row['scheduler']): Row => ({
      parameters: { ...DEFAULTS, spin, credit, nodes: machines },
      scheduler,
      runtime,
      warmUp,
      measure,
      tickets: TICKETS,
      servers: scheduler !== 'gang',
    })
    const gang = rowOf('endless', 'none', 'gang')
    const ruled = Object.entries(RULES).flatMap(([rule, spin]) =>
      (['none', 'system'] as const).map((credit) => ({ labels: [rule, credit], row: rowOf(spin, credit, 'implicit') })),
    )
    return {
      about: `${seeds.length} seeds`,
      cases: [...ruled, { labels: [GANG, 'none'], row: gang }].map(({ labels, row }) => ({
        labels,
        rows: [row, gang],
        seeds,
        isComparable: isLong(measure) || row.parameters.spin !== 'endless',
        quantities: (ran = [], other = []) => quantitiesOf(row, ran, other),
      })),
      show: (measured) => {
        const found = measured.flatMap((one) => one.found)
        const table = {
          title: `Progress of jobs with tickets 1:2:3 on ${machines} machines, per barrier of the first`,
          ...longTable([{ name: 'at a barrier' }, { name: 'credit', align: 'left' }], found),
        }
        return {
          tables: [withoutEmpty(table)],
          values: table,
          charts: [{ name: 'waiting', chart: chartOf(found) }],
          verdicts: verdictsOf(found),
          notes: [
            `Ours: mean of ${seeds.length} seeds ± 95 %, ${measure} ms of the model after ${warmUp}. The tolerance of shorter runs includes that half-width.`,
            'Processes that spin without end fall into step only after some 20 seconds: shorter runs are not compared.',
            'Slowdown: against gang scheduling by formula. The gang scheduler that ran is in the last rows.',
          ],
          ...promisesOf(measured),
        }
      },
    }
  },
}

await figureMain(figure)
