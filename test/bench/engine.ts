/** One event through the engine against XState's own `actor.send`, each in a thread of its own. */
import { Crew } from './crew.ts'
import { digits, inTurns, type Measure, median, medianRatio } from './measure.ts'
import type { EngineOrder, EngineSeat } from './threads/engine.ts'

export const engine: readonly Measure[] = [
  {
    name: 'engine',
    async run({ repeats, quick }) {
      const crew = await Crew.open<EngineSeat, EngineOrder>('engine.ts', [{ seat: 'engine' }, { seat: 'actor' }])
      const events = quick ? 20_000 : 60_000
      const order = { events }
      try {
        const sides = [[order], [undefined, order]].map((orders) => () => crew.play(orders, () => {}))
        // CPU of the whole process: nothing else runs meanwhile, and it does not mind neighbours.
        const costs = await inTurns(2 * repeats, ...sides)
        const [ours = [], other = []] = costs.map((side) => side.map(({ cpuMs }) => cpuMs))
        const shown = (times: readonly number[]) => `${digits((median(times) / events) * 1000)} us CPU`
        const ratio = medianRatio(ours, other)
        return [
          { name: 'event (other: actor.send)', ours: shown(ours), other: shown(other), ratio, target: { most: 1.1 } },
        ]
      } finally {
        await crew.close()
      }
    },
  },
]
