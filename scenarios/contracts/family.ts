/** The contracts market as a family: what commands and tests about every family need of it. */
import { ATTEMPTS, type Family } from '../family.ts'
import { contractsRun } from './run.ts'

/** The contracts of Irwin et al. (2004): their scenarios, and what commands need of them. */
export const contracts: Family = {
  name: 'contracts',
  source: 'Irwin, Grit and Chase 2004',
  scenarios: {
    'contracts/run': contractsRun,
  },
  machines: ['contracts/broker', 'contracts/client', 'contracts/site', 'processor/processor'],
  studies: [
    ['contracts/negotiation/setting', 'runPoint'],
    ['contracts/study/point', 'runPoint'],
  ],
  trace: { renamed: ATTEMPTS },
  picture: { flags: '--tasks 60 --sites 2 --processors 2'.split(' ') },
  figure: 'contracts/figure-6 --seeds 5',
}
