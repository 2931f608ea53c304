/**
 * A table of results, and its forms: text, Markdown and a grid of cells for people (rounded), CSV and plain data for
 * programs (exact).
 */

import { csvText } from './csv.ts'
import type { Plain } from './data.ts'
import { OutOfRange } from './error.ts'
import { quoted } from './format.ts'

/** mean ± halfWidth; null where there were too few values for an interval. */
export interface Interval {
  readonly mean: number
  readonly halfWidth: number | null
}

/** A value of a table; null stands for a number that does not exist, such as the mean of no values. */
export type Value = string | number | null | Interval

/** A column of a table: its name, its unit, and how its values are printed. */
export interface Column {
  /** The name, unique in its table. */
  readonly name: string
  /** The unit of the numbers, such as `units` or `%`. */
  readonly unit?: string
  /** The alignment (default: `left` for the first column, `right` for all others). */
  readonly align?: 'left' | 'right'
  /** The number of decimals for people (default: up to six significant digits). */
  readonly digits?: number
  /** How a page colours words of the column, such as `{ yes: 'good', no: 'bad' }`; what follows a colon is part of no word. */
  readonly tones?: Tones
}

/** The tones of words: what is as it should be, what is not, and what cannot be judged. */
export type Tones = { readonly [word: string]: 'good' | 'bad' | 'faint' }

/** A table of results, which prints to the terminal, Markdown, CSV, HTML and JSON. */
export interface ResultTable {
  readonly title?: string
  readonly columns: readonly Column[]
  /** The rows, each with a value for every column. */
  readonly rows: readonly (readonly Value[])[]
  /** Lines under the table, such as the confidence, seeds and sources. */
  readonly notes?: readonly string[]
}

const isInterval = (value: Value): value is Interval => typeof value === 'object' && value !== null

/**
 * Returns a table whose rows fit its columns. The names of its columns differ, because they are keys.
 *
 * @throws OutOfRange for a row that does not fit, and for two columns of one name
 */
function checked(results: ResultTable): ResultTable {
  const { columns, rows } = results
  const names = columns.map(({ name }) => name)
  const twice = names.find((name, c) => names.indexOf(name) < c)
  if (twice !== undefined) throw new OutOfRange(`two columns are named ${quoted(twice)}`)
  const wrong = rows.findIndex((row) => row.length !== columns.length)
  if (wrong >= 0)
    throw new OutOfRange(`row ${wrong} must have ${columns.length} values, not ${rows[wrong]?.length ?? 0}`)
  return results
}

/** A number for people. */
export const rounded = (value: number | null, digits?: number): string => {
  if (value === null) return '-'
  return digits === undefined ? String(Number(value.toPrecision(6))) : value.toFixed(digits)
}

/** A name with its unit, such as `load [%]`. */
export const withUnit = (name: string, unit: string | undefined): string =>
  unit === undefined ? name : `${name} [${unit}]`

const headOf = ({ name, unit }: Column): string => withUnit(name, unit)

export const isLeft = ({ align }: Column, index: number): boolean =>
  (align ?? (index === 0 ? 'left' : 'right')) === 'left'

/** The cells of a column for people; if `aligned`, half-widths stand under half-widths, and means under means. */
function cellsOf({ digits }: Column, values: readonly Value[], aligned: boolean): string[] {
  const halves = values.map((value) => (isInterval(value) && value.halfWidth !== null ? value.halfWidth : undefined))
  const shown = halves.map((half) => (half === undefined ? '' : rounded(half, digits)))
  const width = aligned ? Math.max(...shown.map((half) => half.length)) : 0
  return values.map((value, i) => {
    if (typeof value === 'string') return value
    const number = rounded(isInterval(value) ? value.mean : value, digits)
    const half = shown[i] ?? ''
    if (half === '') return width === 0 ? number : number.padEnd(number.length + width + PLUS_MINUS.length)
    return `${number}${PLUS_MINUS}${half.padStart(width)}`
  })
}

const PLUS_MINUS = ' ± '

const transposed = (columns: readonly (readonly string[])[], rows: number): string[][] =>
  Array.from({ length: rows }, (_, i) => columns.map((column) => column[i] ?? ''))

const cellColumns = ({ columns, rows }: ResultTable, aligned: boolean): string[][] =>
  columns.map((column, c) => {
    const values = rows.map((row) => row[c] ?? null)
    return cellsOf(column, values, aligned)
  })

/** A column of text, aligned to the left. */
export const textColumn = (name: string): Column => ({ name, align: 'left' })

/** A table of measures and their values. */
export const measuresTable = (
  rows: readonly (readonly [measure: string, value: Value])[],
  title?: string,
): ResultTable => ({
  ...(title !== undefined && { title }),
  columns: [{ name: 'measure' }, { name: 'value' }],
  rows,
})

/** The row of a count in such a table; none if nothing was counted. */
export const someOf = (measure: string, count: number): readonly (readonly [measure: string, count: number])[] =>
  count > 0 ? [[measure, count]] : []

/** Columns of text under their heads. */
export function textOf(results: ResultTable): string {
  const { title, columns, rows, notes = [] } = checked(results)
  const lines = [columns.map(headOf), ...transposed(cellColumns(results, true), rows.length)]
  const widths = columns.map((_, c) => lines.reduce((most, line) => Math.max(most, (line[c] ?? '').length), 0))
  const padded = columns.map((column, c) => {
    const width = widths[c] ?? 0
    return isLeft(column, c) ? (cell: string) => cell.padEnd(width) : (cell: string) => cell.padStart(width)
  })
  const body = lines.map((line) =>
    padded
      .map((pad, c) => pad(line[c] ?? ''))
      .join('  ')
      .trimEnd(),
  )
  return [...(title === undefined ? [] : [title, '']), ...body, ...(notes.length > 0 ? ['', ...notes] : []), ''].join(
    '\n',
  )
}

const markdown = (text: string): string =>
  text
    .trim()
    .replaceAll(/[\\|]/g, '\\$&')
    .replaceAll(/[\r\n]+/g, ' ')

/** A table as people read it: the heads, then the cells of each row. */
export function gridOf(results: ResultTable): string[][] {
  const { columns, rows } = checked(results)
  return [columns.map(headOf), ...transposed(cellColumns(results, false), rows.length)]
}

/** A Markdown table. */
export function markdownOf(results: ResultTable): string {
  const { title, columns, notes = [] } = results
  const [head = [], ...rows] = gridOf(results)
  const line = (cells: readonly string[]): string => `| ${cells.map(markdown).join(' | ')} |`
  return [
    ...(title === undefined ? [] : [`**${markdown(title)}**`, '']),
    line(head),
    `|${columns.map((column, c) => (isLeft(column, c) ? ' --- |' : ' ---: |')).join('')}`,
    ...rows.map(line),
    ...notes.flatMap((note) => ['', note]),
    '',
  ].join('\n')
}

/**
 * CSV (RFC 4180): exact numbers, an empty cell for none; a column with intervals is followed by one with their
 * half-widths. Title and notes are left out.
 */
export function csvOf(results: ResultTable): string {
  const { columns, rows } = checked(results)
  const wide = columns.map((_, c) => rows.some((row) => isInterval(row[c] ?? null)))
  const head = columns.flatMap((column, c) => {
    const name = headOf(column)
    return wide[c] ? [name, headOf({ ...column, name: `${column.name} half-width` })] : [name]
  })
  const lines = rows.map((row) =>
    row.flatMap((value, c) => {
      const cells = isInterval(value) ? [value.mean, value.halfWidth] : [value, '']
      return wide[c] ? cells : cells.slice(0, 1)
    }),
  )
  return csvText([head, ...lines], '\r\n')
}

/** A table as plain data, for a scenario's `results`: the columns, and a record per row keyed by column name. */
export function plainOf(results: ResultTable): Plain {
  const { title, columns, rows, notes = [] } = checked(results)
  return {
    title,
    columns: columns.map(({ name, unit }) => ({ name, unit })),
    rows: rows.map((row) =>
      Object.fromEntries(
        columns.map(({ name }, c) => {
          const value = row[c] ?? null
          return [name, isInterval(value) ? { mean: value.mean, halfWidth: value.halfWidth } : value]
        }),
      ),
    ),
    notes: [...notes],
  }
}

/** A table without the columns that have no value in any row. */
export function withoutEmpty(results: ResultTable): ResultTable {
  const { columns, rows } = results
  if (rows.length === 0) return results
  const isKept = columns.map((_, c) => rows.some((row) => (row[c] ?? '') !== ''))
  const kept = <T>(all: readonly T[]): T[] => all.filter((_, c) => isKept[c])
  return { ...results, columns: kept(columns), rows: rows.map(kept) }
}

/** A share in percent; null is a dash. */
export const percent = (part: number | null): string => (part === null ? '-' : `${(100 * part).toFixed(1)} %`)

/** A share in whole percent, such as `12 %` for 0.123; null is a dash. */
export const wholePercent = (part: number | null): string => (part === null ? '-' : `${Math.round(100 * part)} %`)

/** A number with the given number of decimals; null is a dash. */
export const figure = (value: number | null, digits = 2): string => rounded(value, digits)
