/**
 * What `npm start` shows: (a) in real time, a market that loses its fastest machine half-way and recovers; (b) in
 * virtual time, one row of the paper's Table 1.
 */
import { toUnits, units } from '../../lib/actor.ts'
import type { Check, Invocation, Outcome, SharedOptions } from '../../lib/cli.ts'
import { parseFault, printFault } from '../../lib/faults.ts'
import type { System, SystemOptions } from '../../lib/system.ts'
import { table } from '../../lib/table.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { agrees, tolerance } from './agreement.ts'
import { checksOf, resultsOf } from './results.ts'
import { type Market, runMarket } from './run.ts'
import { type Mean, rowOf } from './table-1.ts'
import { figure, machineTable } from './tables.ts'

const SPEEDS = [4, 1, 1, 1, 1]
const LOAD = 0.5

/** Part (a): 60 tasks in about 450 units. */
const LIVE = { tasks: 60, clients: ['c1', 'c2'], scale: 12, latency: units(0.5), query: units(10), timeout: units(8) }
/** Part (b). */
const TABLE_TASKS = 6000

type Stage = Pick<Invocation<SharedOptions>, 'options' | 'note' | 'progress' | 'onInterrupt'>

export async function demonstrate(stage: Stage): Promise<Outcome> {
  const live = await loseAMachine(stage)
  const row = await reproduceARow(stage)
  return {
    results: { live: live.results, table1: row.results },
    checks: [...live.checks, ...row.checks],
    messages: live.messages + row.messages,
    text: `${live.text}\n${row.text}`,
  }
}

function marketOf(seed: number, tasks: number, clients: readonly string[], more: Partial<Market>): Market {
  const jobs = generateJobs({ seed, tasks, load: LOAD, speeds: SPEEDS, errors: 'perfect' })
  const market = {
    speeds: SPEEDS,
    clients,
    jobs: withClients(jobs, clients, seed),
    clash: 'hold',
    ties: 'random',
  } as const
  return { ...market, wait: 0, i0: null, query: null, timeout: null, silence: null, ...more }
}

const run = (
  stage: Stage,
  market: Market,
  options: Partial<SystemOptions>,
  ...faults: Parameters<typeof runMarket>[2][]
) =>
  runMarket(
    market,
    { seed: stage.options.seed, ...options },
    faults.flatMap((plan) => plan ?? []),
    {
      onSystem: (system: System) => stage.onInterrupt(() => system.stop()),
      onDone: (done) => stage.progress(done, market.jobs.length, `${done} of ${market.jobs.length} tasks`),
    },
  )

/** (a) */
async function loseAMachine(stage: Stage): Promise<Outcome> {
  const { latency, query, timeout, tasks, clients, scale } = LIVE
  const { seed } = stage.options
  const market = marketOf(seed, tasks, clients, { wait: 2 * latency, query, timeout, silence: 4 * query })
  const half = market.jobs[tasks / 2]?.arrival ?? 0
  const fault = parseFault(`kill @m1 at ${toUnits(half)}`)
  stage.note(
    `\n(a) real time, ${scale} ms per unit: ${SPEEDS.length} machines, ${clients.length} clients, ${tasks} tasks; ${printFault(fault)}`,
  )
  const network = { latency, jitter: 0, loss: 0, duplicate: 0 }
  const result = await run(stage, market, { time: 'real', scale, network }, [fault])
  const { ledger } = result
  const again = [...ledger.endings.values()].filter(({ incarnation }) => incarnation > 1)
  const results = resultsOf(market, result)
  const cost = [
    `m1 (speed 4) was killed at ${figure(toUnits(half))} with ${again.length} task${again.length === 1 ? '' : 's'} of ${tasks} on it:`,
    `noticed by unanswered queries, announced again, done elsewhere; ${figure(results.wastedWork)} units of work lost.`,
    `mean flow before and after: ${figure(meanFlowOf(ledger, 0, half))}, ${figure(meanFlowOf(ledger, half, Number.POSITIVE_INFINITY))}`,
  ]
  return {
    results: { ...results, killedAt: toUnits(half), announcedAgain: again.length },
    checks: checksOf(market, result, [fault], false).map(named('live')),
    messages: result.messages,
    text: `(a) a market of threads in real time\n\n${machineTable(market, result)}\n\n${cost.join('\n')}\n`,
  }
}

function meanFlowOf(
  ledger: Awaited<ReturnType<typeof runMarket>>['ledger'],
  from: number,
  until: number,
): number | null {
  const flows = [...ledger.endings.values()].filter(({ arrival }) => arrival >= from && arrival < until)
  return flows.length === 0 ? null : toUnits(flows.reduce((sum, { flow }) => sum + flow, 0)) / flows.length
}

/** (b) */
async function reproduceARow(stage: Stage): Promise<Outcome> {
  stage.note(`\n(b) virtual time: Table 1, speeds ${SPEEDS.join()}, load ${LOAD}, ${TABLE_TASKS} tasks`)
  const market = marketOf(stage.options.seed, TABLE_TASKS, ['c1'], {})
  const result = await run(stage, market, {})
  const { meanFlow, halfWidth } = resultsOf(market, result)
  const row = rowOf(LOAD, SPEEDS)
  if (!row || meanFlow === null || halfWidth === null) throw new Error('Table 1 has no such row')
  const ours = { mean: meanFlow, halfWidth }
  const line = (name: string, { mean, halfWidth: half }: Mean, verdict: string) => [
    name,
    figure(mean),
    `± ${figure(half)}`,
    verdict,
  ]
  const { paper, converged } = row
  const text = table(
    ['mean flow time', '', '90 %', ''],
    [
      line('this run', ours, ''),
      line('paper (1986)', paper.perfect, agrees(ours, paper.perfect) ? 'agrees' : 'differs'),
      line('converged', converged.perfect, agrees(ours, converged.perfect) ? 'agrees' : 'differs'),
    ],
  )
  const check: Check = {
    name: 'table 1, 4,1,1,1,1 at 50 %: the converged mean',
    ok: agrees(ours, converged.perfect),
    measured: ours.mean,
    expected: converged.perfect.mean,
    tolerance: tolerance(ours, converged.perfect),
  }
  return {
    results: { mean: ours.mean, halfWidth, paper: { ...paper.perfect }, converged: { ...converged.perfect } },
    checks: [...checksOf(market, result, [], false).map(named('table 1')), check],
    messages: result.messages,
    text: `(b) Malone et al. 1986, Table 1: speeds ${SPEEDS.join()}, load 50 %, DSP, perfect estimates\n\n${text}\n`,
  }
}

const named =
  (part: string) =>
  (check: Check): Check => ({ ...check, name: `${part}: ${check.name}` })
