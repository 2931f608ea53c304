/** The two runs of one race for a report: as recorded, and with the two events in the other order. */
import type { Recorded } from '../../../lib/report/model.ts'
import { readingOf } from '../reading.ts'
import type { RaceStudy } from './study.ts'
import { swapText } from './text.ts'

/**
 * Shows the first race with a visible effect, or else the first that was tried. Each run is opened at its first event.
 */
export function bothOrders({ recorded, kinds }: RaceStudy): Recorded[] {
  const all = kinds.flatMap(({ tried }) => tried)
  const tried = all.find(({ effect }) => effect !== null) ?? all[0]
  if (!recorded || !tried) return []
  const { race, number, effect, run, trace } = tried
  const { timeline } = readingOf(recorded.trace.head)
  const { who, incarnation, n } = race.step
  const first = run.incarnations.find((one) => one.who === who && one.incarnation === incarnation)?.steps[n]
  return [
    { name: `As recorded: ${swapText(race)}`, lines: recorded.trace.lines, focus: race.step.line, timeline },
    {
      name: `Race ${number}, the other order: ${effect ? `visible by ${effect.by}: ${effect.text}` : 'no visible effect'}`,
      lines: trace.lines,
      focus: first?.line,
      timeline,
    },
  ]
}
