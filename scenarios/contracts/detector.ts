/**
 * The detector study: what clients would save if they knew at once that a site has died. Each setting runs with the failure
 * detector of the protocol, by probes, and with a perfect one, which only a simulator has.
 */
import { DETECTORS, type Detector } from '../../actors/contracts/terms.ts'
import { type Time, toUnits } from '../../lib/actor.ts'
import { type Interval, plainOf, type ResultTable } from '../../lib/core/table.ts'
import { sum } from '../../lib/core/tally.ts'
import { replicationSeeds } from '../../lib/experiment/replications.ts'
import { type Case, type Figure, type Measured, meanOf, pairedOf } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { flags, type Options, SEEDS } from './negotiation/flags.ts'
import { type Row, runner, type SettingRun, SITES } from './negotiation/setting.ts'
import { conclusionOf, shareOf } from './negotiation/tables.ts'

interface Run extends Case<Row, SettingRun> {
  readonly latency: Time
  readonly detector: Detector
}

type Found = Measured<Run, SettingRun>

const meanGivenUpAfter = ({ givenUpAfter }: SettingRun): number | null =>
  givenUpAfter.length === 0 ? null : sum(givenUpAfter) / givenUpAfter.length

/** The payments of clients with a perfect detector less those with probes, in points of the value offered, seed by seed. */
function beyondProbes(found: readonly Found[], latency: Time): Interval | null {
  const [perfect = [], probes = []] = (['perfect', 'probes'] as const).map(
    (detector) => found.find((one) => one.case.latency === latency && one.case.detector === detector)?.ran[0],
  )
  return pairedOf(perfect, probes, (one, other) => shareOf(one) - shareOf(other))
}

const tableOf = (found: readonly Found[]): ResultTable => ({
  title: 'A site dies: how soon its clients know, and what it costs',
  columns: [
    { name: 'latency', align: 'right' },
    { name: 'detector', align: 'left' },
    { name: 'contracts lost', digits: 1 },
    { name: 'given up after', unit: 'units', digits: 1 },
    { name: 'queries and answers', digits: 0 },
    { name: 'claims', unit: 'dollars', digits: 0 },
    { name: 'paid', unit: '% of the value offered', digits: 1 },
    { name: 'beyond probes', unit: 'points', digits: 1 },
  ],
  rows: found.map(({ case: { latency, detector }, ran: [runs = []] }) => [
    ...[toUnits(latency), detector],
    meanOf(runs, ({ givenUpAfter }) => givenUpAfter.length),
    meanOf(runs, meanGivenUpAfter),
    meanOf(runs, ({ queries }) => queries),
    meanOf(runs, ({ accounts }) => accounts[SITES.indexOf('dies')]?.claims ?? null),
    meanOf(runs, shareOf),
    detector === 'probes' ? '' : beyondProbes(found, latency),
  ]),
})

/** The conclusions, one sentence for each latency: the difference, or that these seeds show none. */
const conclusionsOf = (found: readonly Found[]): string[] =>
  found.flatMap(({ case: { latency, detector } }) => {
    const difference = detector === 'perfect' ? beyondProbes(found, latency) : null
    const choices = ['a perfect detector', 'probes'] as const
    return difference ? [`Latency ${toUnits(latency)}: ${conclusionOf(difference, choices)}.`] : []
  })

const figure: Figure<Options, Row, SettingRun, Run> = {
  name: 'contracts/detector',
  summary:
    'A site dies. Compares clients that find it out by probes with clients that know it at once, by a perfect failure detector.',
  usage: 'Exit 1 if a promise is broken.',
  flags,
  runner,
  plan: ({ seed, seeds = SEEDS, tasks, load, latency: latencies, runtime }) => ({
    about: `${tasks} tasks, ${seeds} seeds`,
    cases: latencies.flatMap((latency) =>
      DETECTORS.map((detector) => ({
        labels: [toUnits(latency), detector],
        latency,
        detector,
        rows: [{ tasks, load, stale: 'honour' as const, latency, detector, runtime }],
        seeds: replicationSeeds(seed, seeds),
        quantities: () => [],
      })),
    ),
    show: (measured) => {
      const [table, conclusions] = [tableOf(measured), conclusionsOf(measured)]
      return {
        tables: [table],
        values: table,
        results: { detectors: plainOf(table), conclusions },
        notes: [
          ...conclusions,
          `Means of ${seeds} seeds ± 95 %. The last site dies when a third of the tasks have come, and never comes back.`,
          'No mail is lost, so probes suspect no living site. A perfect detector is no protocol: no network can have one.',
        ],
      }
    },
  }),
}

await figureMain(figure)
