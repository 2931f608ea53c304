/** The negotiation study: the money of sites whose offers compete, and the cost of honouring an offer that no longer holds. */
import { STALE } from '../../actors/contracts/terms.ts'
import { toUnits } from '../../lib/actor.ts'
import { plainOf } from '../../lib/core/table.ts'
import { replicationSeeds } from '../../lib/experiment/replications.ts'
import type { Figure } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { flags, type Options, SEEDS } from './negotiation/flags.ts'
import { type Row, runner, type SettingRun } from './negotiation/setting.ts'
import { chartOf, conclusionsOf, priceTable, type Run, sitesTable } from './negotiation/tables.ts'

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
        rows: [{ tasks, load, stale, latency, detector: 'probes', runtime }],
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
