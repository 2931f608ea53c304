/** The scenarios that the laboratory knows by name, each with its own flags. */
import { UsageError } from '../../lib/cli/index.ts'
import type { Scenario } from '../../lib/scenario/scenario.ts'
import { FAMILIES } from '../families.ts'

export const SCENARIOS: Readonly<Record<string, Scenario>> = Object.assign(
  {},
  ...FAMILIES.map(({ scenarios }) => scenarios),
)

/** What a file is that can be named in place of a scenario. */
export const SCENARIO_FILE = 'TypeScript or JavaScript file whose default export is a scenario (made by defineScenario)'

const NAMES = Object.keys(SCENARIOS)

/** @throws UsageError for a name that no scenario has; it suggests a similar one, and lists all */
export function scenarioNamed(name: string): Scenario {
  const found = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined
  if (!found)
    throw UsageError.unknown('scenario', name, NAMES, {
      list: `known: ${NAMES.join(', ')}, and any ${SCENARIO_FILE}`,
    })
  return found
}
