/** The cost of persistence in the economy: bank, scheduler and users that persist their state, compared with those that do not. */

import { EQUAL } from '../../actors/economy/coefficients.ts'
import { policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { units } from '../../lib/actor.ts'
import { System } from '../../lib/system.ts'
import type { Economy } from '../../scenarios/economy/model.ts'
import { open } from '../../scenarios/economy/model.ts'
import { generateEconomyJobs } from '../../scenarios/economy/workload/generate.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio, type Row } from './measure.ts'

const USERS = 10
/** Jobs before the measurement, and in each sample. */
const SIZES = {
  inline: { processors: 128, warm: 600, block: 200 },
  threads: { processors: 8, warm: 400, block: 100 },
}

type Safety = Pick<Economy, 'durable' | 'patience'>

const PLAIN: Safety = { durable: false, patience: null }
const LOGGED: Safety = { durable: true, patience: null }
const CAUTIOUS: Safety = { durable: true, patience: units(10) }

async function rowsOf(runtime: keyof typeof SIZES, repeats: number, quick: boolean): Promise<Row[]> {
  const { processors, ...size } = SIZES[runtime]
  const [warm, block] = quick ? [size.warm / 10, size.block / 5] : [size.warm, size.block]
  const count = warm + block * (repeats + 2)
  const all = generateEconomyJobs({
    seed: 1,
    processors,
    users: USERS,
    load: 0.8,
    span: (count * 40 * 128) / processors,
  })
  const jobs = all.slice(0, count)
  const user = { income: 10, savings: 1000, cap: 1_000_000, coefficients: EQUAL, targets: null }
  const economyOf = (safety: Safety): Economy => ({
    processors,
    jobs,
    overrun: null,
    ...safety,
    policy: policyOf('ECON'),
    market: { sharing: STANDARD_SHARING, statistics: null },
    users: Object.fromEntries(Array.from({ length: USERS }, (_, i) => [`u${i + 1}`, user])),
  })
  const arrivalOf = (job: number) => jobs[Math.min(job, jobs.length - 1)]?.arrival ?? 0
  const economies = [CAUTIOUS, LOGGED, PLAIN].map(economyOf)
  const systems = economies.map(() => new System({ runtime }))
  try {
    for (const [i, system] of systems.entries()) {
      const economy = economies[i]
      if (economy) await open(system, economy)
      await system.run({ until: arrivalOf(warm) })
    }
    const sides = systems.map((system) => {
      let job = warm
      return async (): Promise<Cost> => {
        job += block
        return costOf(async () => {
          await system.run({ until: arrivalOf(job) })
        })
      }
    })
    const [cautious = [], logged = [], plain = []] = (await inTurns(repeats, ...sides)).map((side) =>
      side.map(({ cpuMs }) => cpuMs),
    )
    const perJob = (cpu: readonly number[]) => `${digits((median(cpu) / block) * 1000)} us CPU`
    const row = (name: string, ours: readonly number[], other: readonly number[]): Row => ({
      name,
      ours: perJob(ours),
      other: perJob(other),
      ratio: medianRatio(ours, other),
    })
    const where = `${processors} processors, ${runtime}`
    return [
      row(`job of the economy written down, ${where} (other: not)`, logged, plain),
      row('  with probes of processors, too', cautious, plain),
    ]
  } finally {
    for (const system of systems) await system.stop()
  }
}

export const log: readonly Measure[] = [
  {
    name: 'log',
    run: async ({ repeats, quick }) => [
      ...(await rowsOf('inline', repeats, quick)),
      ...(await rowsOf('threads', repeats, quick)),
    ],
  },
]
