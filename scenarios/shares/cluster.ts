/**
 * Figures 4 and 5 of Arpaci-Dusseau & Culler 1997: users with jobs on several machines, whose processors do or do not
 * cooperate.
 */
import { type Check, runProgram, within } from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import { type Column, figure, type ResultTable, textColumn } from '../../lib/core/table.ts'
import { type Time, units } from '../../lib/core/time.ts'
import type { CommandOutcome } from '../../lib/scenario/command.ts'
import type { Results, Stage } from '../../lib/scenario/definition.ts'
import { ofRun, type Sentence, say } from '../../lib/scenario/page.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { sometime } from '../../lib/scenario/specification.ts'
import { mishapsOf } from '../../lib/scenario/verdict.ts'
import type { SystemInit } from '../../lib/system.ts'
import { FAULT_PLANS } from './fault-plans.ts'
import { flags, type GivenOptions, settledBy } from './flags.ts'
import { type Cluster, onCluster } from './model.ts'
import { settlingFrom } from './oracle/base-values.ts'
import { ClusterOracle } from './oracle.ts'
import { clusterPage } from './page.ts'
import { FIGURE_4, USERS } from './paper/figure-4.ts'
import { type ClusterRun, checksOf, measuredIn, newsOf, valuesOf } from './results.ts'
import { aboutOf, modeOf, setUp } from './setup.ts'
import { byUser } from './shares.ts'
import { remarks, timeTable, usersOf, whereOf } from './tables.ts'

/** The scenario of users with jobs on several machines. */
export const sharesCluster = defineScenario({
  name: 'shares/cluster',
  summary:
    'Users with jobs on several machines get their share of all of them if ticket servers exchange what they issued (Arpaci-Dusseau & Culler 1997, figures 4 and 5). A unit is a millisecond of the paper.',
  usage:
    "Without flags: the paper's instance, independent and cooperating. With any but --report, --json, --quiet, --help: one run.",
  flags,
  small: {
    machines: 2,
    jobs: ['A@m1,m2:2', 'B@m1', 'Q@m2', 'P@m2', 'C@m2'],
    currency: ['P=A:1', 'Q=P:1'],
    sleeper: ['B:15:25'],
    switch: 1,
    period: 100,
    until: 1200,
    latency: 1,
  },
  setUp,
  about: aboutOf,
  ...onCluster,
  holdsUntil,
  oracle: (cluster, circumstances) => new ClusterOracle(cluster, circumstances),
  sometimes: [
    sometime('tick without word of the ticket server', 'processor', 'ticked', ({ informed }) => informed === false),
    sometime('tickets of a job changed', 'processor', 'funded'),
  ],
  notes: (cluster, options) => [noteOf(onCluster.tasks.of(cluster).length, options)],
  news: newsOf,
  count: ['share'],
  faultPlans: FAULT_PLANS,
  results: resultsIn,
  jobs: ({ oracle }) => oracle.cpuCsv,
  checks: checksOf,
  page: clusterPage,
  demonstration: demonstrate,
})

/** Base values are promised for the end, if what a schedule holds back comes early enough. A short run has no such instant. */
function holdsUntil(cluster: Cluster, { network }: SystemInit): Time | undefined {
  const settling = settlingFrom(cluster, network)
  return cluster.sharing.tick && settling > 0 ? settling : undefined
}

/** A column of shares. */
const shareColumn = (name: string): Column => ({ name, digits: 3 })

const noteOf = (jobs: number, options: GivenOptions): string =>
  `shares/cluster, ${modeOf(options)}, seed ${options.seed}: ${jobs} jobs on ${options.machines} machines`

function resultsIn(run: ClusterRun): Results {
  const measured = measuredIn(run)
  const { options, description, used, due } = measured
  const [had, right] = [byUser(description, used), byUser(description, due)]
  const span = `from ${printUnits(settledBy(options))} to ${printUnits(options.until)} ms`
  const table: ResultTable = {
    title: `Shares of machines ${span}, each machine 1${run.faults.length > 0 ? '; due if nothing fails' : ''}`,
    columns: [
      ...[{ name: 'user' }, { name: 'base tickets' }, { name: 'jobs on' }],
      ...[shareColumn('had'), shareColumn('due')],
    ],
    rows: usersOf(description).map((name) => [
      ...[name, description.funding[name] ?? null, whereOf(description, name)],
      ...[had[name] ?? null, right[name] ?? null],
    ]),
  }
  return { values: valuesOf(measured), tables: [table, timeTable(measured)], text: remarks(measured).join('\n') }
}

type Had = Readonly<Record<string, number>>

/** How far the shares of users with equal tickets are apart, with and without ticket servers that cooperate. */
function comparisonOf(together: Had, alone: Had): Sentence[] {
  const range = (run: string, had: Had): Sentence => {
    const inOrder = USERS.toSorted((one, other) => (had[one] ?? 0) - (had[other] ?? 0))
    const [least = '', most = ''] = [inOrder[0], inOrder.at(-1)]
    const [from, to] = [figure(had[least] ?? 0, 3), figure(had[most] ?? 0, 3)]
    if (from === to) return say`${ofRun(run, from)} machines each`
    const noun = (user: string, text: string) => ofRun(run, text, { object: `user ${user}` })
    return say`from ${noun(least, from)} (user ${least}) to ${noun(most, to)} machines (user ${most})`
  }
  return [
    say`${USERS.length} users have equal tickets. If ticket servers ${ofRun('cooperating', 'cooperate')}, they have ${range('cooperating', together)}; if machines are ${ofRun('independent', 'independent')}, ${range('independent', alone)}.`,
    'Each is one run.',
  ]
}

/** Runs the paper's instance twice: independent and cooperating. */
async function demonstrate({
  options: given,
  note,
  show,
}: Stage<GivenOptions, Cluster, ClusterOracle>): Promise<CommandOutcome> {
  const common = { ...given, latency: units(1), until: units(12_000) }
  note(noteOf(2 * given.machines, { ...common, independent: true }))
  const apart = await show('independent', { ...common, independent: true })
  note(noteOf(2 * given.machines, common))
  const told = await show('cooperating', common)
  const [alone, together] = [measuredIn(apart.run), measuredIn(told.run)]
  const { options, description } = together
  const [before, after] = [byUser(description, alone.used), byUser(description, together.used)]
  const span = options.until - settledBy(options)
  const checks = USERS.map((name): Check => {
    const jobs = description.jobs.filter(({ currency }) => currency === name).length
    // a quantum for each job at both ends
    const tolerance = (2 * jobs * options.quantum) / span
    return within(`figures 4 and 5: the share of ${name}`, after[name] ?? 0, FIGURE_4.cooperating[name], tolerance)
  })
  const table: ResultTable = {
    title: 'Figures 4 and 5: five users of 100 base tickets on four machines; shares, each machine 1',
    columns: [
      ...[{ name: 'user' }, { name: 'jobs on' }],
      ...['independent', 'by rule', 'cooperating', 'paper'].map(shareColumn),
      textColumn('verdict'),
    ],
    rows: USERS.map((name, i) => [
      ...[name, whereOf(description, name), before[name] ?? null, FIGURE_4.independent[name]],
      ...[after[name] ?? null, FIGURE_4.cooperating[name], checks[i]?.ok ? 'agrees' : 'differs'],
    ]),
  }
  const overTime = {
    ...timeTable(together),
    title: 'Over time, cooperating: processors learn of jobs elsewhere one tick late',
  }
  const valuesIn = (measured: typeof alone) => ({ ...valuesOf(measured), ...mishapsOf(measured.run) })
  return {
    results: { ...valuesIn(together), independent: valuesIn(alone) },
    checks: [...apart.checks, ...told.checks, ...checks],
    messages: apart.run.messages + told.run.messages,
    tables: [table, overTime],
    text: remarks(together).join('\n'),
    comparison: comparisonOf(after, before),
  }
}

await runProgram(sharesCluster, import.meta.url)
