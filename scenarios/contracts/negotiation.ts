/** The negotiation study: the money of sites whose offers compete, and the cost of honouring an offer that no longer holds. */
import { STALE } from '../../actors/contracts/terms.ts'
import { plainOf } from '../../lib/core/table.ts'
import { figureMain } from '../study/main.ts'
import { figureOf } from './negotiation/study.ts'
import { chartOf, conclusionsOf, priceTable, sitesTable } from './negotiation/tables.ts'

const figure = figureOf(
  {
    name: 'contracts/negotiation',
    summary:
      'Several clients and sites; one site accepts everything and one dies. Shows what each site earns, pays and owes, and the cost of honouring an outdated offer.',
  },
  STALE,
  (stale) => ({ stale, detector: 'probes' }),
  (found, note) => {
    const [sites, price, conclusions] = [sitesTable(found), priceTable(found), conclusionsOf(found)]
    return {
      tables: [sites, price],
      values: sites,
      charts: [{ name: 'negotiation', chart: chartOf(found, STALE) }],
      results: { sites: plainOf(sites), price: plainOf(price), conclusions },
      answer:
        conclusions.length > 0
          ? ['Do clients pay less if sites renege on outdated awards than if they honour them?', ...conclusions]
          : [],
      notes: [
        ...conclusions,
        note,
        'A penalty is what a site pays for a task with a negative yield. A claim is what the dead site owes: the price that it had',
        'promised less the yield at another site.',
      ],
    }
  },
)

await figureMain(figure)
