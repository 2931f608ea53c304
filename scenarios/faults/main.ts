/**
 * The command of a fault study: runs random plans of each kind, reports broken promises, and prints a table of their
 * costs.
 */
import { type Invocation, named, noneViolated, type OptionsOf, type Outcome, runMain } from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { type Column, plainOf, type ResultTable, textOf, type Value } from '../../lib/core/table.ts'
import { type Group, soak, soakFlags } from './soak.ts'
import type { Toll, tollsOf } from './study.ts'

type Fields = { readonly [field: string]: Plain } & { readonly plans: number; readonly messages: number }

export interface FaultStudy<S extends Fields> {
  /** The name of the command, such as `economy/faults`. */
  readonly name: string
  readonly summary: string
  /** The module that exports `toll`. */
  readonly module: URL
  readonly tolls: ReturnType<typeof tollsOf<S>>
  /** The groups of plans; each is a line of the table. */
  readonly groups: readonly Group[]
  /** The columns for the fields of the groups' points. */
  readonly heads: readonly Column[]
  readonly columns: readonly (readonly [column: Column, of: (toll: Toll<S>) => Value])[]
  readonly notes: readonly string[]
  /** The default number of plans of each group; `threads` of them also run on threads. */
  readonly plans: number
  readonly threads: number
  /** Text for the help, which follows `plans of each kind`. */
  readonly of?: string
}

export function faultMain<S extends Fields>(study: FaultStudy<S>): Promise<void> {
  const { name, summary, plans, threads, of = '' } = study
  const flags = soakFlags(plans, threads, of)
  return runMain({
    name,
    summary,
    flags,
    usage: 'Exit 1 if a plan broke a promise; the output names the plan.',
    main: (invocation) => main(study, invocation),
  })
}

type Options = OptionsOf<ReturnType<typeof soakFlags>>

async function main<S extends Fields>(study: FaultStudy<S>, invocation: Invocation<Options>): Promise<Outcome> {
  const { groups, module, tolls, heads, columns, notes } = study
  const suffered = (await soak(groups, module, invocation)).map(({ group: { point }, results }) => {
    return { words: Object.values(point), toll: tolls.sum(results) }
  })
  const table: ResultTable = {
    title: `Costs of faults, seed ${invocation.options.seed}`,
    columns: [...heads, { name: 'plans' }, ...columns.map(([column]) => column)],
    rows: suffered.map(({ words, toll }) => [...words, toll.plans, ...columns.map(([, cell]) => cell(toll))]),
    notes,
  }
  return {
    results: { table: plainOf(table) },
    checks: suffered.map(({ words, toll }) =>
      named(words.join(', '))(noneViolated(toll.violations, `in ${toll.plans} plans`)),
    ),
    messages: suffered.reduce((sum, { toll }) => sum + toll.messages, 0),
    text: textOf(table),
    exhibits: { tables: [table] },
  }
}

/** The groups of a table with one line for each kind of plan. */
export const byKind = (kinds: readonly string[]) => ({
  groups: kinds.map((kind) => ({ name: kind, point: { kind } })),
  heads: [{ name: 'faults' }],
})

export const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
export const percent = (part: number, whole: number): number | null => (whole > 0 ? (100 * part) / whole : null)
