/** The timeline of a run of which only the trace is known: no two protocols have roles with facts of one name. */
import { meshTimeline } from '../../actors/mesh/timeline.ts'
import { processorTimeline } from '../../actors/processor/timeline.ts'
import type { Timeline } from '../../lib/report/timeline.ts'

export function anyTimeline(): Timeline {
  const all = [processorTimeline()(), meshTimeline()]
  return {
    marks: (fact, who, at) => all.flatMap((one) => one.marks(fact, who, at)),
    rowOf: (who) => all.map((one) => one.rowOf(who)).find((row) => row !== undefined),
  }
}
