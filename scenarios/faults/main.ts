/** The command of a study of faults: so many random plans of each kind, what they broke, and a table of what they cost. */
import { type Invocation, none, type OptionsOf, type Outcome, runMain } from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { type Column, plainOf, type ResultTable, textOf, type Value } from '../../lib/experiment/report.ts'
import { type Group, soak, soakFlags } from './soak.ts'
import type { Toll, tollsOf } from './study.ts'

type Fields = { readonly [field: string]: Plain } & { readonly plans: number; readonly messages: number }

export interface FaultStudy<S extends Fields> {
  /** Such as `economy/faults`. */
  readonly name: string
  readonly summary: string
  /** Exports `toll`. */
  readonly module: URL
  readonly tolls: ReturnType<typeof tollsOf<S>>
  /** A line of the table each. */
  readonly groups: readonly Group[]
  /** For each field of their points. */
  readonly heads: readonly Column[]
  readonly columns: readonly (readonly [column: Column, of: (toll: Toll<S>) => Value])[]
  readonly notes: readonly string[]
  /** Without `--full`: of each group, and how many of them on threads again. */
  readonly plans: number
  readonly threads: number
  /** Of what, in the help: `plans of each kind...`. */
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
    title: `What faults cost, seed ${invocation.options.seed}`,
    columns: [...heads, { name: 'plans' }, ...columns.map(([column]) => column)],
    rows: suffered.map(({ words, toll }) => [...words, toll.plans, ...columns.map(([, cell]) => cell(toll))]),
    notes,
  }
  return {
    results: { table: plainOf(table) },
    checks: suffered.map(({ words, toll }) =>
      none(`${words.join(', ')}: broken promises in ${toll.plans} plans`, toll.violations),
    ),
    messages: suffered.reduce((sum, { toll }) => sum + toll.messages, 0),
    text: textOf(table),
    exhibits: { tables: [table] },
  }
}

/** A line of the table for each kind of plan. */
export const byKind = (kinds: readonly string[]) => ({
  groups: kinds.map((kind) => ({ name: kind, point: { kind } })),
  heads: [{ name: 'faults' }],
})

export const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
export const percent = (part: number, whole: number): number | null => (whole > 0 ? (100 * part) / whole : null)
