/** The reading of traces that each family of protocols hands to the lab: its timeline, and its tasks if it tells of them. */
import { meshTimeline } from '../../actors/mesh/timeline.ts'
import { processorTimeline } from '../../actors/processor/timeline.ts'
import type { Plain } from '../../lib/core/data.ts'
import { plainIn } from '../../lib/core/decode.ts'
import { UsageError } from '../../lib/core/usage-error.ts'
import type { Timeline } from '../../lib/report/timeline.ts'
import type { Run } from '../../lib/trace/run.ts'
import { marketTasks } from '../bidding/trace/tasks.ts'
import type { TaskReader } from './trace/report.ts'

export interface TraceFamily {
  /** A timeline for the facts of one run. */
  readonly timeline: () => Timeline
  readonly tasks?: TaskReader
  /** Fields of messages, facts, records and inputs that older traces call otherwise: the old name and the present one. */
  readonly renamed?: ReadonlyMap<string, string>
}

/** An attempt at a task was its incarnation, a word that is kept for actors now. */
const ATTEMPTS = new Map([['incarnation', 'attempt']])

/** Families by the folder of their scenarios, which a trace names: `bidding/market`. */
const FAMILIES: Readonly<Record<string, TraceFamily>> = {
  bidding: { timeline: processorTimeline(), tasks: marketTasks, renamed: ATTEMPTS },
  contracts: { timeline: processorTimeline(), renamed: ATTEMPTS },
  economy: { timeline: processorTimeline(), renamed: ATTEMPTS },
  mesh: { timeline: meshTimeline },
  shares: { timeline: processorTimeline() },
}

/** The reading of a trace whose head names no scenario: no two families have roles with facts of one name. */
const UNNAMED: TraceFamily = { timeline: anyTimeline, tasks: marketTasks }

function anyTimeline(): Timeline {
  const all = [processorTimeline()(), meshTimeline()]
  return {
    grid: all.map(({ grid }) => grid).find(Boolean),
    marks: (fact, who, at) => all.flatMap((one) => one.marks(fact, who, at)),
    rowOf: (who) => all.map((one) => one.rowOf(who)).find((row) => row !== undefined),
  }
}

const scenarioOf = (head: Plain): Plain | undefined => plainIn(plainIn(head, 'about'), 'scenario')

/** The family of the scenario that the head of a trace names. */
export function familyOf(head: Plain): TraceFamily {
  const scenario = scenarioOf(head)
  const [name = ''] = typeof scenario === 'string' ? scenario.split('/') : []
  return (Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : undefined) ?? UNNAMED
}

/** @throws UsageError for a trace of a family that does not tell of its tasks */
export function tasksIn({ head, where }: Run): TaskReader {
  const { tasks } = familyOf(head)
  if (tasks) return tasks
  const able = Object.keys(FAMILIES).filter((name) => FAMILIES[name]?.tasks !== undefined)
  throw new UsageError(
    `task cannot read ${where}: it is a trace of ${scenarioOf(head)}; it reads traces of ${able.join(', ')}`,
  )
}
