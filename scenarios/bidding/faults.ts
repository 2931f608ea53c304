/** What faults do to the three protocols: 300 random plans of each kind break nothing, and this is what they cost. */
import { type Invocation, type OptionsOf, type Outcome, runMain } from '../../lib/cli.ts'
import { plainOf, type ResultTable, textOf } from '../../lib/experiment/report.ts'
import { checkOf, type Group, percent, share, soak, soakFlags } from '../faults/soak.ts'
import { KINDS } from './faults/plans.ts'
import { TOLLS } from './faults/study.ts'
import { PROTOCOLS } from './run.ts'

const flags = soakFlags(30, 2, ' for each protocol')
type Options = OptionsOf<typeof flags>

const GROUPS = PROTOCOLS.flatMap((protocol) =>
  KINDS.map((kind) => ({ name: `${protocol} ${kind}`, point: { protocol, kind } })),
) satisfies readonly Group[]

interface Suffered {
  readonly group: (typeof GROUPS)[number]
  readonly toll: typeof TOLLS.empty
}

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const soaked = await soak(GROUPS, new URL('./faults/study.ts', import.meta.url), invocation)
  const tolls = soaked.map(({ group, results }): Suffered => ({ group, toll: TOLLS.sum(results) }))
  const table = tableOf(tolls)
  return {
    results: { table: plainOf(table) },
    checks: tolls.map(({ group: { point }, toll }) =>
      checkOf(`${point.protocol}, ${point.kind}`, toll.plans, toll.violations),
    ),
    messages: tolls.reduce((sum, { toll }) => sum + toll.messages, 0),
    text: textOf(table),
  }
}

const tableOf = (tolls: readonly Suffered[]): ResultTable => ({
  title: 'What faults cost',
  columns: [
    { name: 'protocol' },
    { name: 'faults', align: 'left' },
    { name: 'plans' },
    { name: 'flow time', unit: 'times', digits: 2 },
    { name: 'messages', unit: 'times', digits: 2 },
    { name: 'restarts', unit: '/100 tasks', digits: 1 },
    { name: 'wasted work', unit: '%', digits: 1 },
    { name: 'deaths noticed' },
    { name: 'after', unit: 'units', digits: 1 },
    { name: 'wronged', unit: '/100 tasks', digits: 1 },
  ],
  rows: tolls.map(({ group: { point }, toll }) => [
    point.protocol,
    point.kind,
    toll.plans,
    share(toll.flow, toll.calmFlow),
    share(toll.messages, toll.calmMessages),
    percent(toll.restarts, toll.tasks),
    percent(toll.wasted, toll.work),
    toll.detected,
    share(toll.detection, toll.detected),
    percent(toll.wronged, toll.tasks),
  ]),
  notes: [
    'Times: of the same tasks without faults. Wasted: of the work that had a result. After: from the death of a machine, or',
    'the award if that came later, until the client gave it up. Wronged: given up though it lived. Clients ask every 10 units.',
  ],
})

await runMain({
  name: 'bidding/faults',
  summary: 'Random plans of faults under DSP, eager and random: every task of a client that lives is done, once.',
  usage: 'Exit 1 if a plan broke a promise; the plan is named.',
  flags,
  main,
})
