/** One run of a described cluster: what everybody had, beside what they should have. */
import type { JobFact } from '../../actors/processor/jobs.ts'
import { type Message, toUnits } from '../../lib/actor.ts'
import { type Invocation, type Outcome, resultFile, systemOptions } from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import { type Fault, printFault } from '../../lib/scenario/faults.ts'
import type { FactAbout } from '../../lib/system.ts'
import { calmPeriods } from './calm.ts'
import { checksOf } from './checks.ts'
import type { Description } from './description.ts'
import { type Options, settledBy, spreadOf } from './flags.ts'
import { type ClusterRun, cpuCsv, machinesOf, runCluster } from './one-run.ts'
import { aboutOf, clusterOf, lastPeriod, modeOf } from './setup.ts'
import { byUser, dueShares, type Shares, usedShares } from './shares.ts'
import { chargedStayOf } from './stay.ts'
import { figure } from './tables.ts'
import { periods, Usage } from './usage.ts'

export interface Measured {
  readonly run: ClusterRun
  /** Of its machine, of each job. */
  readonly due: Shares
  readonly used: Shares
  readonly checks: Outcome['checks']
  readonly results: Outcome['results']
}

export type Stage = Pick<Invocation<Options>, 'note' | 'onSystem' | 'byHand'>

const isTicked = (fact: Message): fact is Extract<JobFact, { type: 'ticked' }> => fact.type === 'ticked'

export async function measure(
  options: Options,
  description: Description,
  faults: readonly Fault[],
  stage: Stage,
): Promise<Measured> {
  const { machines, period, seed, time, loss, jobsOut } = options
  const mode = modeOf(options)
  const from = settledBy(options)
  const until = lastPeriod(options)
  const how = systemOptions(options, aboutOf(options, description, faults))
  const writeJobs = resultFile(jobsOut, '--jobs-out')
  stage.note(`shares/cluster, ${mode}, seed ${seed}: ${description.jobs.length} jobs on ${machines} machines`)
  const show = time === 'real' ? live(options, description, stage) : () => {}
  const tickets = new Map<string, number>()
  const cuts = periods(period, options.until)
  const charged = new Usage(cuts, chargedStayOf)
  const run = await runCluster(
    clusterOf(options, description),
    { ...how, count: ['share'] },
    {
      until: options.until,
      faults,
      cuts,
      onSystem: stage.onSystem,
      onFact: (fact, about, usage) => {
        if (isTicked(fact)) for (const [job, amount] of Object.entries(fact.tickets)) tickets.set(job, amount)
        charged.fold(fact, about.who, about.at)
        show(about, usage)
      },
    },
  )
  writeJobs(cpuCsv(run))
  const due = dueShares(description, mode)
  const used = usedShares(description, run.usage, { from, until })
  const all = [...faults, ...stage.byHand()]
  const calm = loss > 0 ? [] : calmPeriods(all, { from, until }, period, spreadOf(options))
  const checks = checksOf({ options, description, faults: all, run, charged, tickets, due, calm })
  return { run, due, used, checks, results: resultsOf(options, description, run, used, due) }
}

/** Says after every period what everybody had in it. */
function live({ period }: Options, description: Description, { note }: Stage) {
  let said = 0
  return ({ at }: FactAbout, usage: ClusterRun['usage']) => {
    // the facts of a period are there a while after it
    if (at < (said + 1.5) * period) return
    const shares = byUser(
      description,
      usedShares(description, usage, { from: said * period, until: (said + 1) * period }),
    )
    said++
    const shown = Object.entries(shares).slice(0, 10)
    note(
      `${printUnits(said * period).padStart(7)}  ${shown.map(([name, share]) => `${name} ${figure(share)}`).join('  ')}`,
    )
  }
}

function resultsOf(
  options: Options,
  description: Description,
  run: ClusterRun,
  used: Shares,
  due: Shares,
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
    overTime: overTime(options, description, run),
    measuredFrom: toUnits(settledBy(options)),
    sharesSent: run.messagesByType.get('share') ?? 0,
    deadLetters: Object.fromEntries(run.deadLetters),
    refusals: run.refusals,
    faultsThatNeverHappened: run.missed.map(printFault),
  }
}

/** What everybody had in each whole period; times in units. */
function overTime({ period, until }: Options, description: Description, { usage }: ClusterRun) {
  return Array.from({ length: Math.floor(until / period) }, (_, n) => {
    const span = { from: n * period, until: (n + 1) * period }
    return { from: toUnits(span.from), shares: byUser(description, usedShares(description, usage, span)) }
  })
}
