/**
 * Users ask a placer to run jobs (Arpaci-Dusseau & Culler 1997, section 4). It finds a machine for each, and they hear where
 * their jobs are and how they end.
 */

import { type Address, type Message, type Time, toUnits } from '../../lib/actor.ts'
import { runProgram } from '../../lib/cli/index.ts'
import { counted } from '../../lib/core/format.ts'
import { type ResultTable, textColumn } from '../../lib/core/table.ts'
import type { CommandRun, Results } from '../../lib/scenario/definition.ts'
import type { Violation } from '../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { sometime } from '../../lib/scenario/specification.ts'
import { type Cluster, jobsOf, onCluster } from './model.ts'
import { ClusterOracle } from './oracle.ts'
import { Answers, standingOf } from './placement/answers.ts'
import { placerPage } from './placer/page.ts'
import { flags, jobsIn, type Options, setUp } from './placer/setup.ts'

/** The oracle of a run with a placer: the promises of its cluster, and that users hear the end of every job. */
class PlacerOracle extends ClusterOracle {
  readonly answers = new Answers()
  /** The jobs that have not ended, as far as their users know. */
  readonly #open: Set<string>
  #hasDeaths = false

  constructor(...[cluster, circumstances]: ConstructorParameters<typeof ClusterOracle>) {
    super(cluster, circumstances)
    this.#open = new Set(jobsOf(cluster))
  }

  override fold(fact: Message, who: Address, at: Time): void {
    super.fold(fact, who, at)
    this.answers.fold(fact, who, at)
    const job = String(fact['job'])
    const heard = this.answers.all.get(job)
    if (!heard) return
    if (standingOf(heard).end === null) this.#open.add(job)
    else this.#open.delete(job)
  }

  override died(who: Address, at: Time): void {
    super.died(who, at)
    this.#hasDeaths = true
  }

  left(): number {
    return this.#open.size
  }

  override violations(outcome: RunOutcome): Violation[] {
    const isAsked = !this.#hasDeaths && outcome.lost === 0
    const unheard = (isAsked ? [...this.#open] : []).map((job) => ({
      property: 'users hear the end of every job',
      text: `${job} did not end`,
      eventually: true,
    }))
    return [...super.violations(outcome), ...unheard]
  }
}

/** The scenario of a placer that finds machines for jobs. */
export const placer = defineScenario({
  name: 'shares/placer',
  summary:
    'A placer finds machines for the jobs of users, by the tickets or the jobs that are there (Arpaci-Dusseau & Culler 1997, section 4).',
  usage: 'Without flags: six jobs on four machines.',
  flags,
  small: { machines: 3, jobs: ['a:1:30', 'b:2:20', 'c:3:10', 'd@m2:1:10'], apart: 2, timeout: 3, latency: 1 },
  setUp,
  ...onCluster,
  oracle: (cluster, circumstances) => new PlacerOracle(cluster, circumstances),
  sometimes: [
    sometime('job placed', 'user', 'placed'),
    sometime('job refused', 'user', 'refused'),
    sometime('process not heard of', 'user', 'missing'),
  ],
  notes: (cluster, { seed, machines }) => [
    `shares/placer, seed ${seed}: ${counted(jobsOf(cluster).length, 'job')} on ${counted(machines, 'machine')}`,
  ],
  results: resultsIn,
  jobs: ({ oracle }) => oracle.cpuCsv,
  page: placerPage,
})

function resultsIn({ options, model, oracle }: CommandRun<Options, Cluster, PlacerOracle>): Results {
  const names = new Set(jobsOf(model))
  const jobs = jobsIn(options)
    .filter(({ name }) => names.has(name))
    .map((job) => {
      const heard = oracle.answers.all.get(job.name)
      return { ...job, told: heard ? { ...standingOf(heard), at: toUnits(heard.at) } : null }
    })
  const table: ResultTable = {
    title: 'Jobs, as their users were told',
    columns: [
      textColumn('job'),
      { name: 'tickets' },
      { name: 'work [ms]' },
      ...['machine', 'end'].map(textColumn),
      { name: 'told at [ms]' },
    ],
    rows: jobs.map(({ name, tickets, work, told }) => [
      ...[name, tickets, toUnits(work)],
      ...[told?.machine ?? null, told?.end ?? null, told?.at ?? null],
    ]),
  }
  return { values: { jobs: Object.fromEntries(jobs.map(({ name, told }) => [name, told])) }, tables: [table] }
}

await runProgram(placer, import.meta.url)
