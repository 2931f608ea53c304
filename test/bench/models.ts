/** The simulations that are compared with SimPy's: M/M/8, and the DSP market. */
import { exponential, keyed } from '../../lib/core/random.ts'
import { units } from '../../lib/core/time.ts'
import type { System } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { open, termsOf } from '../../scenarios/bidding/model.ts'
import { meanFlow, meanWait, type Timed } from './loops.ts'
import type { Settings, Target } from './measure.ts'

export interface Model {
  /** The name of one unit of work, such as a job. */
  readonly name: string
  readonly jobs: readonly Timed[]
  /** Jobs before the measurement, and in each sample. */
  readonly warm: number
  readonly block: number
  readonly open: (system: System) => Promise<void>
  /** The contribution of a fact to the sum whose mean all implementations must reach. */
  readonly addend: (fact: { readonly type: string; readonly [field: string]: unknown }) => unknown
  readonly loop: () => number
  /** The programs for SimPy, each with its target. */
  readonly programs: readonly {
    readonly program: string
    readonly what: string
    readonly inline?: Target
    readonly threads?: Target
  }[]
  readonly argument: string
}

/** A run of a model, in blocks of jobs. */
export class ModelRun {
  readonly #model: Model
  readonly #system: System
  #sum = 0

  constructor(model: Model, system: System) {
    this.#model = model
    this.#system = system
  }

  /** Spawns all actors, and runs the jobs before the measurement. */
  async begin(): Promise<void> {
    this.#system.onFact((fact) => {
      this.#sum += Number(this.#model.addend(fact) ?? 0)
    })
    await this.#model.open(this.#system)
    await this.runTo(this.#model.warm)
  }

  /** Runs until a job, or else the last one, arrives. */
  async runTo(job: number): Promise<void> {
    const { jobs } = this.#model
    await this.#system.run({ until: jobs[Math.min(job, jobs.length - 1)]?.arrival ?? 0 })
  }

  /** Runs the rest. */
  async end(): Promise<void> {
    await this.#system.run()
  }

  /** The sum so far, divided by the number of all jobs. */
  get mean(): number {
    return this.#sum / this.#model.jobs.length
  }
}

export const SERVERS = 8
export const LOAD = 0.8

export function customers(count: number): Timed[] {
  let arrival = 0
  return Array.from({ length: count }, (_, i) => {
    arrival += units(exponential(keyed(1, 'gap', i), 1 / (LOAD * SERVERS)))
    return { arrival, work: units(exponential(keyed(1, 'service', i), 1)) }
  })
}

const actor = (name: string) => new URL(`actors/${name}.ts`, import.meta.url)

function queue({ repeats, quick }: Settings): Model {
  const [warm, block] = quick ? [400, 100] : [8_000, 2_000]
  const jobs = customers(warm + block * (repeats + 2))
  const servers = Array.from({ length: SERVERS }, (_, i) => `server@s${i + 1}`)
  return {
    name: 'M/M/8 job',
    jobs,
    warm,
    block,
    loop: () => meanWait(jobs, SERVERS),
    argument: String(SERVERS),
    open: async (system) => {
      for (const server of servers) await system.spawn(server, actor('server'))
      await system.spawn('desk@d', actor('desk'), { servers, customers: jobs.length })
      const all = jobs.map(({ arrival, work }) => ({ arrival, service: work }))
      await system.spawn('source@s', actor('source'), { desk: 'desk@d', customers: all })
    },
    addend: (fact) => (fact.type === 'waited' ? fact['all'] : 0),
    programs: [{ program: 'queue.py', what: 'SimPy' }],
  }
}

const SPEEDS = [4, 1, 1, 1, 1]
/** The aim against SimPy inline. */
const INLINE_LEAST = Number(process.versions.node.split('.')[0]) >= 24 ? 2.5 : 2
const CLIENTS = ['c1']

function market({ repeats, quick }: Settings): Model {
  const [warm, block] = quick ? [200, 50] : [3_000, 500]
  const tasks = warm + block * (repeats + 2)
  const jobs = generateJobs({ seed: 1, tasks, load: 0.5, speeds: SPEEDS, errors: 'perfect' })
  return {
    name: 'DSP task',
    jobs,
    warm,
    block,
    argument: SPEEDS.join(),
    loop: () => meanFlow(jobs, SPEEDS),
    open: (system) =>
      open(system, {
        protocol: 'dsp',
        speeds: SPEEDS,
        clients: CLIENTS,
        jobs: withClients(jobs, CLIENTS, 1),
        // the same value as in SimPy's program
        terms: termsOf('dsp', 0, { ties: 'index' }),
      }),
    addend: (fact) => (fact.type === 'done' ? fact['flow'] : 0),
    programs: [
      {
        program: 'market.py',
        what: 'SimPy, the same messages',
        inline: { least: INLINE_LEAST },
        threads: { least: 0.25 },
      },
      { program: 'pool.py', what: 'SimPy, one queue without messages' },
    ],
  }
}

/** The models by name. */
export const MODELS = { queue, market }
export type ModelName = keyof typeof MODELS
