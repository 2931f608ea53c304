/** The fault study of the economy: random plans of each kind lose no job and no money, and the table shows their cost. */
import { byKind, faultMain, percent, share } from '../faults/main.ts'
import { KINDS } from './faults/plans.ts'
import { TOLLS } from './faults/study.ts'

await faultMain({
  name: 'economy/faults',
  summary:
    'Random fault plans on 2 to 12 processors: every job of a living user ends once, and no money is created or lost.',
  module: new URL('./faults/study.ts', import.meta.url),
  tolls: TOLLS,
  plans: 15,
  threads: 1,
  ...byKind(KINDS),
  columns: [
    [{ name: 'broken' }, ({ violations }) => violations.length],
    [{ name: 'response', unit: 'times', digits: 2 }, (toll) => share(toll.response, toll.calmResponse)],
    [{ name: 'messages', unit: 'times', digits: 2 }, (toll) => share(toll.messages, toll.calmMessages)],
    [{ name: 'failures', unit: '/100 jobs', digits: 1 }, ({ failures, jobs }) => percent(failures, jobs)],
    [{ name: 'wasted work', unit: '%', digits: 1 }, ({ wasted, busy }) => percent(wasted, busy)],
    [{ name: 'refused', unit: '/100 jobs', digits: 1 }, ({ refused, jobs }) => percent(refused, jobs)],
    [{ name: 'forfeited', unit: '% of income', digits: 1 }, ({ forfeited, received }) => percent(forfeited, received)],
  ],
  notes: [
    'Times: relative to the same jobs without faults, for jobs that finished in both runs. Failures: attempts that lost a',
    'processor or seemed to; their payment is refunded. Refused: wider than the rest of the machine; their balances are forfeited.',
  ],
})
