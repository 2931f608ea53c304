/**
 * The demonstration of `npm start`: (a) in real time, a market loses its fastest machine half-way and recovers; (b) in
 * virtual time, one row of the paper's Table 1 is reproduced.
 */
import type { Terms } from '../../actors/bidding/terms.ts'
import { machineOf, type Time, toUnits, units } from '../../lib/actor.ts'
import { named, type RunFlagOptions, within } from '../../lib/cli/index.ts'
import { figure, type ResultTable } from '../../lib/core/table.ts'
import { meanOf } from '../../lib/core/tally.ts'
import type { CommandOutcome } from '../../lib/scenario/command.ts'
import type { Stage } from '../../lib/scenario/definition.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import type { Sentence, Tile } from '../../lib/scenario/page.ts'
import type { Hooks } from '../../lib/scenario/run-scenario.ts'
import type { ScenarioOutcome } from '../../lib/scenario/scenario.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { type Market, termsOf } from './model.ts'
import { checksOf, type Watch } from './oracle.ts'
import { marketPage } from './page.ts'
import type { Mean } from './paper/means.ts'
import { rowOf } from './paper/table-1.ts'
import { flowsOf, resultsOf } from './results.ts'
import { agrees, tolerance } from './study/agreement.ts'
import { machineTable } from './tables.ts'

const SPEEDS = [4, 1, 1, 1, 1]
const LOAD = 0.5

/** The settings of part (a), in model time. */
const LIVE = {
  tasks: 40,
  clients: ['c1', 'c2'],
  /** The milliseconds per unit. */
  scale: 6,
  latency: units(1),
  /** Longer than two latencies, because threads cannot keep waits of less than some milliseconds. */
  wait: units(4),
  query: units(20),
  timeout: units(15),
}
/** The number of tasks of part (b). */
const TABLE_TASKS = 3000

type Demonstration = Pick<Stage<RunFlagOptions, Market, Watch>, 'note' | 'progress' | 'onSystem' | 'run'> & {
  readonly options: Pick<RunFlagOptions, 'seed' | 'report'>
}

export async function demonstrate(stage: Demonstration): Promise<ScenarioOutcome> {
  const live = await loseAMachine(stage)
  const row = await reproduceARow(stage)
  return {
    results: { live: live.results, table1: row.results },
    checks: [...live.checks, ...row.checks],
    messages: live.messages + row.messages,
    exhibits: { lead: [...live.lead, ...row.lead], withoutFaults: live.withoutFaults },
    tables: [...(live.tables ?? []), ...(row.tables ?? [])],
  }
}

/** A part of the demonstration; `lead` tells its outcome at the top of the page. */
type Part = CommandOutcome & { readonly lead: readonly Sentence[] }

function marketOf(seed: number, tasks: number, clients: readonly string[], terms: Partial<Terms>): Market {
  const jobs = generateJobs({ seed, tasks, load: LOAD, speeds: SPEEDS, errors: 'perfect' })
  const owned = withClients(jobs, clients, seed)
  return { protocol: 'dsp', speeds: SPEEDS, clients, jobs: owned, terms: termsOf('dsp', terms.delay ?? 0, terms) }
}

/** Part (a): runs a market whose fastest machine dies during an execution and is restarted. */
async function loseAMachine(stage: Demonstration): Promise<Part & { readonly withoutFaults: readonly Tile[] }> {
  const { latency, wait, query, timeout, tasks, clients, scale } = LIVE
  const { seed } = stage.options
  const record = stage.options.report !== undefined
  const market = marketOf(seed, tasks, clients, { delay: latency, wait, query, timeout, silence: 4 * query })
  const arrivalOf = (task: number) => market.jobs[task]?.arrival ?? 0
  const network = { latency }
  const page = marketPage(market)
  const calm = await stage.run(market, { seed, runtime: 'inline', network }, [], {
    onSystem: (system) => listen(system, page),
  })
  // the first longer execution on m1 in the second half of the run: m1 dies in the middle of it
  const victim = [...calm.oracle.ledger.endings.values()]
    .filter(
      ({ machine, start, finish }) => machine === 'm1' && start > arrivalOf(tasks / 2) && finish - start > units(15),
    )
    .sort((one, other) => one.start - other.start)[0]
  const killed = victim ? (victim.start + victim.finish) / 2 : arrivalOf(tasks / 2)
  const restarted = killed + units(150)
  const faults = [`kill @m1 at ${toUnits(killed)}`, `restart @m1 at ${toUnits(restarted)}`].map((spec) =>
    parseFault(spec),
  )
  const machines = SPEEDS.map((speed, i) => `m${i + 1} of speed ${speed}`).join(', ')
  stage.note(
    `(a) real time, ${scale} ms per unit; a thread for each of ${2 * SPEEDS.length} actors on ${machines}, and for each of ${clients.length} clients`,
  )
  const failures: Failure[] = []
  const downtime: Downtime = { from: null, until: null }
  const run = await stage.run(
    market,
    { seed, time: 'real', scale, network, record },
    faults,
    watchedBy(stage, tasks, failures, downtime),
  )
  const results = resultsOf(market, run)
  const isMissed = ({ machine, at }: Failure) => machine === 'm1' && at >= killed && at < restarted
  const missed = failures.filter(isMissed).map(({ task }) => {
    const ending = run.oracle.ledger.endings.get(task)
    return ending ? `task ${task}, done by ${ending.machine}` : `task ${task}, which was not done`
  })
  const wrong = failures.filter((failure) => !isMissed(failure))
  const [mean, calmMean] = [run, calm].map(({ oracle }) => `${figure(meanOf(flowsOf(oracle.ledger)))} units`)
  const story = [
    toldOf(killed, downtime),
    missed.length > 0
      ? `Its client noticed by unanswered status queries and announced its tasks again: ${missed.join('; ')}.`
      : 'It had no task when it died.',
    ...wrong.map(
      ({ task, machine }) => `${machine} was slow to answer a query for task ${task}, and was wrongly taken for dead.`,
    ),
    `${results.unfinished === 0 ? 'No task was lost' : `Tasks that never finished: ${results.unfinished}`}. The wasted work was ${figure(results.wastedWork)} units, and the mean flow time of all tasks was ${mean};`,
    `without the death of m1 it is ${calmMean}.`,
  ]
  return {
    results: { ...results, killed: toUnits(killed), restarted: toUnits(restarted), announcedAgain: failures.length },
    checks: checksOf(market, run, false).map(named('live')),
    lead: [`The death of m1 cost time: the mean flow time of all tasks was ${mean}, and without it ${calmMean}.`],
    withoutFaults: page.tiles?.(0) ?? [],
    messages: run.messages,
    tables: [
      {
        ...machineTable(market, run),
        title: `(a) A market of threads in real time: ${tasks} tasks, and the fastest machine dies half-way`,
        notes: story,
      },
    ],
  }
}

/** The failure of a contractor, as its client reported it. */
interface Failure {
  readonly task: number
  readonly machine: string
  readonly at: Time
}

/** When m1 was dead, as measured: from the death of its first actor until the last one was back. */
interface Downtime {
  from: Time | null
  until: Time | null
}

/** When m1 was killed, and when it was dead: its threads need time to end. */
function toldOf(killed: Time, { from, until }: Downtime): string {
  if (from === null) return 'm1 did not die.'
  const [struck, begun] = [killed, from].map((at) => figure(toUnits(at), 2))
  return until === null
    ? `m1, killed at ${struck}, died at ${begun} and stayed dead.`
    : `m1, killed at ${struck}, was dead from ${begun} to ${figure(toUnits(until), 2)}.`
}

/** Notes deaths and failures on stderr, and collects the failures and the downtime of m1 for the text of part (a). */
const watchedBy = (stage: Demonstration, tasks: number, failures: Failure[], downtime: Downtime): Hooks => ({
  onSystem: (system, shown) => {
    stage.onSystem(system, shown)
    system.onLine(({ t, who, at }) => {
      if (typeof who !== 'string' || typeof at !== 'number' || machineOf(who) !== 'm1') return
      if (t === 'died') downtime.from ??= at
      if (t === 'spawn' && downtime.from !== null) downtime.until = at
    })
    const say = (text: string) => stage.note(`  ${toUnits(system.now).toFixed(0).padStart(5)}  ${text}`)
    system.onDeath(({ address }) => say(`${address} is dead`))
    system.onFact((fact, { who, at }) => {
      if (fact.type !== 'failed') return
      say(`${who} gets no answer for task ${fact['task']}, and announces it again`)
      failures.push({ task: Number(fact['task']), machine: machineOf(String(fact['contractor'])), at })
    })
  },
  onDone: (done) => {
    if (done % 10 === 0) stage.note(`         ${done} of ${tasks} tasks done`)
  },
})

/** Part (b): runs one row of Table 1 and compares its mean with the paper's and the converged one. */
async function reproduceARow(stage: Demonstration): Promise<Part> {
  stage.note(`(b) virtual time: Table 1, speeds ${SPEEDS.join()}, load ${LOAD}, ${TABLE_TASKS} tasks`)
  const market = marketOf(stage.options.seed, TABLE_TASKS, ['c1'], {})
  const result = await stage.run(market, { seed: stage.options.seed }, [], {
    onSystem: stage.onSystem,
    onDone: (done) => stage.progress(done, TABLE_TASKS, `${done} tasks`),
  })
  const { meanFlow, halfWidth } = resultsOf(market, result)
  const row = rowOf(LOAD, SPEEDS)
  if (!row || meanFlow === null || halfWidth === null) throw new Error('Table 1 has no such row')
  const ours = { mean: meanFlow, halfWidth }
  const { paper, converged } = row
  const verdictOn = (mean: Mean): string => (agrees(ours, mean) ? 'agrees' : 'differs')
  const table: ResultTable = {
    title: `(b) Malone et al. 1986, Table 1: speeds ${SPEEDS.join()}, load 50 %, DSP, perfect estimates; ${TABLE_TASKS} tasks, in virtual time on threads`,
    columns: [
      { name: 'from' },
      { name: 'mean flow time', unit: 'units', digits: 2 },
      { name: 'verdict', align: 'left' },
    ],
    rows: [
      ['this run', ours, ''],
      ['paper (1986)', paper.perfect, verdictOn(paper.perfect)],
      ['converged', converged.perfect, verdictOn(converged.perfect)],
    ],
    notes: ['Intervals at 90 %.'],
  }
  const check = within(
    'table 1, 4,1,1,1,1 at 50 %: the converged mean',
    ours.mean,
    converged.perfect.mean,
    tolerance(ours, converged.perfect),
  )
  return {
    results: { mean: ours.mean, halfWidth, paper: { ...paper.perfect }, converged: { ...converged.perfect } },
    checks: [...checksOf(market, result, false).map(named('table 1')), check],
    lead: [
      `In virtual time, a row of Table 1 of Malone et al. 1986 was run as well: its mean is ${figure(ours.mean)} ± ${figure(ours.halfWidth)} units, and ${verdictOn(paper.perfect) === 'agrees' ? 'agrees with' : 'differs from'} the paper's ${figure(paper.perfect.mean)} ± ${figure(paper.perfect.halfWidth)}.`,
    ],
    messages: result.messages,
    tables: [table],
  }
}
