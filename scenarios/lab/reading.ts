/** The reading of traces by the family whose scenario made them. */
import type { Plain } from '../../lib/core/data.ts'
import { plainIn } from '../../lib/core/decode.ts'
import { UsageError } from '../../lib/core/usage-error.ts'
import { loadedScenario } from '../../lib/scenario/load.ts'
import type { PageReader } from '../../lib/scenario/page.ts'
import type { Run } from '../../lib/trace/run.ts'
import { FAMILIES } from '../families.ts'
import { exampleOf, type Family, type TraceReading } from '../family.ts'
import type { TaskReader } from './trace/report.ts'

/** The reading of a trace whose head names no scenario: no two families have roles with facts of one name. */
const UNNAMED: TraceReading = {
  ...FAMILIES.map(({ trace: { tasks } }) => tasks && { tasks }).find(Boolean),
}

const scenarioOf = (head: Plain): Plain | undefined => plainIn(plainIn(head, 'about'), 'scenario')

const familyOf = (scenario: string): Family | undefined => FAMILIES.find(({ name }) => name === scenario.split('/')[0])

/** The reading by the scenario that the head of a trace names: one that the user has loaded, or one of a family. */
export function readingOf(head: Plain): TraceReading {
  const scenario = scenarioOf(head)
  if (typeof scenario !== 'string') return UNNAMED
  return loadedScenario(scenario) ? {} : (familyOf(scenario)?.trace ?? UNNAMED)
}

/** A reader of the facts of a trace, for its page; undefined if its scenario is not known. */
export function pageOf(head: Plain): (() => PageReader) | undefined {
  const name = scenarioOf(head)
  if (typeof name !== 'string') return undefined
  const loaded = loadedScenario(name)
  if (loaded) return loaded.page
  const family = familyOf(name)
  return family && (family.scenarios[name] ?? exampleOf(family)[1]).page
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
