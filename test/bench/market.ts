/** DSP on threads in lock-step against the same inline, once both are warm. */
import { System } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { type Market, open, termsOf } from '../../scenarios/bidding/run.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio, rate } from './measure.ts'

const SPEEDS = [4, 1, 1, 1, 1]
const CLIENTS = ['c1']

export const market: readonly Measure[] = [
  {
    name: 'market',
    async run({ repeats, quick }) {
      const warm = quick ? 500 : 6_000
      const block = quick ? 200 : 1_000
      const tasks = warm + block * (repeats + 2)
      const jobs = withClients(
        generateJobs({ seed: 1, tasks, load: 0.5, speeds: SPEEDS, errors: 'perfect' }),
        CLIENTS,
        1,
      )
      const bidding: Market = { protocol: 'dsp', speeds: SPEEDS, clients: CLIENTS, jobs, terms: termsOf('dsp', 0) }
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
            if (system.messages - before < block * SPEEDS.length) throw new Error('the market stands still')
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
            name: 'DSP task on threads (other: inline)',
            ours: perTask(ours),
            other: perTask(other),
            ratio: medianRatio(cpu(ours), cpu(other)),
            target: { most: 5 },
          },
          { name: '  DSP tasks per second', ours: speed(ours), other: speed(other) },
        ]
      } finally {
        for (const system of systems) await system.stop()
      }
    },
  },
]
