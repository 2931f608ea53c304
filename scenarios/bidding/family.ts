/** Task bidding as a family: what commands and tests about every family need of it. */
import { UNIT } from '../../lib/core/time.ts'
import { ATTEMPTS, type Family, faultPlans, PROCESSORS } from '../family.ts'
import { KINDS, planOf } from './faults/plans.ts'
import { biddingMarket } from './market.ts'
import { PROTOCOLS } from './model.ts'
import { marketTasks } from './trace/tasks.ts'

export const bidding: Family = {
  name: 'bidding',
  source: 'Malone et al. 1986',
  scenarios: {
    'bidding/market': biddingMarket,
  },
  machines: [
    'bidding/dsp/client',
    'bidding/dsp/contractor',
    'bidding/eager/client',
    'bidding/eager/contractor',
    'bidding/random/client',
    'bidding/random/contractor',
    'processor/processor',
  ],
  studies: [
    ['bidding/compare/replication', 'replication'],
    ['bidding/faults/study', 'toll'],
    ['bidding/study/cell', 'runPoint'],
  ],
  computations: [['bidding/render/picture', 'renderTile']],
  trace: { timeline: PROCESSORS, tasks: marketTasks, renamed: ATTEMPTS },
  faultPlans: PROTOCOLS.map((protocol) =>
    faultPlans(protocol, KINDS, (kind, seed) => {
      const plan = planOf(protocol, kind, seed)
      return {
        specification: biddingMarket.specify(plan.market, plan.options, plan.faults),
        span: plan.market.jobs.at(-1)?.arrival ?? UNIT,
      }
    }),
  ),
}
