/**
 * Parallel jobs that coschedule themselves: their processes run together although no actor decides which job runs
 * when. Figures 8 and 9 of the paper show the timeline of one run, and so this is a scenario and not a figure; the
 * numbers of section 5 are in the figures shares/converged, shares/waiting and shares/frontier.
 */
import { type Check, none, runProgram } from '../../lib/cli/index.ts'
import { type ResultTable, rounded } from '../../lib/core/table.ts'
import { sum } from '../../lib/core/tally.ts'
import { type Time, toUnits } from '../../lib/core/time.ts'
import type { CommandOutcome } from '../../lib/scenario/command.ts'
import type { CommandRun, Setup, Stage } from '../../lib/scenario/definition.ts'
import { inWords } from '../../lib/scenario/oracle.ts'
import { listOf, ofRun, type Sentence, say } from '../../lib/scenario/page.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { sometime } from '../../lib/scenario/specification.ts'
import { mishapsOf } from '../../lib/scenario/verdict.ts'
import { flags, mixOf, type Options } from './coscheduling/flags.ts'
import { clusterOf, jobsOf, type MixCluster } from './coscheduling/model.ts'
import { MixOracle, perFirst } from './coscheduling/oracle.ts'
import { coschedulingPage } from './coscheduling/page.ts'
import { timelineText } from './coscheduling/timeline.ts'
import { machinesOf, onCluster } from './model.ts'
import { isLong, PAPER } from './paper/converged.ts'

type MixRun = CommandRun<Options, MixCluster, MixOracle>

/** The scenario of parallel jobs that coschedule themselves. */
export const coscheduling = defineScenario({
  name: 'shares/coscheduling',
  summary:
    'Parallel jobs coschedule themselves by sleeping, waking and their tickets (Arpaci-Dusseau & Culler 1997, section 5).',
  usage:
    'Times are milliseconds of the model. Without flags: three schedulers on 8 machines; with any but --report, --json, --quiet: one run on 32.',
  flags,
  small: {
    machines: 2,
    tickets: '1,2',
    granularity: 20,
    warmUp: 200,
    measure: 300,
    latency: 1,
    patience: 60,
    timeout: 40,
  },
  setUp,
  about: ({ mix }) => ({ ...mix }),
  ...onCluster,
  oracle: (cluster, circumstances) => new MixOracle(cluster, circumstances),
  sometimes: [sometime('barrier opened', 'barrier', 'opened'), sometime('parallel job given up', 'barrier', 'aborted')],
  notes: (_, options) => [noteOf(options)],
  results: (run) => ({ values: valuesOf(run), ...told([run], run) }),
  jobs: ({ oracle }) => oracle.cpuCsv,
  checks: checksOf,
  page: coschedulingPage,
  demonstration: demonstrate,
})

function setUp(options: Options): Setup<MixCluster> {
  return { model: clusterOf(mixOf(options), options, options.seed, options.timeline) }
}

const nameOf = ({ gang, credit }: Options): string =>
  gang ? 'gang scheduler' : credit === 'none' ? 'basic stride' : 'stride with credit'

const noteOf = (options: Options): string =>
  `shares/coscheduling, ${nameOf(options)}, seed ${options.seed}: ${options.tickets.length} jobs on ${options.machines} machines`

/** A run on a perfect network in virtual time has no refusals, and no job is given up. */
function checksOf({ options, faults, broken, crashes, oracle }: MixRun): Check[] {
  const name = nameOf(options)
  const isCalm = faults.length === 0 && options.loss === 0 && options.time === 'virtual'
  return [
    none(`${name}: promises of proportional share broken`, inWords(broken)),
    none(`${name}: actors that died without a fault`, crashes),
    ...(isCalm ? [none(`${name}: refusals`, oracle.refusals), none(`${name}: jobs given up`, oracle.aborted)] : []),
  ]
}

const shown = (ratio: readonly (number | null)[]) => ratio.map((one) => rounded(one, 2)).join(' : ')

const inSeconds = (time: Time): string => `${rounded(toUnits(time) / 1000, 1)} s`

const SHORT = 'which is short: its ratios depend on the seed. For intervals: npx tsx scenarios/shares/converged.ts'

/** Everything that went wrong, one per line. */
const mishaps = ({ options, dead, oracle }: MixRun): string[] =>
  [
    ...oracle.aborted.map((line) => `given up: ${line}`),
    ...[...dead].map((address) => `dead at the end: ${address}`),
  ].map((line) => `${nameOf(options)}: ${line}`)

/** What is told of several runs, with the timeline of one of them. */
function told(runs: readonly MixRun[], detailed: MixRun): Pick<CommandOutcome, 'tables' | 'text' | 'drawn'> {
  const { mix, machines, measure } = detailed.model
  const { timeline } = detailed.oracle
  const table: ResultTable = {
    title: `${mix.tickets.join(' : ')} tickets for ${jobsOf(mix).join(', ')} on ${machines} machines`,
    columns: [
      ...[{ name: 'scheduler' }, { name: 'progress' }, { name: 'processor time' }],
      ...[{ name: 'slowdown', digits: 3 }, { name: 'barriers/s' }],
    ],
    rows: runs.map(({ options, oracle: { rates, cpu, slowdown } }) => [
      ...[nameOf(options), shown(perFirst(rates)), shown(perFirst(cpu)), slowdown],
      rates.map((rate) => rounded(rate, 1)).join(' '),
    ]),
    notes: [
      'progress and processor time: per that of the first job; slowdown: against gang scheduling with slots of 100 ms,',
      'by formula; jobs that were given up do not count after that',
      ...(isLong(toUnits(measure)) ? [] : [`each run measures ${inSeconds(measure)}, ${SHORT}`]),
      ...(mix.tickets.join() === '1,2,3' ? [`the paper, section 5.2, on 32 machines: 1 : ${PAPER.join(' : ')}`] : []),
    ],
  }
  const drawn =
    timeline.until > timeline.from
      ? [`jobs by machine and time, ${nameOf(detailed.options)}:`, timelineText(timeline, machinesOf({ machines }))]
      : []
  return { tables: [table], text: runs.flatMap(mishaps).join('\n'), drawn: drawn.join('\n') }
}

const valuesOf = ({ oracle: { rates, cpu, slowdown, aborted } }: MixRun) => ({
  ratio: perFirst(rates),
  cpuRatio: perFirst(cpu),
  slowdown,
  rates,
  aborted,
})

/** How near each scheduler comes to the ratio of the tickets, the nearest first. */
function comparisonOf(runs: readonly MixRun[]): Sentence[] {
  const [first] = runs
  if (!first) return []
  const { mix, measure } = first.model
  const due = perFirst(mix.tickets)
  const all = runs
    .map(({ options, oracle }) => ({ name: nameOf(options), ratio: perFirst(oracle.rates) }))
    .map((one) => ({ ...one, off: farthest(one.ratio, due) }))
    .toSorted((one, other) => one.off - other.off)
  const [nearest, ...others] = all.map(({ name, ratio, off }) => {
    const of = say`${ofRun(name, shown(ratio))} under ${ofRun(name, name)}`
    return Number.isFinite(off) ? say`${of} (at most ${Math.round(100 * off)} % off)` : of
  })
  return [
    say`Tickets ask for progress of ${shown(due)}; nearest to it is ${nearest ?? ''}, then ${listOf(others)}.`,
    `Each is one run of ${inSeconds(measure)}${isLong(toUnits(measure)) ? '' : ', which is short: the ratios depend on the seed'}.`,
  ]
}

/** The largest relative difference of a ratio from what is due. */
const farthest = (ratio: readonly (number | null)[], due: readonly (number | null)[]): number =>
  Math.max(...ratio.map((one, i) => Math.abs((one ?? Number.POSITIVE_INFINITY) / (due[i] ?? 1) - 1)))

/** Runs basic stride scheduling, credit for sleepers, and a gang scheduler, on few machines. */
async function demonstrate({
  options: given,
  note,
  show,
}: Stage<Options, MixCluster, MixOracle>): Promise<CommandOutcome> {
  const options = { ...given, machines: 8 }
  const shownRun = async (options: Options): Promise<MixRun> => {
    note(noteOf(options))
    return (await show(nameOf(options), options)).run
  }
  const credited = await shownRun(options)
  const basic = await shownRun({ ...options, credit: 'none' })
  const gang = await shownRun({ ...options, gang: true })
  const all = [basic, credited, gang]
  const resultsOf = (run: MixRun) => ({ ...valuesOf(run), ...mishapsOf(run) })
  return {
    results: { basic: resultsOf(basic), credited: resultsOf(credited), gang: resultsOf(gang) },
    checks: all.flatMap(checksOf),
    messages: sum(all, ({ messages }) => messages),
    ...told(all, credited),
    comparison: comparisonOf(all),
  }
}

await runProgram(coscheduling, import.meta.url)
