/** The main job: a market of task bidding (Malone et al. 1986). Without flags it shows two of them. */
import { createHash } from 'node:crypto'
import { faultsOf, type Invocation, type OptionsOf, type Outcome, runMain, UsageError } from '../../lib/cli.ts'
import { type Fault, printFault, requireKnown } from '../../lib/faults.ts'
import { PERFECT_NETWORK } from '../../lib/network.ts'
import type { Plain } from '../../lib/plain.ts'
import type { SystemOptions } from '../../lib/system.ts'
import { printUnits } from '../../lib/text.ts'
import { readWorkload } from '../../lib/workload/file.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { droppedText, type Workload, withClients } from '../../lib/workload/job.ts'
import { jobsCsv, writeResult } from '../../lib/workload/jobs-out.ts'
import { demonstrate } from './demonstration.ts'
import { flags } from './flags.ts'
import { checksOf, resultsOf, rowsOf } from './results.ts'
import { addressesOf, type Market, runMarket } from './run.ts'
import { resultsTable } from './tables.ts'

type Options = OptionsOf<typeof flags>

const orNull = <T>(setting: T | 'off'): T | null => (setting === 'off' ? null : setting)

/** What no single flag can say. */
function requireSense({ load, tasks, workload, query, timeout, silence, latency, time, runtime }: Options): void {
  if (load >= 1 && tasks === undefined && workload === undefined) {
    throw new UsageError('--load', 'less than 1, or --tasks to bound a market that falls behind', String(load))
  }
  if (time === 'real' && runtime === 'inline')
    throw new UsageError('--runtime', 'threads, with --time real', '"inline"')
  if (query === 0) throw new UsageError('--query', 'a time > 0, or off', '"0"')
  if (timeout !== 'off' && query === 'off') throw new UsageError('--timeout', '--query beside it', 'it alone')
  if (timeout !== 'off' && timeout <= 2 * latency) {
    throw new UsageError('--timeout', `more than two latencies (${printUnits(2 * latency)})`, printUnits(timeout))
  }
  if (silence === 'off') return
  if (query === 'off') throw new UsageError('--silence', '--query beside it', 'it alone')
  if (silence <= query + 2 * latency) {
    const least = printUnits(query + 2 * latency)
    throw new UsageError('--silence', `more than the query interval and two latencies (${least})`, printUnits(silence))
  }
}

function jobsOf({ workload, tasks, seed, load, speeds, errors }: Options): Workload {
  if (workload !== undefined) return readWorkload(workload, '--workload', tasks === undefined ? {} : { first: tasks })
  return { jobs: generateJobs({ seed, tasks: tasks ?? 2000, load, speeds, errors }), dropped: new Map() }
}

/** What a reader of the trace needs to have the same run again; the jobs by their digest, wherever they came from. */
function aboutOf(market: Market, faults: readonly Fault[]): Plain {
  const { speeds, clients, jobs, clash, ties, wait, i0, query, timeout, silence } = market
  const digest = createHash('sha256').update(JSON.stringify(jobs)).digest('hex')
  const settings = { speeds, clients, clash, ties, wait, i0, query, timeout, silence }
  return { scenario: 'bidding/market', ...settings, jobs: digest, faults: faults.map(printFault) }
}

function systemOptions(options: Options, about: Plain): Partial<SystemOptions> {
  const { seed, runtime, time, scale, order, schedule, latency, jitter, loss, duplicate, trace } = options
  const network = { ...PERFECT_NETWORK, latency, jitter, loss, duplicate }
  return { seed, runtime, time, scale, order, schedule, network, trace: trace ?? false, about }
}

async function runOnce(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note, progress, onInterrupt } = invocation
  requireSense(options)
  const { seed, speeds, clash, ties, wait, latency, lateBids, query, timeout, silence, jobsOut } = options
  const workload = jobsOf(options)
  if (workload.dropped.size > 0) note(`dropped: ${droppedText(workload.dropped)}`)
  const named = [...new Set(workload.jobs.flatMap(({ client }) => client ?? []))].sort()
  const clients = named.length > 0 ? named : Array.from({ length: options.clients }, (_, i) => `c${i + 1}`)
  const market: Market = {
    speeds,
    clients,
    jobs: withClients(workload.jobs, clients, seed),
    clash,
    ties,
    wait: wait ?? 2 * latency,
    i0: orNull(lateBids),
    query: orNull(query),
    timeout: orNull(timeout),
    silence: orNull(silence),
  }
  const faults = faultsOf(options)
  for (const fault of faults) requireKnown(fault, addressesOf(market))
  if (jobsOut !== undefined) writeResult(jobsOut, '')
  if (options.trace !== undefined) writeResult(options.trace, '', '--trace')
  const run = await runMarket(market, systemOptions(options, aboutOf(market, faults)), faults, {
    onSystem: (system) => onInterrupt(() => system.stop()),
    onDone: (done) => progress(done, market.jobs.length, `${done} tasks`),
  })
  if (jobsOut !== undefined) writeResult(jobsOut, jobsCsv(rowsOf(market, run)))
  const isLossy = options.loss > 0 || faults.some(({ type }) => type === 'cut')
  const results = resultsOf(market, run)
  return {
    results: {
      ...results,
      deadLetters: Object.fromEntries(run.deadLetters),
      dropped: Object.fromEntries(workload.dropped),
    },
    checks: checksOf(market, run, faults, isLossy),
    messages: run.messages,
    text: resultsTable(market, run, results),
  }
}

await runMain({
  name: 'bidding/market',
  summary: 'Tasks find machines by bidding: the lazy market of Malone et al. 1986.',
  flags,
  main: (invocation) => (invocation.isDemonstration ? demonstrate(invocation) : runOnce(invocation)),
})
