/** The demonstration of a scenario: some runs with other options each, whose results stand side by side. */
import type { Plain } from '../lib/core/data.ts'
import { sum } from '../lib/core/tally.ts'
import type { CommandOutcome } from '../lib/scenario/command.ts'
import type { Shown, Stage } from '../lib/scenario/definition.ts'

/** Runs a scenario once for each set of options, and puts the results under the names of the runs. */
export async function sideBySide<O, M, W, R extends Plain>(
  stage: Stage<O, M, W>,
  runs: readonly (readonly [name: string, options: Partial<O>])[],
  resultsOf: (run: Shown<O, M, W>['run']) => R,
  told: (
    all: readonly (readonly [name: string, results: R])[],
  ) => Pick<CommandOutcome, 'tables' | 'text' | 'drawn' | 'comparison'>,
): Promise<CommandOutcome> {
  const shown = []
  for (const [name, options] of runs) {
    const { run, checks } = await stage.show(name, { ...stage.options, ...options })
    shown.push({ name, checks, messages: run.messages, results: resultsOf(run) })
  }
  const all = shown.map(({ name, results }) => [name, results] as const)
  return {
    results: Object.fromEntries(all),
    checks: shown.flatMap(({ checks }) => checks),
    messages: sum(shown, ({ messages }) => messages),
    ...told(all),
  }
}
