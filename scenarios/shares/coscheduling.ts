/**
 * Parallel jobs that coschedule themselves: their processes run together although no actor decides which job runs
 * when.
 */
import { processorTimeline } from '../../actors/processor/timeline.ts'
import {
  type Check,
  faultsOf,
  type Invocation,
  none,
  type Outcome,
  resultFile,
  runMain,
  systemOptions,
} from '../../lib/cli/index.ts'
import { rounded, table } from '../../lib/core/table.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import { mishapsOf } from '../../lib/scenario/verdict.ts'
import { flags, mixOf, type Options } from './coscheduling/flags.ts'
import {
  aboutOf,
  addressesOfMix,
  cpuRatio,
  jobsOf,
  type Mix,
  type Progress,
  progressRatio,
  runMix,
} from './coscheduling/one-run.ts'
import { Timeline, timelineText } from './coscheduling/timeline.ts'
import { cpuCsv, machinesOf } from './one-run.ts'
import { PAPER } from './paper/converged.ts'

interface Measured extends Progress {
  readonly name: string
  readonly mix: Mix
  readonly timeline: Timeline
}

type RunContext = Pick<Invocation<Options>, 'onSystem' | 'note'>

async function measure(name: string, mix: Mix, options: Options, context: RunContext): Promise<Measured> {
  const { seed, warmUp, jobsOut } = options
  const until = warmUp + options.measure
  const faults = faultsOf(options, addressesOfMix(mix, seed))
  const how = systemOptions(options, aboutOf(mix, faults))
  const writeJobs = resultFile(jobsOut, '--jobs-out')
  const timeline = new Timeline(options.timeline, until)
  context.note(
    `shares/coscheduling, ${name}, seed ${seed}: ${mix.tickets.length} jobs on ${mix.parameters.nodes} machines`,
  )
  const progress = await runMix(mix, { warmUp, measure: options.measure }, how, {
    faults,
    onSystem: context.onSystem,
    onFact: (fact, { who, at }) => timeline.fold(fact, who, at),
  })
  writeJobs(cpuCsv(progress.run))
  return { ...progress, name, mix, timeline }
}

function checksOf({ name, run, aborted }: Measured, isCalm: boolean): Check[] {
  return [
    none(`${name}: promises of proportional share broken`, run.broken),
    none(`${name}: actors that died without a fault`, run.crashes),
    ...(isCalm ? [none(`${name}: refusals`, run.refusals), none(`${name}: jobs given up`, aborted)] : []),
  ]
}

const shown = (ratio: readonly (number | null)[]) => ratio.map((one) => rounded(one, 2)).join(' : ')

/** Everything that went wrong, one per line. */
const mishaps = ({ name, run, aborted }: Measured): string[] =>
  [
    ...aborted.map((line) => `given up: ${line}`),
    ...[...run.dead].map((address) => `dead at the end: ${address}`),
    ...run.missed.map((fault) => `never happened: ${printFault(fault)}`),
    ...[...run.deadLetters].map(([reason, count]) => `dead letters, ${reason}: ${count}`),
  ].map((line) => `${name}: ${line}`)

function textOf(measured: readonly Measured[], [detailed]: readonly Measured[]): string {
  const [{ mix } = detailed ?? {}] = measured
  if (!detailed || !mix) return ''
  const rows = measured.map((one) => [
    one.name,
    shown(progressRatio(one)),
    shown(cpuRatio(one)),
    rounded(one.slowdown, 3),
    one.rates.map((rate) => rounded(rate, 1)).join(' '),
  ])
  const machines = machinesOf({ machines: mix.parameters.nodes })
  const { timeline } = detailed
  return [
    `${mix.tickets.join(' : ')} tickets for ${jobsOf(mix).join(', ')} on ${mix.parameters.nodes} machines`,
    '',
    table(['', 'progress', 'processor time', 'slowdown', 'barriers/s'], rows, (column) => column === 0),
    '',
    'progress and processor time: per that of the first job; slowdown: against gang scheduling with slots of 100 ms,',
    'by formula; jobs that were given up do not count after that',
    ...(mix.tickets.join() === '1,2,3' ? [`the paper, section 5.2, on 32 machines: 1 : ${PAPER.join(' : ')}`] : []),
    ...measured.flatMap(mishaps),
    ...(timeline.until > timeline.from
      ? ['', `jobs by machine and time, ${detailed.name}:`, timelineText(timeline, machines)]
      : []),
  ].join('\n')
}

function resultsOf({ rates, run, aborted, ...measured }: Measured): Outcome['results'] {
  const { slowdown } = measured
  return {
    ratio: progressRatio({ rates }),
    cpuRatio: cpuRatio(measured),
    slowdown,
    rates,
    aborted,
    ...mishapsOf(run),
  }
}

/** Runs basic stride scheduling, credit for sleepers, and a gang scheduler, on few machines. */
async function demonstrate(invocation: Invocation<Options>): Promise<Outcome> {
  const options = { ...invocation.options, machines: 8 }
  const credited = await measure('stride with credit', mixOf(options), options, invocation)
  const basic = await measure('basic stride', mixOf({ ...options, credit: 'none' }), options, invocation)
  const gang = await measure('gang scheduler', mixOf({ ...options, gang: true }), options, invocation)
  const all = [basic, credited, gang]
  return {
    results: { basic: resultsOf(basic), credited: resultsOf(credited), gang: resultsOf(gang) },
    checks: all.flatMap((one) => checksOf(one, true)),
    messages: all.reduce((sum, { run }) => sum + run.messages, 0),
    text: textOf(all, [credited]),
  }
}

async function runOnce(invocation: Invocation<Options>): Promise<Outcome> {
  const { options } = invocation
  const { fault, kill, loss, time, gang, credit } = options
  const name = gang ? 'gang scheduler' : credit === 'none' ? 'basic stride' : 'stride with credit'
  const measured = await measure(name, mixOf(options), options, invocation)
  const isCalm = fault.length === 0 && kill.length === 0 && loss === 0 && time === 'virtual'
  return {
    results: resultsOf(measured),
    checks: checksOf(measured, isCalm),
    messages: measured.run.messages,
    text: textOf([measured], [measured]),
  }
}

await runMain({
  name: 'shares/coscheduling',
  summary:
    'Parallel jobs coschedule themselves by sleeping, waking and their tickets (Arpaci-Dusseau & Culler 1997, section 5).',
  usage:
    'Times are milliseconds of the model. Without flags: three schedulers on 8 machines; with any but --report, --json, --quiet: one run on 32.',
  flags,
  timeline: processorTimeline(),
  main: (invocation) => (invocation.isDemonstration ? demonstrate(invocation) : runOnce(invocation)),
})
