/** The paper's experiment in section 5.2: tickets 1:2:3, by what processes do at a barrier and what they get for sleeping. */
import { type Invocation, integer, type OptionsOf, type Outcome, resultFile, runMain, value } from '../../lib/cli.ts'
import type { Interval } from '../../lib/experiment/interval.ts'
import { csvOf, type ResultTable, textOf, type Value } from '../../lib/experiment/report.ts'
import { studyFlags } from './coscheduling/flags.ts'
import type { Ran } from './coscheduling/point.ts'
import { meanOf, outcomeOf, type Row, ratioAt, runRows, unfairness } from './coscheduling/study.ts'
import { DEFAULTS, type Parameters, SPINS } from './paper/parameters.ts'
import { PAPER, PROGRESS } from './paper/progress.ts'

const TICKETS = [1, 2, 3]

const flags = {
  ...studyFlags,
  machines: value({
    metavar: 'N',
    fallback: '32',
    parse: integer({ min: 2, max: 256 }),
    help: 'a process of each job on every one; with a ticket server each',
  }),
}
type Options = OptionsOf<typeof flags>

interface Case {
  readonly rule: string
  readonly parameters: Parameters
  readonly scheduler: 'implicit' | 'gang'
}

const RULES = {
  'spin without end': SPINS.endless,
  'block at once': SPINS.block,
  'spin, then block': SPINS.spread,
} as const

const casesOf = ({ machines }: Options): Case[] => [
  ...Object.entries(RULES).flatMap(([rule, spin]) =>
    (['none', 'system'] as const).map(
      (credit): Case => ({
        ...{ rule, scheduler: 'implicit' },
        parameters: { ...DEFAULTS, spin, credit, nodes: machines },
      }),
    ),
  ),
  {
    rule: 'gang scheduler',
    scheduler: 'gang',
    parameters: { ...DEFAULTS, spin: 'endless', credit: 'none', nodes: machines },
  },
]

/** What the same mix converges to on 32 machines. */
const convergedOf = ({ parameters, scheduler }: Case): (typeof PROGRESS)[number] | undefined =>
  parameters.nodes === DEFAULTS.nodes && scheduler === 'implicit'
    ? PROGRESS.find(
        ({ varied, parameters: { spin, credit } }) =>
          spin === parameters.spin &&
          credit === parameters.credit &&
          Object.keys(varied).every((key) => key === 'spin' || key === 'credit'),
      )
    : undefined

const COLUMNS = [
  { name: 'at a barrier' },
  { name: 'credit', align: 'left' },
  { name: 'second', digits: 3 },
  { name: 'converged', digits: 3 },
  { name: 'third', digits: 3 },
  { name: 'converged ', digits: 3 },
  { name: 'slowdown', digits: 3 },
  { name: 'converged  ', digits: 3 },
  { name: 'to gang', digits: 3 },
  { name: 'unfair', unit: '%', digits: 1 },
] as const

/** Of the same seed: how many times as long as under the gang scheduler. */
const againstGang = (ran: readonly Ran[], gang: readonly Ran[]): Interval =>
  meanOf(
    ran.map((one, i) => ({ ...one, slowdown: one.slowdown / (gang[i]?.slowdown ?? Number.NaN) })),
    ({ slowdown }) => slowdown,
  )

function rowOf(one: Case, ran: readonly Ran[], gang: readonly Ran[]): Value[] {
  const converged = convergedOf(one)
  const { mean, halfWidth } = meanOf(ran, unfairness(TICKETS))
  return [
    one.rule,
    one.parameters.credit,
    meanOf(ran, ratioAt(1)),
    converged?.progress[0][0] ?? null,
    meanOf(ran, ratioAt(2)),
    converged?.progress[1][0] ?? null,
    meanOf(ran, ({ slowdown }) => slowdown),
    converged?.slowdown[0] ?? null,
    againstGang(ran, gang),
    { mean: 100 * mean, halfWidth: halfWidth === null ? null : 100 * halfWidth },
  ]
}

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note } = invocation
  const { csv, runtime, seeds, warmUp = 2000, measure = 8000, machines } = options
  const writeCsv = resultFile(csv, '--csv')
  const cases = casesOf(options)
  const rows = cases.map(
    ({ parameters, scheduler }): Row => ({
      ...{ parameters, scheduler, runtime, warmUp, measure },
      ...{ tickets: TICKETS, servers: scheduler !== 'gang' },
    }),
  )
  note(`shares/waiting, seed ${options.seed}: ${rows.length} rows of ${seeds} seeds`)
  const ran = await runRows(rows, invocation)
  const gang = ran.at(-1) ?? []
  const table: ResultTable = {
    title: `Progress of jobs with tickets 1:2:3 on ${machines} machines, per barrier of the first`,
    columns: COLUMNS,
    rows: cases.map((one, i) => rowOf(one, ran[i] ?? [], gang)),
    notes: [
      `mean of ${seeds} seeds ± 95 %, ${measure} ms of the model after ${warmUp}; the paper, section 5.2: 1 : ${PAPER.join(' : ')}, its waiting unknown`,
      'slowdown: against gang scheduling by formula; to gang: against the gang scheduler that ran; unfair: largest relative error',
    ],
  }
  writeCsv(csvOf(table))
  return outcomeOf({ rows: table, text: textOf(table) }, ran)
}

await runMain({
  name: 'shares/waiting',
  summary:
    'What to do at a barrier: spin, block, or spin and then block, with and without credit for sleeping (section 5.2).',
  flags,
  main,
})
