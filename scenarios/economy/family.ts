/** The economy as a family: what commands and tests about every family need of it. */
import { ATTEMPTS, type Family } from '../family.ts'
import { economyRun } from './run.ts'

/** The economy of Stoica et al. (1995): its scenarios, and what commands need of them. */
export const economy: Family = {
  name: 'economy',
  source: 'Stoica et al. 1995',
  scenarios: {
    'economy/run': economyRun,
  },
  machines: ['economy/bank', 'economy/scheduler', 'economy/user', 'processor/processor'],
  studies: [
    ['economy/starvation/study', 'runPoint'],
    ['economy/study/point', 'runPoint'],
    ['economy/traces/study', 'runPoint'],
  ],
  trace: { renamed: ATTEMPTS },
  picture: { flags: '--processors 24 --load 0.9 --span 1500'.split(' ') },
  figure: 'economy/figure-3-4 --loads 0.3,0.5,0.7,0.9 --seeds 4 --span 2000',
}
