/** What recording in memory costs a market of DSP: the same market with and without it, in turns, inline and on threads. */
import { System } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { type Market, open, termsOf } from '../../scenarios/bidding/run.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio } from './measure.ts'

const CLIENTS = ['c1']
const SPEEDS = [4, 1, 1, 1, 1]

const SIZES = {
  inline: { warm: 2_000, block: 500 },
  threads: { warm: 1_500, block: 200 },
}

async function rowOf(runtime: keyof typeof SIZES, repeats: number, quick: boolean) {
  const size = SIZES[runtime]
  const [warm, block] = quick ? [size.warm / 10, size.block / 5] : [size.warm, size.block]
  const tasks = warm + block * (2 * repeats + 2)
  const generated = generateJobs({ seed: 1, tasks, load: 0.5, speeds: SPEEDS, errors: 'perfect' })
  const jobs = withClients(generated, CLIENTS, 1)
  const bidding: Market = { protocol: 'dsp', speeds: SPEEDS, clients: CLIENTS, jobs, terms: termsOf('dsp', 0) }
  const arrivalOf = (task: number) => jobs[Math.min(task, tasks - 1)]?.arrival ?? 0
  const systems = [true, false].map((record) => new System({ runtime, record, actors: 31 }))
  try {
    const sides = systems.map((system) => {
      let task = warm
      return async (): Promise<Cost> => {
        task += block
        return costOf(async () => {
          await system.run({ until: arrivalOf(task) })
        })
      }
    })
    for (const system of systems) {
      await open(system, bidding)
      await system.run({ until: arrivalOf(warm) })
    }
    const costs = await inTurns(2 * repeats, ...sides)
    const [ours = [], other = []] = costs.map((side) => side.map(({ cpuMs }) => cpuMs))
    const perTask = (cpu: readonly number[]) => `${digits((median(cpu) / block) * 1000)} us CPU`
    return {
      name: `DSP task recorded in memory, ${runtime} (other: not recorded)`,
      ours: perTask(ours),
      other: perTask(other),
      ratio: medianRatio(ours, other),
      target: { most: 1.15 },
    }
  } finally {
    for (const system of systems) await system.stop()
  }
}

export const recording: readonly Measure[] = [
  {
    name: 'recording',
    run: async ({ repeats, quick }) => [await rowOf('inline', repeats, quick), await rowOf('threads', repeats, quick)],
  },
]
