/**
 * Section 4 of Arpaci-Dusseau & Culler 1997: where to run a job. Figures 6, 7, 10 and 11, and asking machines at
 * random.
 */

import { choice, fileFlag, integer, type OptionsOf, optional, resultFile } from '../../lib/cli/index.ts'
import { csvText } from '../../lib/core/csv.ts'
import { printUnits } from '../../lib/core/format.ts'
import { withoutEmpty } from '../../lib/core/table.ts'
import { type Case, type Figure, type Found, type Measured, meanOf, type Quantity, ratioOf } from '../study/figure.ts'
import { figureFlags, runtimeFlag } from '../study/flags.ts'
import { figureMain } from '../study/main.ts'
import { longTable } from '../study/tables.ts'
import { PROGRESS_10, QUERIES, USED_11 } from './paper/placement.ts'
import { askedChart, sharesChart } from './placement/charts.ts'
import { machineName, SEQUENTIAL } from './placement/measure.ts'
import { JOBS, MACHINES } from './placement/random.ts'
import { type Ran, type Row, runner, usedBy } from './placement/study.ts'
import { ALONE, VARIANTS_6, VARIANTS_7, VARIANTS_10, VARIANTS_11, type Variant } from './placement/variants.ts'

const NAMES = ['6', '7', '10', '11', 'random'] as const
type Name = (typeof NAMES)[number]

const SAYS: Readonly<Record<Name, string>> = {
  '6': 'Balancing tickets puts E on machine 3, where it has 3/5; balancing load on machine 4, where it has 1/2.',
  '7': 'A user who keeps her jobs apart has more than her share at first, and less when E comes (numbers: ours).',
  '10': 'A parallel job goes as fast as on its slowest machine: Z gains nothing from machines with fewer tickets, but others do.',
  '11': 'A has more of machine 1 when another job of hers holds up Z on machine 3.',
  random: `${JOBS} jobs of one ticket on ${MACHINES} machines; for each job, some machines are asked. The paper calls this promising.`,
}

const flags = {
  ...figureFlags('run more seeds, and also ask all machines in the random placement'),
  figure: choice({
    of: [...NAMES, 'all'],
    fallback: 'all',
    help: 'figure to run; random: how even placement is if some machines are asked at random',
  }),
  seeds: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 100 }),
    help: 'runs of each random figure, from --seed on (default 1; for random and with --full 3)',
  }),
  runtime: runtimeFlag,
  jobsOut: fileFlag('result', 'write the processor time of each job on each machine (CSV)'),
}

type Options = OptionsOf<typeof flags>

interface Run extends Case<Row, Ran> {
  readonly figure: Name
  /** The variant; absent if machines are asked at random. */
  readonly variant?: Variant
  readonly seeds: readonly number[]
}

/** The same tolerance as for the other simulated values. */
const TOLERANCE = 0.05

const simulated = (value: number | undefined): Quantity['converged'] =>
  value === undefined ? null : { value, tolerance: TOLERANCE * value }

const meanIn = (ran: readonly Ran[], name: string) => meanOf(ran, ({ values }) => values[name] ?? null)

/** The shares of a job in each phase: fluid ones to within a quantum if the job is sequential. */
const sharesIn = (figure: Name, { what: run, phases }: Variant, ran: readonly Ran[]): Quantity[] =>
  phases.flatMap(({ what, jobs, shares }) =>
    jobs.flatMap(({ name, nodes }) =>
      nodes.map((node) => {
        const of = usedBy(what, name, machineName(node))
        const { [name]: fluid = 0 } = shares
        const isExact = figure === '6' || figure === '7'
        return {
          of,
          ours: meanIn(ran, of),
          converged: isExact
            ? { value: fluid, tolerance: SEQUENTIAL.sharing.quantum / SEQUENTIAL.length }
            : simulated(figure === '11' ? USED_11[run]?.[name] : undefined),
          paper: fluid,
        }
      }),
    ),
  )

/** Asking all machines costs most and leaves nothing to chance, so only `--full` does, with one seed. */
const asking = ({ seed, seeds = 3, full, runtime }: Options): Run[] =>
  QUERIES.filter(({ asked }) => full || asked < MACHINES).map(({ asked, most, tolerance, deviation }) => ({
    figure: 'random',
    labels: ['random', asked],
    rows: [{ variant: null, ask: asked, runtime }],
    seeds: Array.from({ length: asked === MACHINES ? 1 : seeds }, (_, i) => seed + i),
    quantities: (ran = []) => [
      { of: 'most / mean', ours: meanIn(ran, 'most'), converged: { value: most, tolerance }, paper: null },
      { of: `deviation / mean (${deviation} expected)`, ours: meanIn(ran, 'deviation'), converged: null, paper: null },
    ],
  }))

const VARIANTS = { '6': VARIANTS_6, '7': VARIANTS_7, '10': VARIANTS_10, '11': VARIANTS_11 } as const

function casesOf(figure: Name, options: Options): Run[] {
  if (figure === 'random') return asking(options)
  const { seed, runtime, full } = options
  // nothing is random among sequential jobs
  const count = figure === '6' || figure === '7' ? 1 : (options.seeds ?? (full ? 3 : 1))
  const rowOf = ({ what }: Variant): Row => ({ variant: what, ask: 0, runtime })
  return VARIANTS[figure].map((variant) => ({
    figure,
    variant,
    labels: [figure, variant.what],
    rows: figure === '10' ? [rowOf(variant), rowOf(ALONE)] : [rowOf(variant)],
    seeds: Array.from({ length: count }, (_, i) => seed + i),
    quantities: (ran = [], alone = []) => [
      ...sharesIn(figure, variant, ran),
      ...(figure === '10'
        ? [
            {
              of: "Z's progress of what it makes alone",
              ours: ratioOf(ran, alone, ({ values }) => values['rate'] ?? null),
              converged: simulated(PROGRESS_10[variant.what]),
              paper: variant.phases[0]?.shares['Z'] ?? null,
            },
          ]
        : []),
    ],
  }))
}

/** The results of a case for `--json`: the used shares of each phase, or the evenness. */
function resultOf({ case: { variant, labels }, ran: [ran = []], found }: Measured<Run, Ran>) {
  if (!variant) {
    const [most, deviation] = found.map(({ ours }) => ours?.mean ?? null)
    return { asked: labels[1] ?? null, most, deviation }
  }
  return {
    scenes: variant.phases.map(({ what, jobs, shares }) => ({
      what,
      jobs: jobs.map(({ name, tickets, nodes }) => {
        const machines = nodes.map(machineName)
        const used = machines.map((machine) => meanIn(ran, usedBy(what, name, machine))?.mean ?? null)
        return { job: name, tickets, machines, fluid: shares[name], used }
      }),
    })),
  }
}

const longOf = (found: readonly Found[]) => longTable([{ name: 'figure' }, { name: 'run', align: 'left' }], found)

/** The processor time of each job on each machine of the runs. */
const timesOf = (measured: readonly Measured<Run, Ran>[]): string =>
  csvText([
    ['figure', 'run', 'seed', 'job', 'machine', 'cpu'],
    ...measured.flatMap(({ case: { labels, seeds }, ran: [ran = []] }) =>
      ran.flatMap(({ cpu }, i) =>
        Object.entries(cpu).map(([who, time]) => [
          `figure ${labels[0]}`,
          labels[1] ?? '',
          seeds[i] ?? '',
          ...who.split(' '),
          printUnits(time),
        ]),
      ),
    ),
  ])

const figure: Figure<Options, Row, Ran, Run> = {
  name: 'shares/placement',
  summary: 'Where to run a job: figures 6, 7, 10 and 11 of Arpaci-Dusseau & Culler 1997.',
  usage: 'Without flags: all figures. Always in virtual time, in milliseconds of the model.',
  flags,
  runner,
  plan: (options) => {
    const writeJobs = resultFile(options.jobsOut, '--jobs-out')
    return {
      cases: NAMES.filter((name) => ['all', name].includes(options.figure)).flatMap((name) => casesOf(name, options)),
      show: (measured) => {
        writeJobs(timesOf(measured))
        const figures = NAMES.flatMap((name) => {
          const own = measured.filter((one) => one.case.figure === name)
          return own.length > 0 ? [{ name, own, found: own.flatMap(({ found }) => found) }] : []
        })
        return {
          tables: figures.map(({ name, found }) => ({
            ...withoutEmpty(longOf(found)),
            title: `${name === 'random' ? 'Asking at random' : `Figure ${name}`}. ${SAYS[name]}`,
          })),
          values: longOf(measured.flatMap(({ found }) => found)),
          charts: figures.map(({ name, found }) => ({
            name: `figure-${name}`,
            chart: name === 'random' ? askedChart(found) : sharesChart(name, found),
          })),
          notes: ['Paper: the fluid share of the job, where 1 is a machine. Converged: by quanta.'],
          results: Object.fromEntries(
            figures.map(({ name, own }) =>
              name === 'random'
                ? [name, { rows: own.map(resultOf) }]
                : [`figure${name}`, { stories: own.map(resultOf) }],
            ),
          ),
        }
      },
    }
  },
}

await figureMain(figure)
