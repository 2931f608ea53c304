/** The negotiation study: the money of sites whose offers compete, and the cost of honouring an offer that no longer holds. */
import { join } from 'node:path'
import { STALE } from '../../actors/contracts/terms.ts'
import { type Time, toUnits } from '../../lib/actor.ts'
import {
  type Check,
  duration,
  type Invocation,
  integer,
  makeFolder,
  named,
  none,
  number,
  type OptionsOf,
  type Outcome,
  oneOf,
  type Parser,
  resultFile,
  runMain,
  seedFlags,
  UsageError,
  value,
  writeResult,
} from '../../lib/cli/index.ts'
import { csvOf, markdownOf, plainOf, textOf } from '../../lib/core/table.ts'
import { svgOf } from '../../lib/experiment/chart.ts'
import { replicationSeed } from '../../lib/experiment/replications.ts'
import { checksOf } from '../../lib/scenario/verdict.ts'
import { reportFlags, sweepFlags } from '../sweep-flags.ts'
import { runSetting, type SettingRun, SITES } from './negotiation/setting.ts'
import { chartOf, conclusionsOf, type Found, priceTable, sitesTable } from './negotiation/tables.ts'

const durations: Parser<readonly Time[]> = (given, flag) => {
  const times = given.split(',').map((one) => duration(one, flag))
  if (new Set(times).size === times.length) return times
  throw UsageError.repeated(flag, 'each time')
}

const flags = {
  ...seedFlags,
  runtime: value({
    metavar: 'threads|inline',
    fallback: 'inline',
    parse: oneOf('threads', 'inline'),
    help: 'run each actor in a worker thread, or all in one thread; same results',
  }),
  tasks: value({
    metavar: 'N',
    fallback: '200',
    parse: integer({ min: 10, max: 100_000 }),
    help: 'number of tasks that arrive',
  }),
  load: value({
    metavar: 'U',
    fallback: '1.2',
    parse: number({ above: 0, max: 1000 }),
    help: 'work that arrives in a unit, divided by all processors, before one site dies',
  }),
  latency: value({
    metavar: 'T,...',
    fallback: '0,5,20',
    parse: durations,
    help: 'delay of every message, in units; the mean runtime is 100',
  }),
  seeds: value({
    metavar: 'N',
    fallback: '12',
    parse: integer({ min: 2, max: 1000 }),
    help: 'runs of each setting, whose spread gives the intervals',
  }),
  csv: sweepFlags.csv,
  ...reportFlags,
}

type Options = OptionsOf<typeof flags>

async function runAll({ options, progress, onInterrupt }: Invocation<Options>): Promise<Found[]> {
  const { seed, seeds, tasks, load, latency: latencies, runtime } = options
  const total = latencies.length * STALE.length * seeds
  let done = 0
  const found: Found[] = []
  for (const latency of latencies) {
    for (const stale of STALE) {
      const runs: SettingRun[] = []
      for (let i = 0; i < seeds; i++) {
        const setting = { seed: replicationSeed(seed, i), tasks, load, stale, latency }
        runs.push(await runSetting(setting, { runtime }, (system) => onInterrupt(() => system.stop())))
        progress(++done, total, `${done} of ${total} runs`)
      }
      found.push({ latency, stale, runs })
    }
  }
  return found
}

/** One check of each kind over all runs. */
function checksIn(found: readonly Found[]): Check[] {
  const all = found.flatMap(({ latency, stale, runs }) =>
    runs.flatMap(({ run }, i) => checksOf(run).map(named(`latency ${toUnits(latency)}, ${stale}, seed ${i + 1}`))),
  )
  const failed = all.filter(({ ok }) => !ok)
  return [
    none(
      'runs that violated an invariant, lost an actor unasked or did not end',
      failed.map(({ name }) => name),
    ),
    ...failed,
  ]
}

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note } = invocation
  const { csv, markdown, svg, seed, seeds, tasks } = options
  const writeCsv = resultFile(csv, '--csv')
  const writeMarkdown = resultFile(markdown, '--markdown')
  if (svg !== undefined) makeFolder(svg, '--svg')
  note(`contracts/negotiation, seed ${seed}: ${SITES.length} sites (one dies), ${tasks} tasks, ${seeds} seeds`)
  const found = await runAll(invocation)
  const [sites, price] = [sitesTable(found), priceTable(found)]
  const conclusions = conclusionsOf(found)
  const notes = [
    ...conclusions,
    `Means of ${seeds} seeds ± 95 %. The last site dies when a third of the tasks have come, and never comes back.`,
    'A penalty is what a site pays for a task with a negative yield. A claim is what the dead site owes: the price that it had',
    'promised less the yield at another site.',
  ]
  writeCsv(csvOf(sites))
  writeMarkdown([markdownOf(sites), markdownOf(price), ...notes, ''].join('\n'))
  if (svg !== undefined) writeResult(join(svg, 'negotiation.svg'), svgOf(chartOf(found)), '--svg')
  return {
    results: { sites: plainOf(sites), price: plainOf(price), conclusions },
    checks: checksIn(found),
    messages: found.reduce((sum, { runs }) => sum + runs.reduce((part, { run }) => part + run.messages, 0), 0),
    text: [textOf(sites), textOf(price), ...notes].join('\n'),
    exhibits: { tables: [sites, price], charts: [chartOf(found)] },
  }
}

await runMain({
  name: 'contracts/negotiation',
  summary:
    'Several clients and sites; one site accepts everything and one dies. Shows what each site earns, pays and owes, and the cost of honouring an outdated offer.',
  usage: 'Exit 1 if a promise is broken.',
  flags,
  main,
})
