/** A run beside the same with two things in the other order, each at what came first: for a report. */
import type { Recorded } from '../../../lib/report/model.ts'
import { readingOf } from '../reading.ts'
import type { RaceStudy } from './study.ts'
import { swapText } from './text.ts'

/** Of the first race of which anybody noticed anything, or else the first that was tried. */
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
      name: `Race ${number}, the other order: ${effect ? `visible by ${effect.by}: ${effect.text}` : 'nobody notices'}`,
      lines: trace.lines,
      focus: first?.line,
      timeline,
    },
  ]
}
