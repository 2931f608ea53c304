/** Task bidding as a family: what commands and tests about every family need of it. */
import { ATTEMPTS, type Family } from '../family.ts'
import { biddingMarket } from './market.ts'
import { marketTasks } from './trace/tasks.ts'

/** The market of Malone et al. (1986): its scenarios, and what commands need of them. */
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
    ['bidding/study/cell', 'runPoint'],
  ],
  computations: [['bidding/render/picture', 'render']],
  trace: { tasks: marketTasks, renamed: ATTEMPTS },
  picture: {
    flags: [
      '--tasks',
      '40',
      '--latency',
      '1',
      '--query',
      '20',
      '--timeout',
      '10',
      '--kill=@m1 at 285',
      '--fault=restart @m1 at 420',
    ],
    link: 'task 12',
  },
  figure: 'bidding/alternatives --quick',
}
