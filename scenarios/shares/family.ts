/** Proportional shares as a family: what commands and tests about every family need of it. */
import type { Family } from '../family.ts'
import { sharesCluster } from './cluster.ts'
import { coscheduling } from './coscheduling.ts'
import { placer } from './placer.ts'
import { stride } from './stride.ts'

/** The fair shares of Arpaci-Dusseau and Culler (1997): their scenarios, and what commands need of them. */
export const shares: Family = {
  name: 'shares',
  source: 'Arpaci-Dusseau and Culler 1997',
  scenarios: {
    'shares/cluster': sharesCluster,
    'shares/coscheduling': coscheduling,
    'shares/placer': placer,
    'shares/stride': stride,
  },
  machines: [
    'shares/barrier',
    'shares/gang',
    'shares/placer/placer',
    'shares/tickets/ticket-server',
    'shares/user',
    'processor/processor',
  ],
  studies: [
    ['shares/coscheduling/study', 'runPoint'],
    ['shares/placement/study', 'runPoint'],
    ['shares/sleepers/study', 'runPoint'],
  ],
  trace: {},
  picture: {
    flags: [
      '--until',
      '4000',
      '--quantum',
      '50',
      '--latency',
      '1',
      '--fault=partition m1 | m2,m3,m4 at 1500 until 2500',
    ],
  },
  figure: 'shares/sleepers',
}
