/** The exchange of ticket servers: its messages, and its cost on threads compared with inline, both warm. */

import { toUnits, units } from '../../lib/core/time.ts'
import { System } from '../../lib/system.ts'
import type { Cluster } from '../../scenarios/shares/model.ts'
import { cooperating, machinesOf, open, runs } from '../../scenarios/shares/model.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio, rate } from './measure.ts'

const PERIOD = units(1000)

/** Every machine has a job of one user. A quantum lasts a period, so that the exchange is most of the work. */
function clusterOf(machines: number): Cluster {
  const sharing = { ...cooperating({ A: 100 }, { every: PERIOD, patience: 0 }), quantum: PERIOD }
  const orders = machinesOf({ machines }).map((machine) =>
    runs(`A.${machine}`, machine, { currency: 'A', user: 'user@desk' }),
  )
  return { machines, sharing, orders }
}

/** Ticks before the measurement, and in each sample. */
const measured = (machines: number, warm: number, block: number): Measure => ({
  name: `tickets of ${machines}`,
  async run({ repeats, quick }) {
    const ticks = quick ? Math.ceil(block / 5) : block
    const systems = [new System({ runtime: 'threads' }), new System({ runtime: 'inline' })]
    try {
      let said = 0
      const sides = systems.map((system) => async (): Promise<Cost> => {
        const [before, now] = [system.messages, system.now]
        const cost = await costOf(async () => {
          await system.run({ until: now + ticks * PERIOD })
        })
        said = system.messages - before
        if (said !== ticks * machines * (machines - 1)) throw new Error(`${said} messages in ${ticks} ticks`)
        return cost
      })
      for (const system of systems) {
        await open(system, clusterOf(machines))
        await system.run({ until: warm * PERIOD + units(1) })
      }
      const [ours = [], other = []] = await inTurns(repeats, ...sides)
      const cpu = (costs: readonly Cost[]) => costs.map(({ cpuMs }) => cpuMs)
      const each = (costs: readonly Cost[]) =>
        `${digits((median(cpu(costs)) / said) * 1000)} us CPU, ${rate(said, median(costs.map(({ ms }) => ms)))}`
      const perSecond = said / machines / (toUnits(ticks * PERIOD) / 1000)
      return [
        {
          name: `ticket servers of ${machines} machines: messages per machine and second of the model`,
          ours: digits(perSecond),
          other: '',
        },
        {
          name: '  a message on threads (other: inline)',
          ours: each(ours),
          other: each(other),
          ratio: medianRatio(cpu(ours), cpu(other)),
        },
      ]
    } finally {
      for (const system of systems) await system.stop()
    }
  },
})

export const tickets: readonly Measure[] = [measured(8, 200, 100), measured(32, 20, 8), measured(128, 3, 1)]
