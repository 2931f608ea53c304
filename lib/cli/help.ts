/** Texts about flags: `--help`, and the tables of the manual. */
import { commandOf, type Program } from '../core/command-name.ts'
import { type AnyFlags, type Arguments, type Flag, flagName, GROUPS, type Group } from '../scenario/flags.ts'

const usageOf = (key: string, flag: Flag<unknown>): string =>
  flag.metavar === null ? flagName(key) : `${flagName(key)} ${flag.metavar}`

/** The usage and explanation of each flag, by group; the flags of the scenario itself come first, without a heading. */
function sectionsOf(flags: AnyFlags): { heading: Group | undefined; rows: Row[] }[] {
  const all = Object.entries(flags)
  return [undefined, ...GROUPS].flatMap((heading) => {
    const rows = all
      .filter(([, { group }]) => group === heading)
      .map(([key, flag]): Row => [usageOf(key, flag), flag.help + remarkOf(flag)])
    return rows.length > 0 ? [{ heading, rows }] : []
  })
}

type Row = readonly [usage: string, help: string]

const remarkOf = ({ fallback, repeatable }: Flag<unknown>): string => {
  if (repeatable) return ' (repeatable)'
  return fallback === null ? '' : ` (default ${fallback})`
}

const WIDTH = 110
const COLUMN_MAX = 32

/** Breaks a text into lines, all but the first indented. */
function wrap(text: string, indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = word
    } else line = line ? `${line} ${word}` : word
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

export interface Subject extends Program {
  /** The purpose of the scenario in a sentence or two. */
  readonly summary: string
  /** The effect of running it without flags and with them (default: a demonstration and one run if there is `--time`). */
  readonly usage?: string
  /** The words that it takes in addition to flags; default none. */
  readonly args?: Arguments
  /** Keys of flags that are declared only to be refused, and not listed. */
  readonly unlisted?: readonly string[]
}

const ONE_RUN = 'Without flags (or only --report, --json, --quiet): a demonstration. With any other: one run'

/** The default text about usage; a scenario without `--time` is not a single run of a system. */
const usageText = (flags: AnyFlags): string =>
  'time' in flags ? `${ONE_RUN}, in virtual time unless --time real.` : 'Without flags: everything, with the defaults.'

/** The column of the explanations, right of the longest usage that fits. */
const columnOf = (rows: readonly Row[]): number =>
  Math.min(
    COLUMN_MAX,
    rows.reduce((width, [usage]) => Math.max(width, usage.length + 4), 0),
  )

/** Two columns; an explanation begins below a usage that is too long for its column. */
const columns = (rows: readonly Row[], column = columnOf(rows)): string[] =>
  rows.map(([usage, help]) => {
    const start = usage.length + 4 > column ? `  ${usage}\n${' '.repeat(column)}` : `  ${usage}`.padEnd(column)
    return start + wrap(help, column)
  })

export function helpText(subject: Subject, flags: AnyFlags): string {
  const { args, summary, usage, unlisted = [] } = subject
  const sections = sectionsOf(Object.fromEntries(Object.entries(flags).filter(([key]) => !unlisted.includes(key))))
  const column = columnOf(sections.flatMap(({ rows }) => rows))
  return [
    [commandOf(subject), ...(args ? [args.usage] : []), '[flags]'].join(' '),
    '',
    wrap(summary, 0),
    wrap(usage ?? usageText(flags), 0),
    '',
    ...(args ? [...columns(args.forms), ''] : []),
    ...sections.flatMap(({ heading, rows }) => [...(heading ? [`${heading}:`] : []), ...columns(rows, column), '']),
    'Exit: 0 if all checks hold, 1 if one fails, 2 for wrong use, 130 if interrupted.',
    '',
  ].join('\n')
}

/** The flags as a Markdown table. */
export function flagTable(flags: AnyFlags): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|')
  const lines = sectionsOf(flags).flatMap(({ heading, rows }) => [
    ...(heading ? [`| **${heading}** | |`] : []),
    ...rows.map(([usage, help]) => `| \`${cell(usage)}\` | ${cell(help)} |`),
  ])
  return ['| flag | meaning |', '|---|---|', ...lines, ''].join('\n')
}
