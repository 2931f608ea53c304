/** What faults do to fair shares: 300 random plans of each kind break nothing, and this is what they cost. */
import { type Invocation, type OptionsOf, type Outcome, runMain } from '../../lib/cli.ts'
import { plainOf, type ResultTable, textOf } from '../../lib/experiment/report.ts'
import { checkOf, type Group, percent, share, soak, soakFlags } from '../faults/soak.ts'
import { KINDS } from './faults/plans.ts'
import { TOLLS } from './faults/study.ts'

const flags = soakFlags(5, 1, '')
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
    { name: 'processor time lost', unit: '%', digits: 1 },
    { name: 'barriers lost', unit: '%', digits: 1 },
    { name: 'messages', unit: 'times', digits: 2 },
    { name: 'given up', unit: '/100 jobs', digits: 1 },
    { name: 'wronged', unit: '/100 jobs', digits: 1 },
    { name: 'after', unit: 'ms', digits: 0 },
    { name: 'stale', unit: 'ms', digits: 0 },
  ],
  rows: tolls.map(({ name, toll }) => [
    name,
    toll.plans,
    toll.violations.length,
    percent(toll.calmCpu - toll.cpu, toll.calmCpu),
    percent(toll.calmRounds - toll.rounds, toll.calmRounds),
    share(toll.messages, toll.calmMessages),
    percent(toll.givenUp, toll.jobs),
    percent(toll.wronged, toll.jobs),
    share(toll.detection, toll.detected),
    share(toll.stale, toll.staled),
  ]),
  notes: [
    'Lost, and times: of the same plan without faults. Wronged: given up though all members lived, since some could not be',
    'reached. After: from the loss of a member until its job was given up; barriers are patient for 250 ms. Stale: from the',
    'end of all faults until shares were exact, where they were not; ticket servers report every 200 ms.',
  ],
})

await runMain({
  name: 'shares/faults',
  summary: 'Random plans of faults: shares are right again, jobs that lost a member are given up, and nobody waits.',
  usage: 'Exit 1 if a plan broke a promise; the plan is named.',
  flags,
  main,
})
