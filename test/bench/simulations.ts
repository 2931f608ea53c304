/** Simulations compared with SimPy's of the same jobs, and with a bare loop over the same events: M/M/8, and the DSP market. */

import { exponential, keyed } from '../../lib/core/random.ts'
import { type Time, toUnits, units } from '../../lib/core/time.ts'
import { mmc } from '../../lib/experiment/closed-forms.ts'
import { System, type SystemInit } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { open, termsOf } from '../../scenarios/bidding/model.ts'
import { mailboxes, stepsOf } from './floors.ts'
import { meanFlow, meanWait, type Timed } from './loops.ts'
import {
  type Cost,
  costOf,
  digits,
  inTurns,
  type Measure,
  median,
  medianRatio,
  type Row,
  type Target,
} from './measure.ts'
import { NO_SIMPY, SimPy } from './peers/programs.ts'
import { Ring } from './rounds.ts'

interface Model {
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

/** Asserts equal means up to rounding, since times of actors are whole millionths of a unit. */
function requireSame(what: string, ours: number, other: number): void {
  if (!(Math.abs(ours - other) <= 1e-6 * other)) throw new Error(`${what}: a mean of ${ours} is not ${other}`)
}

/** The messages, rounds and steps of one job. */
async function trafficOf({ jobs, open }: Model) {
  const rounds = 5_000
  const system = new System({ runtime: 'inline', rounds, record: true })
  try {
    await open(system)
    const { now } = await system.run()
    const come = jobs.filter(({ arrival }) => arrival <= now).length
    const messages = (system.messages + system.localMessages) / come
    await system.stop()
    const { count, take } = await stepsOf(system.recorded())
    return { messages, rounds: rounds / come, steps: count / come, take }
  } finally {
    await system.stop()
  }
}

async function rowsOf(model: Model, repeats: number): Promise<Row[]> {
  const { name, jobs, warm, block, programs, argument } = model
  const arrivalOf = (job: number): Time => jobs[Math.min(job, jobs.length - 1)]?.arrival ?? 0
  const simpy = SimPy.find()
  if (!simpy) return [{ name: `${name} (other: SimPy)`, ours: 'not run', other: NO_SIMPY }]
  const { messages, rounds, steps, take } = await trafficOf(model)
  const runtimes: readonly SystemInit[] = [{ runtime: 'inline' }, { runtime: 'threads', actors: 63 }]
  const systems = runtimes.map((options) => new System(options))
  const sums = systems.map((): number => 0)
  const ring = await Ring.open(THREADS)
  try {
    for (const [i, system] of systems.entries()) {
      system.onFact((fact) => {
        sums[i] = (sums[i] ?? 0) + Number(model.addend(fact) ?? 0)
      })
      await model.open(system)
      await system.run({ until: arrivalOf(warm) })
    }
    const ours = systems.map((system) => {
      let job = warm
      return async (): Promise<Cost> => {
        job += block
        return per(block, await costOf(async () => void (await system.run({ until: arrivalOf(job) }))))
      }
    })
    const mean = model.loop()
    const bare = async () => per(jobs.length, await costOf(() => void model.loop()))
    const passed = mailboxes()
    const mail = async () => per(MESSAGES / messages, await passed(MESSAGES))
    const stepped = async () => per(STEPS / steps, await take(STEPS))
    const hops = async () => per(HOPS / rounds, await ring.byHops(HOPS))
    const others = programs.map(({ program, what }) => async (): Promise<Cost> => {
      const simulated = await simpy.simulate(program, jobs, argument)
      requireSame(what, simulated.mean, mean)
      return per(jobs.length, simulated)
    })
    const all = await inTurns(repeats, ...ours, mail, stepped, hops, bare, ...others)
    const [inline = [], threads = [], mailed = [], taken = [], hopped = [], loop = [], ...simulated] = all
    for (const [i, system] of systems.entries()) {
      await system.run()
      requireSame(`${name}, ${system.options.runtime}`, (sums[i] ?? 0) / jobs.length, mean)
    }
    return programs.flatMap(({ what, inline: least, threads: leastOfThreads }, i) => {
      const other = simulated[i] ?? []
      return [
        ...[row(`${name}, inline (other: ${what})`, inline, other, 'cpuMs', least)],
        row(`  ${digits(messages)} messages through a mailbox, and nothing else`, mailed, other, 'cpuMs'),
        row(`  ${digits(steps)} steps of its machines, and nothing else`, taken, other, 'cpuMs'),
        row('  the same events in a bare loop', loop, other, 'cpuMs'),
        row(`${name}, threads (other: ${what})`, threads, other, 'ms', leastOfThreads),
        row(`  ${digits(rounds)} rounds as bare hops between threads`, hopped, other, 'ms'),
      ]
    })
  } finally {
    for (const system of systems) await system.stop()
    await ring.close()
  }
}

/** A row with the times of one side, and its speed relative to the other. */
function row(name: string, ours: readonly Cost[], other: readonly Cost[], of: keyof Cost, target?: Target): Row {
  const times = (costs: readonly Cost[]) => costs.map((cost) => cost[of])
  const shown = (costs: readonly Cost[]) => `${digits(1000 * median(times(costs)))} us${of === 'cpuMs' ? ' CPU' : ''}`
  const ratio = medianRatio(times(other), times(ours))
  return { name, ours: shown(ours), other: shown(other), ratio, ...(target && { target }) }
}

/** The number of actors in a market of five machines. */
const THREADS = 11
const MESSAGES = 100_000
const STEPS = 50_000
const HOPS = 5_000

const per = (count: number, { ms, cpuMs }: Cost): Cost => ({ ms: ms / count, cpuMs: cpuMs / count })

const SERVERS = 8
const LOAD = 0.8

function customers(count: number): Timed[] {
  let arrival = 0
  return Array.from({ length: count }, (_, i) => {
    arrival += units(exponential(keyed(1, 'gap', i), 1 / (LOAD * SERVERS)))
    return { arrival, work: units(exponential(keyed(1, 'service', i), 1)) }
  })
}

const actor = (name: string) => new URL(`actors/${name}.ts`, import.meta.url)

const queue: Measure = {
  name: 'peers: M/M/8',
  async run({ repeats, quick }) {
    const [warm, block] = quick ? [400, 100] : [8_000, 2_000]
    const jobs = customers(warm + block * (repeats + 2))
    const loop = () => meanWait(jobs, SERVERS)
    const servers = Array.from({ length: SERVERS }, (_, i) => `server@s${i + 1}`)
    const rows = await rowsOf(
      {
        name: 'M/M/8 job',
        jobs,
        warm,
        block,
        loop,
        argument: String(SERVERS),
        open: async (system) => {
          for (const server of servers) await system.spawn(server, actor('server'))
          await system.spawn('desk@d', actor('desk'), { servers, customers: jobs.length })
          const all = jobs.map(({ arrival, work }) => ({ arrival, service: work }))
          await system.spawn('source@s', actor('source'), { desk: 'desk@d', customers: all })
        },
        addend: (fact) => (fact.type === 'waited' ? fact['all'] : 0),
        programs: [{ program: 'queue.py', what: 'SimPy' }],
      },
      repeats,
    )
    const many = quick ? 20_000 : 500_000
    const found = toUnits(meanWait(customers(many), SERVERS))
    const { wait } = mmc(LOAD, 1, SERVERS)
    const shown = { ours: found.toFixed(4), other: wait.toFixed(4), ratio: found / wait }
    return [...rows, { name: `  mean wait of ${many} by the loop (other: by theory)`, ...shown }]
  },
}

const SPEEDS = [4, 1, 1, 1, 1]
const CLIENTS = ['c1']

const market: Measure = {
  name: 'peers: DSP',
  async run({ repeats, quick }) {
    const [warm, block] = quick ? [200, 50] : [3_000, 500]
    const tasks = warm + block * (repeats + 2)
    const jobs = generateJobs({ seed: 1, tasks, load: 0.5, speeds: SPEEDS, errors: 'perfect' })
    return rowsOf(
      {
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
          { program: 'market.py', what: 'SimPy, the same messages', inline: { least: 2 }, threads: { least: 0.25 } },
          { program: 'pool.py', what: 'SimPy, one queue without messages' },
        ],
      },
      repeats,
    )
  },
}

export const simulations: readonly Measure[] = [queue, market]
