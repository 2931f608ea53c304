/** The coverage of a set of runs: the pairs of state and event of each machine that they met. */

import { actorNamed, NOT_REGISTERED } from '../../../lib/core/code-registry.ts'
import { quoted } from '../../../lib/core/format.ts'
import { percent } from '../../../lib/core/table.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import { machineIn } from '../../../lib/engine/machine.ts'
import { chartStatesOf, coverageOf, definedBy, type Met, metIn } from '../../../lib/trace/coverage.ts'
import type { Run } from '../../../lib/trace/run.ts'
import { type Listing, listed, more, parts, type Report } from './report.ts'

/** @throws UsageError for a module that cannot be loaded */
export async function coverageReport(runs: readonly Run[], most: number): Promise<Report> {
  const modules = await Promise.all(
    [...metIn(runs)].map(async ([module, actors]) => ({ module, actors, ...(await definedIn(module)) })),
  )
  const all = modules.map(({ module, actors, defined, chartStates }) => {
    const entered = new Set([...actors.values()].flatMap((met) => [...met.entered]))
    const neverEntered = chartStates.filter((state) => !entered.has(state))
    return { module, ...coverageOf(defined, actors.values()), neverEntered }
  })
  const rows = modules.flatMap(({ module, actors, defined }) => rowsOf(module, actors, defined))
  return {
    results: {
      runs: runs.length,
      machines: all,
      actors: rows.map(([module = '', who = '', covered = '', defined = '']) => ({
        module,
        who,
        covered: Number(covered),
        defined: Number(defined),
      })),
    },
    ...parts(
      [`${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`, table(all)],
      ['by actor', listed(['machine', 'actor', 'met', 'of'], rows, most, 'actors')],
      ...all.map(({ module, missing }) => [`never met in ${module}`, pairLines(missing, most)] as const),
      ...all.map(
        ({ module, neverEntered }) =>
          [`never entered by a conversation in ${module}`, pairLines(neverEntered, most)] as const,
      ),
      ...all.map(({ module, unhandled }) => [`met but not handled in ${module}`, pairLines(unhandled, most)] as const),
    ),
  }
}

const table = (all: readonly { module: string; defined: number; covered: number }[]): Listing =>
  listed(
    ['machine', 'met', 'of', ''],
    all.map(({ module, defined, covered }) => [
      module,
      String(covered),
      String(defined),
      defined === 0 ? '' : percent(covered / defined),
    ]),
  )

const rowsOf = (module: string, actors: ReadonlyMap<string, Met>, defined: ReadonlySet<string>): string[][] =>
  [...actors].map(([who, met]) => {
    const { covered } = coverageOf(defined, [met])
    return [module, who, String(covered), String(defined.size)]
  })

const pairLines = (pairs: readonly string[], most: number): string =>
  [...pairs.slice(0, most), ...more(pairs.length - most, 'pairs', most)].map((line) => `  ${line}`).join('\n')

interface Defined {
  readonly defined: ReadonlySet<string>
  readonly chartStates: readonly string[]
}

async function definedIn(module: string): Promise<Defined> {
  const url = actorNamed(module)
  if (url === undefined) throw new UsageError(`coverage: ${quoted(module)} is not ${NOT_REGISTERED}`)
  try {
    const { default: exported }: { default?: unknown } = await import(url)
    const machine = machineIn(exported, module)
    return { defined: definedBy(machine), chartStates: chartStatesOf(machine) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw UsageError.cannot(`find a machine in ${module}`, quoted(why.split('\n')[0] ?? ''))
  }
}
