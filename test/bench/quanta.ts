/** Stride scheduling on one processor, inline: the cost of a quantum against the number of competing jobs. */
import type { ProcessorInput } from '../../actors/processor/node.ts'
import { STANDARD } from '../../actors/processor/sharing.ts'
import type { Order, UserInput } from '../../actors/shares/user.ts'
import { System } from '../../lib/system.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio, rate } from './measure.ts'

const actors = new URL('../../actors/', import.meta.url)
/** The sizes, each ten times the previous one. */
const JOBS = [10, 100, 1000]
const { quantum } = STANDARD
const input: ProcessorInput = { speed: 1, sharing: { ...STANDARD, switching: 0 } }

/** A processor with a number of jobs that compute for ever, with tickets of 1 to 10. */
async function loaded(jobs: number): Promise<System> {
  const system = new System({ runtime: 'inline' })
  const orders = Array.from({ length: jobs }, (_, i): Order => {
    const program = { kind: 'compute', work: null } as const
    return {
      at: 0,
      to: 'processor@m1',
      message: { type: 'submit', job: `j${i}`, currency: 'base', amount: 1 + (i % 10), program },
    }
  })
  await system.spawn('processor@m1', new URL('processor/processor.ts', actors), input)
  const user: UserInput = { orders }
  await system.spawn('user@m1', new URL('shares/user.ts', actors), user)
  return system
}

export const quanta: readonly Measure[] = [
  {
    name: 'quanta',
    async run({ repeats, quick }) {
      const block = quick ? 2_000 : 20_000
      const systems = await Promise.all(JOBS.map(loaded))
      try {
        const sides = systems.map((system) => {
          let until = 0
          return async (): Promise<Cost> => {
            until += block * quantum
            return costOf(async () => {
              await system.run({ until })
            })
          }
        })
        const costs = await inTurns(repeats, ...sides)
        const cpu = costs.map((samples) => samples.map(({ cpuMs }) => cpuMs))
        const [few = []] = cpu
        return JOBS.map((jobs, i) => {
          const own = cpu[i] ?? []
          return {
            name: `quantum of one of ${jobs} jobs (other: of one of ${JOBS[0]})`,
            ours: `${digits((median(own) / block) * 1000)} us CPU, ${rate(block, median(own))}`,
            other: i === 0 ? '' : `${digits((median(few) / block) * 1000)} us CPU`,
            // as log n grows
            ...(i > 0 && { ratio: medianRatio(own, few), target: { most: i + 1 } }),
          }
        })
      } finally {
        for (const system of systems) await system.stop()
      }
    },
  },
]
