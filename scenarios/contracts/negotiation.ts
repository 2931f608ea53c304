/** The negotiation study: the money of sites whose offers compete, and the cost of honouring an offer that no longer holds. */
import { STALE } from '../../actors/contracts/terms.ts'
import { type Time, toUnits } from '../../lib/actor.ts'
import {
  duration,
  integer,
  number,
  type OptionsOf,
  type Parser,
  seedFlags,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { plainOf } from '../../lib/core/table.ts'
import { replicationSeeds } from '../../lib/experiment/replications.ts'
import type { Figure } from '../study/figure.ts'
import { runtimeFlag, seedsFlag } from '../study/flags.ts'
import { figureMain } from '../study/main.ts'
import { reportFlags, sweepFlags } from '../sweep-flags.ts'
import { type Row, runner, type SettingRun } from './negotiation/setting.ts'
import { chartOf, conclusionsOf, priceTable, type Run, sitesTable } from './negotiation/tables.ts'

const durations: Parser<readonly Time[]> = (given, flag) => {
  const times = given.split(',').map((one) => duration(one, flag))
  if (new Set(times).size === times.length) return times
  throw UsageError.repeated(flag, 'each time')
}

const SEEDS = 12

const flags = {
  ...seedFlags,
  runtime: runtimeFlag,
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
  seeds: seedsFlag(`default ${SEEDS}`),
  ...sweepFlags,
  ...reportFlags,
}

type Options = OptionsOf<typeof flags>

const figure: Figure<Options, Row, SettingRun, Run> = {
  name: 'contracts/negotiation',
  summary:
    'Several clients and sites; one site accepts everything and one dies. Shows what each site earns, pays and owes, and the cost of honouring an outdated offer.',
  usage: 'Exit 1 if a promise is broken.',
  flags,
  runner,
  plan: ({ seed, seeds = SEEDS, tasks, load, latency: latencies, runtime }) => ({
    about: `${tasks} tasks, ${seeds} seeds`,
    cases: latencies.flatMap((latency) =>
      STALE.map((stale) => ({
        labels: [toUnits(latency), stale],
        latency,
        stale,
        rows: [{ tasks, load, stale, latency, runtime }],
        seeds: replicationSeeds(seed, seeds),
        quantities: () => [],
      })),
    ),
    show: (measured) => {
      const [sites, price, conclusions] = [sitesTable(measured), priceTable(measured), conclusionsOf(measured)]
      return {
        tables: [sites, price],
        values: sites,
        charts: [{ name: 'negotiation', chart: chartOf(measured) }],
        results: { sites: plainOf(sites), price: plainOf(price), conclusions },
        notes: [
          ...conclusions,
          `Means of ${seeds} seeds ± 95 %. The last site dies when a third of the tasks have come, and never comes back.`,
          'A penalty is what a site pays for a task with a negative yield. A claim is what the dead site owes: the price that it had',
          'promised less the yield at another site.',
        ],
      }
    },
  }),
}

await figureMain(figure)
