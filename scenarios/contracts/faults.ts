/** The fault study of contracts: random plans of each kind leave no contract unsettled, and the table shows their cost. */
import { byKind, faultMain, percent, share } from '../faults/main.ts'
import { KINDS } from './faults/plans.ts'
import { TOLLS } from './faults/study.ts'

await faultMain({
  name: 'contracts/faults',
  summary:
    'Random fault plans on a few sites: no task has two contracts or is paid twice, and each is settled or has a recorded claim.',
  module: new URL('./faults/study.ts', import.meta.url),
  tolls: TOLLS,
  plans: 15,
  threads: 1,
  ...byKind(KINDS),
  columns: [
    [{ name: 'broken' }, ({ violations }) => violations.length],
    [
      { name: 'yield lost', unit: '% of value', digits: 1 },
      ({ calmYield, yield: had, offered }) => percent(calmYield - had, offered),
    ],
    [{ name: 'messages', unit: 'times', digits: 2 }, (toll) => share(toll.messages, toll.calmMessages)],
    [{ name: 'failures', unit: '/100 tasks', digits: 1 }, ({ failures, tasks }) => percent(failures, tasks)],
    [{ name: 'given up', unit: '/100 contracts', digits: 1 }, ({ lost, contracts }) => percent(lost, contracts)],
    [
      { name: 'done in vain', unit: '/100 contracts', digits: 1 },
      ({ wasted, contracts }) => percent(wasted, contracts),
    ],
    [{ name: 'claimed', unit: '% of value', digits: 1 }, ({ claimed, offered }) => percent(claimed, offered)],
    [{ name: 'no site', unit: '/100 tasks', digits: 1 }, ({ unplaced, tasks }) => percent(unplaced, tasks)],
  ],
  notes: [
    'Yield and messages: relative to the same tasks without faults; the value is that of all tasks without delay. Failures:',
    'executions that lost their processor or seemed to. Given up: the site did not answer; its contract stands, and the client',
    'looks for another site. In vain: finished after another site had finished the task.',
  ],
})
