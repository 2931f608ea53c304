/**
 * The paper's experiment in section 5.2: jobs with tickets 1:2:3, for several ways to wait at a barrier, with and
 * without credit for sleeping.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  type Invocation,
  integer,
  none,
  type OptionsOf,
  type Outcome,
  resultFile,
  runMain,
  toggle,
  value,
} from '../../lib/cli/index.ts'
import type { Interval } from '../../lib/experiment/interval.ts'
import { csvOf, type ResultTable, textOf, type Value } from '../../lib/experiment/report.ts'
import {
  agreesWith,
  isLong,
  meanOf,
  outcomeOf,
  type Ran,
  type Row,
  ratioAt,
  runRows,
  seedsOf,
  studyFlags,
  unfairness,
} from './coscheduling/study.ts'
import { PAPER, PROGRESS } from './paper/converged.ts'
import { verdicts } from './paper/facts.ts'
import { DEFAULTS, type Parameters, SPINS, type Spin } from './paper/parameters.ts'

const TICKETS = [1, 2, 3]

/**
 * The measured time: whole cycles of six slots of the gang scheduler, so that its result does not depend on where a
 * run ends.
 */
const CYCLES = 4200

const SEEDS = { quick: 3, full: 5 }

const flags = {
  ...studyFlags(SEEDS),
  full: toggle('run as long as the converged values did: 60 s after 10 s'),
  machines: value({
    metavar: 'N',
    fallback: '32',
    parse: integer({ min: 2, max: 256 }),
    help: 'number of machines; each has a ticket server and one process of each job',
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
  'spin less, then block': { switches: 5, spread: 0.5 },
} as const satisfies Record<string, Spin>

const casesOf = ({ machines }: Options): Case[] => [
  ...Object.entries(RULES).flatMap(([rule, spin]) =>
    (['none', 'system'] as const).map(
      (credit): Case => ({
        rule,
        scheduler: 'implicit',
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

/** The values that the same mix converges to on 32 machines. */
const convergedOf = ({ parameters, scheduler }: Case): (typeof PROGRESS)[number] | undefined =>
  parameters.nodes === DEFAULTS.nodes && scheduler === 'implicit'
    ? PROGRESS.find(
        ({ varied, parameters: { spin, credit } }) =>
          isDeepStrictEqual(spin, parameters.spin) &&
          credit === parameters.credit &&
          Object.keys(varied).every((key) => key === 'spin' || key === 'credit'),
      )
    : undefined

interface Found {
  readonly one: Case
  readonly second: Interval
  readonly third: Interval
  readonly slowdown: Interval
  readonly toGang: Interval
  readonly unfair: Interval
  readonly converged: (typeof PROGRESS)[number] | undefined
  /** Whether the run agrees with the converged values; null if there are none, or the run is too short. */
  readonly agrees: boolean | null
  readonly isAsPaper: boolean
}

/** The relative tolerance for the paper's measurement, which is printed with two digits. */
const PAPER_TOLERANCE = 0.08

function foundOf(one: Case, ran: readonly Ran[], gang: readonly Ran[], measure: number): Found {
  const [second, third] = [meanOf(ran, ratioAt(1)), meanOf(ran, ratioAt(2))]
  const slowdown = meanOf(ran, (run) => run.slowdown)
  const converged = convergedOf(one)
  const isNear = ({ mean }: Interval, printed: number) => Math.abs(mean / printed - 1) <= PAPER_TOLERANCE
  return {
    one,
    second,
    third,
    slowdown,
    converged,
    toGang: againstGang(ran, gang),
    unfair: meanOf(ran, (run) => 100 * unfairness(TICKETS)(run)),
    agrees:
      converged && (isLong(measure) || one.parameters.spin !== 'endless')
        ? agreesWith(second, converged.progress[0], measure) &&
          agreesWith(third, converged.progress[1], measure) &&
          agreesWith(slowdown, converged.slowdown, measure)
        : null,
    isAsPaper: isNear(second, PAPER[0]) && isNear(third, PAPER[1]),
  }
}

const COLUMNS = [
  { name: 'at a barrier' },
  { name: 'credit', align: 'left' },
  { name: 'second', digits: 3 },
  { name: 'third', digits: 3 },
  { name: 'slowdown', digits: 3 },
  { name: 'converged: second', digits: 3 },
  { name: 'third, converged', digits: 3 },
  { name: 'slowdown, converged', digits: 3 },
  { name: 'agrees' },
  { name: 'as the paper' },
  { name: 'to gang', digits: 3 },
  { name: 'unfair', unit: '%', digits: 1 },
] as const

/** The time that jobs take, relative to the gang scheduler with the same seed. */
const againstGang = (ran: readonly Ran[], gang: readonly Ran[]): Interval =>
  meanOf(
    ran.map((one, i) => ({ ...one, slowdown: one.slowdown / (gang[i]?.slowdown ?? Number.NaN) })),
    ({ slowdown }) => slowdown,
  )

const rowOf = ({ one, converged, agrees, isAsPaper, ...found }: Found): Value[] => [
  one.rule,
  one.parameters.credit,
  found.second,
  found.third,
  found.slowdown,
  converged?.progress[0][0] ?? null,
  converged?.progress[1][0] ?? null,
  converged?.slowdown[0] ?? null,
  agrees === null ? '-' : agrees ? 'yes' : 'NO',
  isAsPaper ? 'yes' : 'no',
  found.toGang,
  found.unfair,
]

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note } = invocation
  const { csv, runtime, full, machines } = options
  const seeds = seedsOf(options, SEEDS)
  const { warmUp = full ? 10_000 : 1000, measure = full ? 60_000 : CYCLES } = options
  const writeCsv = resultFile(csv, '--csv')
  const cases = casesOf(options)
  const rows = cases.map(
    ({ parameters, scheduler }): Row => ({
      parameters,
      scheduler,
      runtime,
      warmUp,
      measure,
      tickets: TICKETS,
      servers: scheduler !== 'gang',
    }),
  )
  note(`shares/waiting, seed ${options.seed}: ${rows.length} rows of ${seeds} seeds`)
  const ran = await runRows(rows, { ...invocation, options: { ...options, seeds } })
  const gang = ran.at(-1) ?? []
  const found = cases.map((one, i) => foundOf(one, ran[i] ?? [], gang, measure))
  const held = found.filter(({ agrees }) => agrees !== null)
  const beyond = held.filter(({ agrees }) => !agrees).map(({ one }) => `${one.rule}, credit ${one.parameters.credit}`)
  const table: ResultTable = {
    title: `Progress of jobs with tickets 1:2:3 on ${machines} machines, per barrier of the first`,
    columns: COLUMNS,
    rows: found.map(rowOf),
    notes: [
      `mean of ${seeds} seeds ± 95 %, ${measure} ms of the model after ${warmUp}; agrees: within the tolerance of the converged values`,
      'processes that spin without end fall into step only after some 20 seconds: shorter runs are not checked for it',
      `the paper, section 5.2: 1 : ${PAPER.join(' : ')}, to within 8 %; it does not say how its processes wait`,
      'slowdown: against gang scheduling by formula; to gang: against the gang scheduler that ran; unfair: largest relative error',
      ...verdicts('P13', 'P14'),
    ],
  }
  writeCsv(csvOf(table))
  const checks = held.length > 0 ? [none(`rows beyond tolerance, of ${held.length}`, beyond)] : []
  return outcomeOf({ rows: table, text: textOf(table), checks }, ran)
}

await runMain({
  name: 'shares/waiting',
  summary:
    'Ways to wait at a barrier: spin, block, or spin and then block, with and without credit for sleeping (section 5.2).',
  usage: 'Without flags: all ways of waiting, for a short time; --full runs longer.',
  flags,
  main,
})
