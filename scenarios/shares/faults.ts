/** The command that runs random fault plans on a cluster and shows their costs. */
import { byKind, faultMain, percent, share } from '../faults/main.ts'
import { KINDS } from './faults/plans.ts'
import { TOLLS } from './faults/study.ts'

await faultMain({
  name: 'shares/faults',
  summary: 'Random fault plans: shares recover, jobs that lost a member are given up, and no actor waits for ever.',
  module: new URL('./faults/study.ts', import.meta.url),
  tolls: TOLLS,
  plans: 5,
  threads: 1,
  ...byKind(KINDS),
  columns: [
    [{ name: 'broken' }, ({ violations }) => violations.length],
    [{ name: 'processor time lost', unit: '%', digits: 1 }, ({ cpu, calmCpu }) => percent(calmCpu - cpu, calmCpu)],
    [
      { name: 'barriers lost', unit: '%', digits: 1 },
      ({ rounds, calmRounds }) => percent(calmRounds - rounds, calmRounds),
    ],
    [{ name: 'messages', unit: 'times', digits: 2 }, (toll) => share(toll.messages, toll.calmMessages)],
    [{ name: 'given up', unit: '/100 jobs', digits: 1 }, ({ givenUp, jobs }) => percent(givenUp, jobs)],
    [{ name: 'wronged', unit: '/100 jobs', digits: 1 }, ({ wronged, jobs }) => percent(wronged, jobs)],
    [{ name: 'after', unit: 'ms', digits: 0 }, ({ detection, detected }) => share(detection, detected)],
    [{ name: 'stale', unit: 'ms', digits: 0 }, ({ stale, staled }) => share(stale, staled)],
  ],
  notes: [
    'Lost, and times: compared with the same plan without faults. Wronged: given up though all members lived, because one could not be',
    'reached, or four questions to it or their answers were lost. After: from the loss of a member until its job was given up; barriers are patient for 250 ms. Stale: from the',
    'end of all faults until shares were exact, where they were not; ticket servers report every 200 ms.',
  ],
})
