/** The tables of papers and of converged values, as they are read from JSON files. */
import * as v from 'valibot'
import type { Converged } from '../../lib/experiment/converged.ts'

/** A value and its tolerance. */
export const PAIR = v.strictTuple([v.number(), v.number()])

/** Makes converged values whose tolerances are for a mean of `ofSeeds` runs; `seeds` is the number of runs behind a value. */
export const convergedFor =
  (ofSeeds: number) =>
  ([value, tolerance]: readonly [value: number, tolerance: number], seeds = ofSeeds): Converged => ({
    value,
    tolerance,
    ofSeeds,
    seeds,
  })

/** The schema of a table of columns and rows of cells. Its output is one object for each row. */
export const tableOf = <Row>(row: v.GenericSchema<{ [column: string]: unknown }, Row>) =>
  v.pipe(
    v.object({ columns: v.array(v.string()), rows: v.array(v.array(v.unknown())) }),
    v.check(({ columns, rows }) => rows.every((cells) => cells.length === columns.length)),
    v.transform(({ columns, rows }) =>
      rows.map((cells) => Object.fromEntries(columns.map((column, i) => [column, cells[i]]))),
    ),
    v.array(row),
  )
