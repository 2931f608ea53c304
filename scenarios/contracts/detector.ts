/**
 * The detector study: what clients would save if they knew at once that a site has died. Each setting runs with the failure
 * detector of the protocol, by probes, and with a perfect one, which only a simulator has.
 */
import { DETECTORS, type Detector } from '../../actors/contracts/terms.ts'
import { toUnits } from '../../lib/actor.ts'
import { plainOf, type ResultTable } from '../../lib/core/table.ts'
import { meanOf as mean } from '../../lib/core/tally.ts'
import { meanOf } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { SITES } from './negotiation/setting.ts'
import { beyond, conclusionsOf, type Found, figureOf, shareOf } from './negotiation/study.ts'
import { chartOf } from './negotiation/tables.ts'

const COMPARED = ['perfect', 'probes'] as const

const tableOf = (found: readonly Found<Detector>[]): ResultTable => ({
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
  rows: found.map(({ case: { latency, choice: detector }, ran: [runs = []] }) => [
    ...[toUnits(latency), detector],
    meanOf(runs, ({ givenUpAfter }) => givenUpAfter.length),
    meanOf(runs, (run) => mean(run.givenUpAfter)),
    meanOf(runs, ({ queries }) => queries),
    meanOf(runs, ({ accounts }) => accounts[SITES.indexOf('dies')]?.claims ?? null),
    meanOf(runs, shareOf),
    detector === 'probes' ? '' : beyond(found, latency, COMPARED),
  ]),
})

const figure = figureOf(
  {
    name: 'contracts/detector',
    summary:
      'A site dies. Compares clients that find it out by probes with clients that know it at once, by a perfect failure detector.',
  },
  DETECTORS,
  (detector) => ({ stale: 'honour', detector }),
  (found, note) => {
    const [table, conclusions] = [tableOf(found), conclusionsOf(found, COMPARED, ['a perfect detector', 'probes'])]
    return {
      tables: [table],
      values: table,
      charts: [{ name: 'detector', chart: chartOf(found, DETECTORS) }],
      results: { detectors: plainOf(table), conclusions },
      answer:
        conclusions.length > 0
          ? ['Do clients pay less if a perfect detector tells them of a death than if they probe?', ...conclusions]
          : [],
      notes: [
        ...conclusions,
        note,
        'No mail is lost, so probes suspect no living site. A perfect detector is no protocol: no network can have one.',
      ],
    }
  },
)

await figureMain(figure)
