/**
 * Figures 4 and 5 of Arpaci-Dusseau & Culler 1997: users with jobs on several machines, whose processors do or do not
 * cooperate.
 */
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { type Check, type Invocation, named, type Outcome, parseFlags, runMain, within } from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import { table } from '../../lib/core/table.ts'
import { describe } from './description.ts'
import { flags, type GivenOptions, sensible, settledBy } from './flags.ts'
import { FIGURE_4, USERS } from './paper/figure-4.ts'
import { measure } from './results.ts'
import { setUp } from './setup.ts'
import { byUser } from './shares.ts'
import { figure, remarks, timeTable, usersOf, whereOf } from './tables.ts'

async function runOnce({ options: given, ...context }: Invocation<GivenOptions>): Promise<Outcome> {
  const { options, description, faults } = setUp(given)
  const { run, used, due, checks, results } = await measure(options, description, faults, context)
  const [had, right] = [byUser(description, used), byUser(description, due)]
  const rows = usersOf(description).map((name) => [
    ...[name, String(description.funding[name] ?? '-'), whereOf(description, name)],
    ...[figure(had[name]), figure(right[name])],
  ])
  const span = `from ${printUnits(settledBy(options))} to ${printUnits(options.until)} ms`
  const text = [
    `Shares of machines ${span}, each machine 1${faults.length > 0 ? '; due if nothing fails' : ''}`,
    table(['user', 'base tickets', 'jobs on', 'had', 'due'], rows),
    '',
    timeTable(description, run, options),
    '',
    ...remarks(run, options.machines, options.until),
    '',
  ]
  return { results, checks, messages: run.messages, text: text.join('\n') }
}

/** The flags of both runs of the demonstration. */
const SHOWN = ['--latency', '1', '--until', '12000']

/** Runs the paper's instance twice: independent and cooperating. */
async function demonstrate({ options: { seed }, ...context }: Invocation<GivenOptions>): Promise<Outcome> {
  const common = { ...sensible(parseFlags(flags, SHOWN).options), seed }
  const description = describe(common)
  const alone = await measure({ ...common, independent: true }, description, [], context)
  const told = await measure(common, description, [], context)
  const [apart, together] = [byUser(description, alone.used), byUser(description, told.used)]
  const span = common.until - settledBy(common)
  const checks = USERS.map((name): Check => {
    const jobs = description.jobs.filter(({ currency }) => currency === name).length
    const [measured, expected] = [together[name] ?? 0, FIGURE_4.cooperating[name]]
    // a quantum for each job at both ends
    const tolerance = (2 * jobs * common.quantum) / span
    return within(`figures 4 and 5: the share of ${name}`, measured, expected, tolerance)
  })
  const rows = USERS.map((name, i) => [
    ...[name, whereOf(description, name), figure(apart[name]), figure(FIGURE_4.independent[name])],
    ...[figure(together[name]), figure(FIGURE_4.cooperating[name]), checks[i]?.ok ? 'agrees' : 'differs'],
  ])
  const text = [
    'Figures 4 and 5: five users of 100 base tickets on four machines; shares, each machine 1',
    '',
    table(['user', 'jobs on', 'independent', 'by rule', 'cooperating', 'paper', ''], rows),
    '',
    'Over time, cooperating: processors learn of jobs elsewhere one tick late',
    timeTable(description, told.run, common),
    '',
    ...remarks(told.run, common.machines, common.until),
    '',
  ]
  return {
    results: { ...told.results, independent: alone.results },
    checks: [...alone.checks.map(named('independent')), ...told.checks.map(named('cooperating')), ...checks],
    messages: alone.run.messages + told.run.messages,
    text: text.join('\n'),
  }
}

await runMain({
  name: 'shares/cluster',
  summary:
    'Users with jobs on several machines get their share of all of them if ticket servers exchange what they issued (Arpaci-Dusseau & Culler 1997, figures 4 and 5). A unit is a millisecond of the paper.',
  usage:
    "Without flags: the paper's instance, independent and cooperating. With any but --report, --json, --quiet, --help: one run.",
  flags,
  timeline: processorTimeline((job) => job.split('.')[0] ?? job),
  main: (invocation) => (invocation.isDemonstration ? demonstrate(invocation) : runOnce(invocation)),
})
