/**
 * One machine that shares its time by stride scheduling (Arpaci-Dusseau & Culler 1997, figures 1 and 2). It is
 * a scenario and not a figure, because those figures show the schedule of one run.
 */
import { runProgram } from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import { toUnits } from '../../lib/core/time.ts'
import type { Results } from '../../lib/scenario/definition.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { onCluster } from './model.ts'
import { flags, type Options } from './stride/flags.ts'
import { stridePage } from './stride/page.ts'
import { checksOf, SHOWN, StrideOracle, type StrideRun, sharesOf, shareTable, unevenness } from './stride/results.ts'
import { gantt, orderOf, wrapped } from './stride/schedule.ts'
import { setUp } from './stride/setup.ts'

/** The shortest quantum, in milliseconds, that timers and threads keep well. */
const MEANT_MS = 10

/** The scenario of one machine that divides its time by stride scheduling. */
export const stride = defineScenario({
  name: 'shares/stride',
  summary:
    'One machine divides its time by tickets: stride scheduling, with loans or credit for sleepers (Arpaci-Dusseau & Culler 1997).',
  usage: 'Without flags: figure 1.',
  flags,
  small: {
    clients: 'A:1,B:2,C:3,D:3',
    quanta: 20,
    sleeper: ['A:1:1', 'B:1.5:2', 'A:0.5:3'],
    policy: 'credit',
    preempt: true,
    switch: 0.1,
    latency: 1,
  },
  setUp,
  about: ({ sharing, orders }) => ({ sharing, orders: [...orders] }),
  ...onCluster,
  oracle: (machine, circumstances) => new StrideOracle(machine, circumstances),
  notes: (_, options) => notesOf(options),
  results: resultsIn,
  jobs: ({ oracle }) => oracle.cpuCsv,
  checks: checksOf,
  page: stridePage,
})

const notesOf = ({ clients, quanta, quantum, policy, seed, time, scale }: Options): string[] => [
  `shares/stride, ${policy}, seed ${seed}: ${clients.length} clients, ${quanta} quanta of ${printUnits(quantum)}`,
  ...(time === 'real' && toUnits(quantum) * scale < MEANT_MS
    ? [
        `quanta shorter than ${MEANT_MS} ms mean little in real time, since timers are not that exact (use a greater --scale)`,
      ]
    : []),
]

function resultsIn(run: StrideRun): Results {
  const { options, oracle } = run
  const { clients, quanta, quantum } = options
  const { schedule, refusals } = oracle
  schedule.close()
  const shares = sharesOf(options, schedule)
  const order = orderOf(schedule.ran)
  const of = (key: 'cpu' | 'share' | 'wanted' | 'error') =>
    Object.fromEntries(shares.map((share) => [share.name, share[key]]))
  const names = clients.slice(0, SHOWN).map(({ name }) => name)
  return {
    values: {
      order,
      cpu: of('cpu'),
      shares: of('share'),
      wanted: of('wanted'),
      errors: of('error'),
      unevenness: unevenness(options, schedule),
      refusals,
    },
    tables: [shareTable(shares, printUnits(quantum))],
    drawn: [...wrapped(order), '', ...gantt(names, schedule, quanta, quantum)].join('\n'),
  }
}

await runProgram(stride, import.meta.url)
