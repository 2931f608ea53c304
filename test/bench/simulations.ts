/** Simulations compared with SimPy's of the same jobs, and with a bare loop over the same events: M/M/8, and the DSP market. */

import { toUnits } from '../../lib/core/time.ts'
import { mmc } from '../../lib/experiment/closed-forms.ts'
import { System } from '../../lib/system.ts'
import { mailboxes, stepsOf } from './floors.ts'
import { meanWait } from './loops.ts'
import {
  type Cost,
  costOf,
  digits,
  inTurns,
  type Measure,
  median,
  medianRatio,
  type Row,
  type Settings,
  type Target,
} from './measure.ts'
import { customers, LOAD, MODELS, type Model, type ModelName, ModelRun, SERVERS } from './models.ts'
import { NO_SIMPY, SimPy } from './peers/programs.ts'
import { Ring } from './rounds.ts'
import { SimulationProcess } from './simulation-process.ts'

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

async function rowsOf(name: ModelName, settings: Settings): Promise<Row[]> {
  const model = MODELS[name](settings)
  const { name: unit, jobs, warm, block, programs, argument } = model
  const simpy = SimPy.find()
  if (!simpy) return [{ name: `${unit} (other: SimPy)`, ours: 'not run', other: NO_SIMPY }]
  const { messages, rounds, steps, take } = await trafficOf(model)
  // SimPy runs alone in its process, and so does a simulation inline; beside the floors it would be slower
  const inlineRun = await SimulationProcess.start(name, settings)
  const threads = new System({ runtime: 'threads', actors: 63 })
  const threadsRun = new ModelRun(model, threads)
  const ring = await Ring.open(THREADS)
  try {
    await threadsRun.begin()
    const runs = [(job: number) => inlineRun.runTo(job), (job: number) => costOf(() => threadsRun.runTo(job))]
    const ours = runs.map((runTo) => {
      let job = warm
      return async (): Promise<Cost> => {
        job += block
        return per(block, await runTo(job))
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
    const all = await inTurns(settings.repeats, ...ours, mail, stepped, hops, bare, ...others)
    const [inlined = [], threaded = [], mailed = [], taken = [], hopped = [], loop = [], ...simulated] = all
    await threadsRun.end()
    requireSame(`${unit}, threads`, threadsRun.mean, mean)
    requireSame(`${unit}, inline`, await inlineRun.end(), mean)
    return programs.flatMap(({ what, inline: least, threads: leastOfThreads }, i) => {
      const other = simulated[i] ?? []
      return [
        row(`${unit}, inline (other: ${what})`, inlined, other, 'cpuMs', least),
        row(`  ${digits(messages)} messages through a mailbox, and nothing else`, mailed, other, 'cpuMs'),
        row(`  ${digits(steps)} steps of its machines, and nothing else`, taken, other, 'cpuMs'),
        row('  the same events in a bare loop', loop, other, 'cpuMs'),
        row(`${unit}, threads (other: ${what})`, threaded, other, 'ms', leastOfThreads),
        row(`  ${digits(rounds)} rounds as bare hops between threads`, hopped, other, 'ms'),
      ]
    })
  } finally {
    inlineRun.kill()
    await threads.stop()
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

const queue: Measure = {
  name: 'peers: M/M/8',
  async run(settings) {
    const rows = await rowsOf('queue', settings)
    const many = settings.quick ? 20_000 : 500_000
    const found = toUnits(meanWait(customers(many), SERVERS))
    const { wait } = mmc(LOAD, 1, SERVERS)
    const shown = { ours: found.toFixed(4), other: wait.toFixed(4), ratio: found / wait }
    return [...rows, { name: `  mean wait of ${many} by the loop (other: by theory)`, ...shown }]
  },
}

const market: Measure = { name: 'peers: DSP', run: (settings) => rowsOf('market', settings) }

export const simulations: readonly Measure[] = [queue, market]
