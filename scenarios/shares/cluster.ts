/** Figures 4 and 5 of Arpaci-Dusseau & Culler 1997: users across machines whose processors do or do not cooperate. */
import { type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import { toUnits } from '../../lib/actor.ts'
import {
  type Check,
  faultsOf,
  type Invocation,
  type Outcome,
  parseFlags,
  runMain,
  systemOptions,
  writeResult,
} from '../../lib/cli.ts'
import { type Fault, printFault } from '../../lib/faults/faults.ts'
import { table } from '../../lib/table.ts'
import { printUnits } from '../../lib/text.ts'
import { type Description, describe } from './cluster/description.ts'
import { flags, type Options, patienceOf, requireSense, settledBy, spreadOf } from './cluster/flags.ts'
import { byUser, distance, dueShares, type Mode, usedShares } from './cluster/shares.ts'
import { figure, remarks, timeTable, usersOf, whereOf } from './cluster/tables.ts'
import { FIGURE_4, USERS } from './paper/figure-4.ts'
import { addressesOf, type Cluster, type ClusterRun, machinesOf, runCluster, runs, type Said } from './run.ts'

/** In real time quanta are as long as the clock lets them be. */
const REAL_TOLERANCE = 0.02

const modeOf = ({ independent }: Options): Mode => (independent ? 'independent' : 'cooperating')

function clusterOf(options: Options, { machines, funding, backing, jobs }: Description): Cluster {
  const { quantum, switch: switching, period, independent } = options
  const tick = independent ? null : { every: period, patience: patienceOf(options) }
  const sharing: Sharing = { ...STANDARD, quantum, switching, funding, tick }
  const nested = new Set(backing.map(({ holder }) => holder))
  // a job whose currency is not known yet would be refused
  const known = spreadOf(options) + Math.round(period / 2)
  const issues = backing.map(({ currency, amount, holder }, n): Said => {
    const ticket = `${n + 1}: ${currency} to ${holder}`
    return {
      at: 0,
      user: 'user@m1',
      to: 'ticket-server@m1',
      message: { type: 'issue', ticket, currency, amount, holder },
    }
  })
  const orders = jobs.map(({ job, machine, currency, amount }) =>
    runs(job, machine, { currency, amount, at: nested.has(currency) ? known : 0 }),
  )
  return { machines, sharing, orders: [...issues, ...orders] }
}

interface Measured {
  readonly run: ClusterRun
  /** The share of its machine of each job, due and had. */
  readonly due: ReadonlyMap<string, number>
  readonly used: ReadonlyMap<string, number>
  readonly checks: readonly Check[]
  readonly results: Outcome['results']
}

type Stage = Pick<Invocation<Options>, 'note' | 'onInterrupt'>

async function measure(options: Options, description: Description, faults: readonly Fault[], stage: Stage) {
  const { period, time, loss, jobsOut } = options
  const mode = modeOf(options)
  const from = settledBy(options)
  const until = period * Math.floor(options.until / period)
  const about = { scenario: 'shares/cluster', mode, ...description, until, faults: faults.map(printFault) }
  const system = { ...systemOptions(options, about), count: ['share'] }
  if (jobsOut !== undefined) writeResult(jobsOut, '', '--jobs-out')
  const run = await runCluster(clusterOf(options, description), system, {
    ...{ until: options.until, faults, window: period },
    onSystem: (running) => stage.onInterrupt(() => running.stop()),
    ...(time === 'real' && { onFact: live(options, description, stage) }),
  })
  if (jobsOut !== undefined) writeResult(jobsOut, jobsCsv(description, run), '--jobs-out')
  const due = dueShares(description, mode)
  const used = usedShares(description, run.usage, from, until)
  const isCalm = faults.length === 0 && loss === 0
  const tolerance = time === 'real' ? REAL_TOLERANCE : options.quantum / (until - from)
  const checks = [...checksOf(run), ...(isCalm ? calmChecks(run, distance(used, due), tolerance) : [])]
  const measured: Measured = { run, due, used, checks, results: resultsOf(options, description, run, used, due) }
  return measured
}

/** Says in real time, after every period, what everybody had in it. */
function live({ period }: Options, description: Description, { note }: Stage) {
  let said = 0
  // the facts of a period are there a while after it
  return (_: unknown, { at }: { readonly at: number }, usage: ClusterRun['usage']) => {
    if (at < (said + 1.5) * period) return
    const shares = byUser(description, usedShares(description, usage, said * period, (said + 1) * period))
    said++
    const shown = Object.entries(shares).slice(0, 10)
    note(
      `${printUnits(said * period).padStart(7)}  ${shown.map(([name, share]) => `${name} ${figure(share)}`).join('  ')}`,
    )
  }
}

function checksOf({ crashes, end }: ClusterRun): Check[] {
  const crashed = crashes.slice(0, 3).join('; ') || 'none'
  return [
    { name: 'actors that died unasked', ok: crashed === 'none', measured: crashed, expected: 'none', tolerance: null },
    {
      name: 'the run went on to its end',
      ok: end.ended === 'until',
      measured: end.ended,
      expected: 'until',
      tolerance: null,
    },
  ]
}

/** Of a run in which nothing fails. */
function calmChecks({ refusals }: ClusterRun, farthest: number, tolerance: number): Check[] {
  const refused = refusals.slice(0, 3).join('; ') || 'none'
  return [
    { name: 'refusals', ok: refused === 'none', measured: refused, expected: 'none', tolerance: null },
    {
      name: 'the job farthest from its share of its machine',
      ok: farthest <= tolerance,
      measured: farthest,
      expected: 0,
      tolerance,
    },
  ]
}

function resultsOf(
  options: Options,
  description: Description,
  run: ClusterRun,
  used: ReadonlyMap<string, number>,
  due: ReadonlyMap<string, number>,
): Outcome['results'] {
  const { machines, jobs } = description
  const perMachine = machinesOf({ machines }).map((machine) => {
    const here = jobs.filter((placed) => placed.machine === machine)
    return [machine, byUser({ ...description, jobs: here }, used)] as const
  })
  return {
    shares: byUser(description, used),
    due: byUser(description, due),
    perMachine: Object.fromEntries(perMachine),
    measuredFrom: toUnits(settledBy(options)),
    sharesSent: run.messagesByType.get('share') ?? 0,
    deadLetters: Object.fromEntries(run.deadLetters),
    refusals: run.refusals,
    faultsThatNeverHappened: run.missed.map(printFault),
  }
}

/** A line per job; times in units. */
function jobsCsv({ jobs }: Description, { usage }: ClusterRun): string {
  const cpu = new Map(usage.totals.map(({ job, cpu }) => [job, cpu]))
  const lines = jobs.map(({ job, currency, amount, machine }) =>
    [job, currency, amount, machine, printUnits(cpu.get(job) ?? 0)].join(','),
  )
  return ['job,currency,amount,machine,cpu', ...lines, ''].join('\n')
}

async function runOnce({ options, ...stage }: Invocation<Options>): Promise<Outcome> {
  requireSense(options)
  const description = describe(options)
  const cluster = clusterOf(options, description)
  const faults = faultsOf(options, addressesOf(cluster))
  stage.note(
    `shares/cluster, ${modeOf(options)}, seed ${options.seed}: ${description.jobs.length} jobs on ${options.machines} machines`,
  )
  const { run, used, due, checks, results } = await measure(options, description, faults, stage)
  const [had, right] = [byUser(description, used), byUser(description, due)]
  const rows = usersOf(description).map((name) => [
    ...[name, String(description.funding[name] ?? '-'), whereOf(description, name)],
    ...[figure(had[name]), figure(right[name])],
  ])
  const span = `from ${printUnits(settledBy(options))} to ${printUnits(options.until)}`
  const text = [
    `Shares of machines ${span}, each machine 1${faults.length > 0 ? '; due if nothing fails' : ''}`,
    table(['user', 'base tickets', 'jobs on', 'had', 'due'], rows),
    '',
    timeTable(description, run, options.until),
    '',
    ...remarks(run, options.machines, options.until),
    '',
  ]
  return { results, checks, messages: run.messages, text: text.join('\n') }
}

/** What both runs of the demonstration are given. */
const SHOWN = ['--latency', '1', '--until', '12000']

/** The paper's instance, twice. */
async function demonstrate({ options: { seed }, ...stage }: Invocation<Options>): Promise<Outcome> {
  const common = { ...parseFlags(flags, SHOWN).options, seed }
  const description = describe(common)
  const alone = await measure({ ...common, independent: true }, description, [], stage)
  const told = await measure(common, description, [], stage)
  const [apart, together] = [byUser(description, alone.used), byUser(description, told.used)]
  const tolerance = (jobs: number, { quantum, until, period }: Options) => (jobs * quantum) / (until - 3 * period)
  const checks = USERS.map((name): Check => {
    const jobs = description.jobs.filter(({ currency }) => currency === name).length
    const [measured, expected, within] = [together[name] ?? 0, FIGURE_4.cooperating[name], tolerance(jobs, common)]
    const ok = Math.abs(measured - expected) <= within
    return { name: `figure 4: the share of ${name}`, ok, measured, expected, tolerance: within }
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
    'Over time, cooperating: processors hear of jobs elsewhere one tick late',
    timeTable(description, told.run, common.until),
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

const named =
  (mode: Mode) =>
  (check: Check): Check => ({ ...check, name: `${mode}: ${check.name}` })

await runMain({
  name: 'shares/cluster',
  summary:
    'Users with jobs on several machines have their share of all of them if ticket servers tell each other what was issued (Arpaci-Dusseau & Culler 1997, figures 4 and 5). A unit is a millisecond of the paper.',
  usage:
    "Without flags: the paper's instance, independent and cooperating. With any but --json, --quiet, --help: one run.",
  flags,
  main: (invocation) => (invocation.isDemonstration ? demonstrate(invocation) : runOnce(invocation)),
})
