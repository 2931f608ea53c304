/**
 * What `npm start` shows: (a) in real time, a market that loses its fastest machine half-way and recovers; (b) in
 * virtual time, one row of the paper's Table 1.
 */
import { toUnits, units } from '../../lib/actor.ts'
import type { Check, Invocation, Outcome, SharedOptions } from '../../lib/cli.ts'
import { parseFault } from '../../lib/faults/faults.ts'
import { PERFECT_NETWORK } from '../../lib/network.ts'
import { table } from '../../lib/table.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { agrees, tolerance } from './agreement.ts'
import { checksOf, resultsOf } from './results.ts'
import { type Hooks, type Market, runMarket } from './run.ts'
import { type Mean, rowOf } from './table-1.ts'
import { figure, machineTable } from './tables.ts'

const SPEEDS = [4, 1, 1, 1, 1]
const LOAD = 0.5

/** Part (a): times in model time. */
const LIVE = {
  tasks: 40,
  clients: ['c1', 'c2'],
  /** Milliseconds per unit. */
  scale: 6,
  latency: units(0.5),
  query: units(10),
  timeout: units(8),
}
/** Part (b). */
const TABLE_TASKS = 4000

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

/** (a) */
async function loseAMachine(stage: Stage): Promise<Outcome> {
  const { latency, query, timeout, tasks, clients, scale } = LIVE
  const { seed } = stage.options
  const market = marketOf(seed, tasks, clients, { wait: 2 * latency, query, timeout, silence: 4 * query })
  const arrivalOf = (task: number) => market.jobs[task]?.arrival ?? 0
  const [killed, restarted] = [arrivalOf(tasks / 2) + units(5), arrivalOf((3 * tasks) / 4)]
  const faults = [`kill @m1 at ${toUnits(killed)}`, `restart @m1 at ${toUnits(restarted)}`].map((spec) =>
    parseFault(spec),
  )
  const machines = SPEEDS.map((speed, i) => `m${i + 1} of speed ${speed}`).join(', ')
  stage.note(
    `(a) real time, ${scale} ms per unit; a thread for each of ${2 * SPEEDS.length} actors on ${machines}, and for each of ${clients.length} clients`,
  )
  const network = { ...PERFECT_NETWORK, latency }
  const run = await runMarket(market, { seed, time: 'real', scale, network }, faults, watchedBy(stage, tasks))
  const calm = await runMarket(market, { seed, runtime: 'inline', network })
  const results = resultsOf(market, run)
  const again = [...run.ledger.endings.values()].filter(({ incarnation }) => incarnation > 1)
  const story = [
    `m1 was dead from ${figure(toUnits(killed))} to ${figure(toUnits(restarted))}. Its task was missed when a status query went unanswered,`,
    `announced again and done elsewhere (${again.map(({ task, machine }) => `task ${task} on ${machine}`).join(', ') || 'it had none'}); nothing was lost but time:`,
    `${figure(results.wastedWork)} units of work, and a mean flow time of ${figure(results.meanFlow)} instead of ${figure(resultsOf(market, calm).meanFlow)} without the kill.`,
  ]
  return {
    results: { ...results, killed: toUnits(killed), restarted: toUnits(restarted), announcedAgain: again.length },
    checks: checksOf(market, run, false).map(named('live')),
    messages: run.messages,
    text: `(a) A market of threads in real time: ${tasks} tasks, and the fastest machine dies half-way\n\n${machineTable(market, run)}\n\n${story.join('\n')}\n`,
  }
}

/** Says on stderr what a spectator wants to see. */
const watchedBy = (stage: Stage, tasks: number): Hooks => ({
  onSystem: (system) => {
    stage.onInterrupt(() => system.stop())
    const say = (text: string) => stage.note(`  ${toUnits(system.now).toFixed(0).padStart(5)}  ${text}`)
    system.onDeath(({ address }) => say(`${address} is dead`))
    system.onFact((fact, { who }) => {
      if (fact.type === 'failed') say(`${who} hears nothing of task ${fact['task']}, and announces it again`)
    })
  },
  onDone: (done) => {
    if (done % 10 === 0) stage.note(`         ${done} of ${tasks} tasks done`)
  },
})

/** (b) */
async function reproduceARow(stage: Stage): Promise<Outcome> {
  stage.note(`(b) virtual time: Table 1, speeds ${SPEEDS.join()}, load ${LOAD}, ${TABLE_TASKS} tasks`)
  const market = marketOf(stage.options.seed, TABLE_TASKS, ['c1'], {})
  const result = await runMarket(market, { seed: stage.options.seed }, [], {
    onSystem: (system) => stage.onInterrupt(() => system.stop()),
    onDone: (done) => stage.progress(done, TABLE_TASKS, `${done} tasks`),
  })
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
    checks: [...checksOf(market, result, false).map(named('table 1')), check],
    messages: result.messages,
    text: `(b) Malone et al. 1986, Table 1: speeds ${SPEEDS.join()}, load 50 %, DSP, perfect estimates; ${TABLE_TASKS} tasks, in virtual time on threads\n\n${text}\n`,
  }
}

const named =
  (part: string) =>
  (check: Check): Check => ({ ...check, name: `${part}: ${check.name}` })
