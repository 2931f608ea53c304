/** The reading of traces by the family whose scenario made them. */
import type { Plain } from '../../lib/core/data.ts'
import { plainIn } from '../../lib/core/decode.ts'
import { UsageError } from '../../lib/core/usage-error.ts'
import { loadedScenario } from '../../lib/scenario/load.ts'
import type { Timeline } from '../../lib/scenario/timeline.ts'
import type { Run } from '../../lib/trace/run.ts'
import { FAMILIES } from '../families.ts'
import type { TraceReading } from '../family.ts'
import type { TaskReader } from './trace/report.ts'

/** The reading of a trace whose head names no scenario: no two families have roles with facts of one name. */
const UNNAMED: TraceReading = {
  timeline: anyTimeline,
  ...FAMILIES.map(({ trace: { tasks } }) => tasks && { tasks }).find(Boolean),
}

function anyTimeline(): Timeline {
  const all = [...new Set(FAMILIES.map(({ trace }) => trace.timeline))].map((timeline) => timeline())
  return {
    grid: all.map(({ grid }) => grid).find(Boolean),
    marks: (fact, who, at) => all.flatMap((one) => one.marks(fact, who, at)),
    rowOf: (who) => all.map((one) => one.rowOf(who)).find((row) => row !== undefined),
  }
}

const scenarioOf = (head: Plain): Plain | undefined => plainIn(plainIn(head, 'about'), 'scenario')

/** The reading by the scenario that the head of a trace names: one that the user has loaded, or one of a family. */
export function readingOf(head: Plain): TraceReading {
  const scenario = scenarioOf(head)
  if (typeof scenario !== 'string') return UNNAMED
  const [name] = scenario.split('/')
  return loadedScenario(scenario) ?? FAMILIES.find((family) => family.name === name)?.trace ?? UNNAMED
}

/** @throws UsageError for a trace of a family that does not tell of its tasks */
export function tasksIn({ head, where }: Run): TaskReader {
  const { tasks } = readingOf(head)
  if (tasks) return tasks
  const able = FAMILIES.filter(({ trace }) => trace.tasks !== undefined).map(({ name }) => name)
  throw new UsageError(
    `task cannot read ${where}: it is a trace of ${scenarioOf(head)}; it reads traces of ${able.join(', ')}`,
  )
}
