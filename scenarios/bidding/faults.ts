/** The command that runs random fault plans under the three protocols and shows their costs. */
import { faultMain, percent, share } from '../faults/main.ts'
import { KINDS } from './faults/plans.ts'
import { TOLLS } from './faults/study.ts'
import { PROTOCOLS } from './model.ts'

await faultMain({
  name: 'bidding/faults',
  summary: 'Random fault plans under DSP, eager and random: every task of a living client is done exactly once.',
  module: new URL('./faults/study.ts', import.meta.url),
  tolls: TOLLS,
  plans: 30,
  threads: 2,
  of: ' for each protocol',
  groups: PROTOCOLS.flatMap((protocol) =>
    KINDS.map((kind) => ({ name: `${protocol} ${kind}`, point: { protocol, kind } })),
  ),
  heads: [{ name: 'protocol' }, { name: 'faults', align: 'left' }],
  columns: [
    [{ name: 'flow time', unit: 'times', digits: 2 }, (toll) => share(toll.flow, toll.calmFlow)],
    [{ name: 'messages', unit: 'times', digits: 2 }, (toll) => share(toll.messages, toll.calmMessages)],
    [{ name: 'restarts', unit: '/100 tasks', digits: 1 }, ({ restarts, tasks }) => percent(restarts, tasks)],
    [{ name: 'wasted work', unit: '%', digits: 1 }, ({ wasted, work }) => percent(wasted, work)],
    [{ name: 'deaths noticed' }, ({ detected }) => detected],
    [{ name: 'after', unit: 'units', digits: 1 }, ({ detection, detected }) => share(detection, detected)],
    [{ name: 'wronged', unit: '/100 tasks', digits: 1 }, ({ wronged, tasks }) => percent(wronged, tasks)],
  ],
  notes: [
    'Times: relative to the same tasks without faults. Wasted: in % of the work that had a result. After: from the death of a machine,',
    'or the award if that came later, until its client gave it up. Wronged: given up though it lived. Clients query every 10 units.',
  ],
})
