/** One event through the engines, and through XState's own `actor.send`, each in a thread of its own. */
import { Crew } from './crew.ts'
import { digits, inTurns, type Measure, median, medianRatio } from './measure.ts'
import type { EngineOrder, EngineSeat } from './threads/engine.ts'

export const engine: readonly Measure[] = [
  {
    name: 'engine',
    async run({ repeats, quick }) {
      const seats = ['compiled', 'xstate', 'actor'] as const
      const crew = await Crew.open<EngineSeat, EngineOrder>(
        'engine.ts',
        seats.map((seat) => ({ seat })),
      )
      const events = quick ? 20_000 : 60_000
      const order = { events }
      try {
        const sides = seats.map((_, place) => () => crew.play([...Array(place).fill(undefined), order], () => {}))
        // CPU time of the whole process: nothing else runs in it, and other processes disturb CPU time less.
        const costs = await inTurns(2 * repeats, ...sides)
        const [compiled = [], xstate = [], actor = []] = costs.map((side) => side.map(({ cpuMs }) => cpuMs))
        const shown = (times: readonly number[]) => `${digits((median(times) / events) * 1000)} us CPU`
        const row = (name: string, ours: readonly number[], other: readonly number[], most: number) => ({
          name,
          ours: shown(ours),
          other: shown(other),
          ratio: medianRatio(ours, other),
          target: { most },
        })
        return [
          row('event on the engine xstate (other: actor.send)', xstate, actor, 1.1),
          row('event on compiled (other: on xstate)', compiled, xstate, 0.25),
        ]
      } finally {
        await crew.close()
      }
    },
  },
]
