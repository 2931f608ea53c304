/** The command that runs a scenario once: one of this project, by its name, or the one that a file exports. */
import { type RunFlagOptions, runFlags, runMain, UsageError } from '../../lib/cli/index.ts'
import type { Command } from '../../lib/cli/shell.ts'
import { commandOf } from '../../lib/core/command-name.ts'
import { loadScenario } from '../../lib/scenario/load.ts'
import type { Scenario } from '../../lib/scenario/scenario.ts'
import { SCENARIO_FILE, SCENARIOS, scenarioNamed } from './scenarios.ts'
import { isScript } from './subject.ts'

const SEE = `\`${commandOf({ name: 'lab/run' })} SCENARIO --help\` lists its flags`

/** @throws UsageError since no scenario was named */
const unnamed = (): never => {
  throw new UsageError(`run needs a scenario first: a file that exports one, or a name such as bidding/market; ${SEE}`)
}

/** The command without a scenario, which has a help but runs nothing. */
const NONE: Command<RunFlagOptions> = {
  name: 'lab/run',
  summary: 'Runs a scenario once, and checks its promises. These are the flags of every scenario.',
  usage: `A scenario may have flags of its own: ${SEE}.`,
  args: {
    usage: 'SCENARIO',
    least: 0,
    forms: [['SCENARIO', `a ${SCENARIO_FILE}, or one of ${Object.keys(SCENARIOS).join(', ')}`]],
  },
  flags: runFlags,
  main: unnamed,
}

async function taken(): Promise<Command<RunFlagOptions> | (Scenario & { readonly path?: string })> {
  const [, , word = ''] = process.argv
  if (word === '--help' || word === '-h') return NONE
  if (word === '' || word.startsWith('-')) return unnamed()
  process.argv.splice(2, 1)
  return isScript(word) ? { ...(await loadScenario(word)), path: word } : scenarioNamed(word)
}

await runMain(taken)
