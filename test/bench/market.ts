/** DSP on threads in lock-step compared with inline, both warm: a market of the papers, and larger ones. */
import { System } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { type Market, open, termsOf } from '../../scenarios/bidding/model.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio, rate, type Target } from './measure.ts'

const CLIENTS = ['c1']

interface Size {
  readonly name: string
  readonly speeds: readonly number[]
  /** Tasks before the measurement, and in each sample. */
  readonly warm: number
  readonly block: number
  readonly target?: Target
}

/**
 * More machines get fewer tasks, since each task is a message to and from every machine. So the threads of a
 * large market are colder than in its inline twin, where all actors run the same code in one thread.
 */
const large = (machines: number, warm: number, block: number): Size => ({
  name: `market of ${machines}`,
  speeds: Array.from({ length: machines }, () => 1),
  warm,
  block,
})

const SIZES: readonly Size[] = [
  { name: 'market', speeds: [4, 1, 1, 1, 1], warm: 6_000, block: 1_000, target: { most: 5 } },
  large(8, 1_500, 200),
  large(32, 300, 50),
  large(128, 80, 12),
]

const measured = ({ name, speeds, target, ...size }: Size): Measure => ({
  name,
  async run({ repeats, quick }) {
    const warm = quick ? Math.ceil(size.warm / 12) : size.warm
    const block = quick ? Math.ceil(size.block / 5) : size.block
    const tasks = warm + block * (repeats + 2)
    const jobs = withClients(generateJobs({ seed: 1, tasks, load: 0.5, speeds, errors: 'perfect' }), CLIENTS, 1)
    const bidding: Market = { protocol: 'dsp', speeds, clients: CLIENTS, jobs, terms: termsOf('dsp', 0) }
    const arrivalOf = (task: number) => jobs[Math.min(task, tasks - 1)]?.arrival ?? 0

    const systems = [new System({ runtime: 'threads' }), new System({ runtime: 'inline' })]
    try {
      const sides = systems.map((system) => {
        let task = warm
        return async (): Promise<Cost> => {
          task += block
          const before = system.messages
          const cost = await costOf(async () => {
            await system.run({ until: arrivalOf(task) })
          })
          // Every machine bids for every task.
          if (system.messages - before < block * speeds.length) throw new Error('the market stands still')
          return cost
        }
      })
      for (const system of systems) {
        await open(system, bidding)
        await system.run({ until: arrivalOf(warm) })
      }
      const [ours = [], other = []] = await inTurns(repeats, ...sides)
      const cpu = (costs: readonly Cost[]) => costs.map(({ cpuMs }) => cpuMs)
      const perTask = (costs: readonly Cost[]) => `${digits((median(cpu(costs)) / block) * 1000)} us CPU`
      const speed = (costs: readonly Cost[]) => rate(block, median(costs.map(({ ms }) => ms)))
      return [
        {
          name: `DSP task, ${speeds.length} contractors on threads (other: inline)`,
          ours: perTask(ours),
          other: perTask(other),
          ratio: medianRatio(cpu(ours), cpu(other)),
          ...(target && { target }),
        },
        {
          name: '  DSP tasks per second',
          ours: speed(ours),
          other: speed(other),
          ratio: medianRatio(
            other.map(({ ms }) => ms),
            ours.map(({ ms }) => ms),
          ),
        },
      ]
    } finally {
      for (const system of systems) await system.stop()
    }
  },
})

export const market: readonly Measure[] = SIZES.map(measured)
