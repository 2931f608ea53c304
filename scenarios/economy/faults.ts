/** What faults do to the economy: 300 random plans of each kind lose no job and no money, and this is what they cost. */
import { type Invocation, type OptionsOf, type Outcome, runMain } from '../../lib/cli.ts'
import { plainOf, type ResultTable, textOf } from '../../lib/experiment/report.ts'
import { checkOf, type Group, percent, share, soak, soakFlags } from '../faults/soak.ts'
import { KINDS } from './faults/plans.ts'
import { TOLLS } from './faults/study.ts'

const flags = soakFlags(15, 1, '')
type Options = OptionsOf<typeof flags>

const GROUPS = KINDS.map((kind): Group => ({ name: kind, point: { kind } }))

interface Suffered {
  readonly name: string
  readonly toll: typeof TOLLS.empty
}

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const soaked = await soak(GROUPS, new URL('./faults/study.ts', import.meta.url), invocation)
  const tolls = soaked.map(({ group: { name }, results }): Suffered => ({ name, toll: TOLLS.sum(results) }))
  const table = tableOf(tolls)
  return {
    results: { table: plainOf(table) },
    checks: tolls.map(({ name, toll }) => checkOf(name, toll.plans, toll.violations)),
    messages: tolls.reduce((sum, { toll }) => sum + toll.messages, 0),
    text: textOf(table),
  }
}

const tableOf = (tolls: readonly Suffered[]): ResultTable => ({
  title: 'What faults cost',
  columns: [
    { name: 'faults' },
    { name: 'plans' },
    { name: 'broken' },
    { name: 'response', unit: 'times', digits: 2 },
    { name: 'messages', unit: 'times', digits: 2 },
    { name: 'failures', unit: '/100 jobs', digits: 1 },
    { name: 'wasted work', unit: '%', digits: 1 },
    { name: 'refused', unit: '/100 jobs', digits: 1 },
    { name: 'forfeited', unit: '% of income', digits: 1 },
  ],
  rows: tolls.map(({ name, toll }) => [
    name,
    toll.plans,
    toll.violations.length,
    share(toll.response, toll.calmResponse),
    share(toll.messages, toll.calmMessages),
    percent(toll.failures, toll.jobs),
    percent(toll.wasted, toll.busy),
    percent(toll.refused, toll.jobs),
    percent(toll.forfeited, toll.received),
  ]),
  notes: [
    'Times: of the same jobs without faults, where they finished in both. Failures: attempts that lost a processor or were',
    'taken to have; what they had paid they have again. Refused: wider than the machine that was left; forfeited is theirs.',
  ],
})

await runMain({
  name: 'economy/faults',
  summary:
    'Random plans of faults on eight processors: every job of a user that lives ends once, and no money is made or lost.',
  usage: 'Exit 1 if a plan broke a promise; the plan is named.',
  flags,
  main,
})
