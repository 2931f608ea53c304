/** Faults on a mesh: random plans of each kind check that no cell has two owners, and measure the cost. */
import { byKind, faultMain, percent, share } from '../faults/main.ts'
import { KINDS } from './faults/plans.ts'
import { TOLLS } from './faults/study.ts'

await faultMain({
  name: 'mesh/faults',
  summary:
    'Random fault plans on meshes up to 8x8: every cell has one owner at every moment, and each job ends or its user hears that it failed.',
  module: new URL('./faults/study.ts', import.meta.url),
  tolls: TOLLS,
  plans: 15,
  threads: 1,
  ...byKind(KINDS),
  columns: [
    [{ name: 'broken' }, ({ violations }) => violations.length],
    [{ name: 'jobs done', unit: '%', digits: 1 }, ({ ended, jobs }) => percent(ended, jobs)],
    [{ name: 'begun', unit: 'times', digits: 2 }, ({ attempts, jobs }) => share(attempts, jobs)],
    [{ name: 'asked', unit: '/plan', digits: 1 }, ({ queries, plans }) => share(queries, plans)],
    [{ name: 'placed again', unit: '/plan', digits: 1 }, ({ placements, plans }) => share(placements, plans)],
    [{ name: 'messages', unit: 'times', digits: 2 }, (toll) => share(toll.messages, toll.calmMessages)],
    [
      { name: 'time', unit: 'times', digits: 2 },
      ({ time, ended, calmTime, calmEnded }) => share(time * calmEnded, calmTime * ended),
    ],
  ],
  notes: [
    'Begun: attempts per job; a job that fails is begun three times at most. Asked: the allocator asked all jobs for their cells;',
    'placed again: all jobs were placed from scratch. Messages and mean time to the end: relative to the same jobs without faults.',
  ],
})
