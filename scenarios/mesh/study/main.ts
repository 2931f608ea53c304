/** The command of a calculation: tables, charts, statements of the thesis, and reference values. */
import { join } from 'node:path'
import type { Flags } from '../../../lib/cli/flags.ts'
import type { Subject } from '../../../lib/cli/help.ts'
import { type Check, makeFolder, none, type Outcome, resultFile, runMain, writeResult } from '../../../lib/cli/index.ts'
import { csvOf, markdownOf, plainOf, type ResultTable, textOf } from '../../../lib/experiment/report.ts'
import { contradicted, factTable, type Ours } from '../paper/facts.ts'
import type { OutOptions } from './flags.ts'

/** A value of an independent implementation of the same rules. */
export interface Held {
  readonly name: string
  readonly ours: number
  readonly expected: number
  readonly tolerance: number
}

export interface Calculated {
  /** The tables that are printed. */
  readonly tables: readonly ResultTable[]
  /** All values for programs, one row for each. */
  readonly values: ResultTable
  /** Charts by file name. */
  readonly drawings: { readonly [name: string]: string }
  readonly held: readonly Held[]
  readonly facts: Ours
}

export interface Calculation<O extends OutOptions> extends Subject {
  readonly flags: Flags<O>
  readonly calculate: (options: O) => Calculated
}

const isWithin = ({ ours, expected, tolerance }: Held): boolean =>
  ours === expected || Math.abs(ours - expected) <= tolerance

/** The check of a reference value. */
export function checksOf({ held, facts }: Pick<Calculated, 'held' | 'facts'>): Check[] {
  const beyond = held.filter((one) => !isWithin(one))
  const lines = beyond.map(({ name, ours, expected, tolerance }) => `${name}: ${ours}, not ${expected} ± ${tolerance}`)
  const told = Object.values(facts).filter(({ bears }) => typeof bears === 'boolean').length
  return [
    ...(held.length > 0 ? [none(`values beyond their tolerance, of ${held.length}`, lines)] : []),
    ...(told > 0 ? [none(`verdicts that our numbers contradict, of ${told}`, contradicted(facts))] : []),
  ]
}

function outcomeOf<O extends OutOptions>(calculation: Calculation<O>, options: O): Outcome {
  const { csv, markdown, svg } = options
  const writeCsv = resultFile(csv, '--csv')
  const writeMarkdown = resultFile(markdown, '--markdown')
  if (svg !== undefined) makeFolder(svg, '--svg')
  const calculated = calculation.calculate(options)
  const { tables, values, drawings, facts } = calculated
  const all = [...tables, ...(Object.keys(facts).length > 0 ? [factTable(facts)] : [])]
  writeCsv(csvOf(values))
  writeMarkdown(all.map(markdownOf).join('\n'))
  if (svg !== undefined) {
    for (const [name, drawing] of Object.entries(drawings)) writeResult(join(svg, `${name}.svg`), drawing, '--svg')
  }
  return {
    results: { values: plainOf(values), facts: plainOf(factTable(facts)) },
    checks: checksOf(calculated),
    messages: 0,
    text: all.map(textOf).join('\n'),
    exhibits: {
      tables: all,
      charts: Object.entries(drawings).map(([title, svg]) => ({ title, says: 'Its numbers are in the tables.', svg })),
    },
  }
}

/** A scenario's entry point. */
export const calculationMain = <O extends OutOptions>(calculation: Calculation<O>): Promise<void> =>
  runMain({
    usage: 'Calculates without running actors. Exit 1 if a value or a fact differs from the known one.',
    ...calculation,
    main: async ({ options }) => outcomeOf(calculation, options),
  })
