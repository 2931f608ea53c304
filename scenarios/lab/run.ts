/** The command that runs a scenario once: one of this project, by its name, or the one that a file exports. */
import { runMain, UsageError } from '../../lib/cli/index.ts'
import { loadScenario } from '../../lib/scenario/load.ts'
import type { Scenario } from '../../lib/scenario/scenario.ts'
import { scenarioNamed } from './scenarios.ts'
import { isScript } from './subject.ts'

async function taken(): Promise<Scenario & { readonly path?: string }> {
  const [, , word = ''] = process.argv
  if (word === '' || word.startsWith('-')) {
    throw new UsageError(
      'run needs a scenario first: a file that exports one, or a name such as bidding/market; `run SCENARIO --help` lists its flags',
    )
  }
  process.argv.splice(2, 1)
  return isScript(word) ? { ...(await loadScenario(word)), path: word } : scenarioNamed(word)
}

await runMain(taken)
