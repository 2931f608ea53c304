/** A point of the economy's figure 3 for each policy, inline: on the compiled engine, on XState, and by a plain loop. */
import { economyRun } from '../../scenarios/economy/run.ts'
import { economyOf, STANDARD } from '../../scenarios/economy/study/point.ts'
import { Simulator } from '../economy/reference/simulator.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio } from './measure.ts'

const POLICIES = ['FCFS', 'RES', 'ECON'] as const

export const figure3: readonly Measure[] = [
  {
    name: 'figure 3',
    async run({ repeats, quick }) {
      const span = quick ? 500 : 2500
      const economies = POLICIES.map((policy) => economyOf({ ...STANDARD, policy, seed: 1, load: 0.9, span }))
      const jobs = economies.reduce((sum, economy) => sum + economy.jobs.length, 0)
      const played = (engine: 'compiled' | 'xstate') => (): Promise<Cost> =>
        costOf(async () => {
          for (const economy of economies) await economyRun.run(economy, { runtime: 'inline', engine })
        })
      const looped = (): Promise<Cost> =>
        costOf(() => {
          for (const economy of economies) new Simulator(economy).run()
        })
      const costs = await inTurns(repeats, played('compiled'), played('xstate'), looped)
      const [ours = [], xstate = [], loop = []] = costs.map((side) => side.map(({ cpuMs }) => cpuMs))
      const shown = (cpu: readonly number[]) => `${digits((median(cpu) / jobs) * 1000)} us CPU`
      return [
        {
          name: 'job of figure 3 at load 0.9 (other: on xstate)',
          ours: shown(ours),
          other: shown(xstate),
          ratio: medianRatio(xstate, ours),
          target: { least: 5 },
        },
        {
          name: '  by one plain loop that computes everything again',
          ours: shown(loop),
          other: shown(xstate),
          ratio: medianRatio(xstate, loop),
        },
      ]
    },
  },
]
