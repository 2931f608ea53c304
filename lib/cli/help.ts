/** Flags as people read them: `--help`, and the manual's tables. */
import { type AnyFlags, type Arguments, type Flag, flagName } from './flags.ts'

const usageOf = (key: string, flag: Flag<unknown>): string =>
  flag.metavar === null ? flagName(key) : `${flagName(key)} ${flag.metavar}`

const remarkOf = ({ fallback, repeatable }: Flag<unknown>): string => {
  if (repeatable) return ' (repeatable)'
  return fallback === null ? '' : ` (default ${fallback})`
}

const WIDTH = 110

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

export interface Subject {
  /** `bidding/market`: the scenario's file is `scenarios/bidding/market.ts`. */
  readonly name: string
  /** What it shows, in a sentence or two. */
  readonly summary: string
  /** What it does without flags and with them (default: a demonstration and one run if there is `--time`). */
  readonly usage?: string
  /** What it takes beside flags; default nothing. */
  readonly args?: Arguments
  /** Keys of flags that are known only to be refused. */
  readonly unlisted?: readonly string[]
}

const ONE_RUN = 'Without flags: a demonstration. With any but --report, --json, --quiet, --help: one run'

/** By default; a scenario without `--time` is no single run of a system. */
const usageText = (flags: AnyFlags): string =>
  'time' in flags ? `${ONE_RUN}, in virtual time unless --time real.` : 'Without flags: all of it, as the defaults say.'

export const commandOf = ({ name }: Pick<Subject, 'name'>): string => `npx tsx scenarios/${name}.ts`

function columns(rows: readonly (readonly [usage: string, help: string])[]): string[] {
  const column = 4 + rows.reduce((width, [usage]) => Math.max(width, usage.length), 0)
  return rows.map(([usage, help]) => `  ${usage}`.padEnd(column) + wrap(help, column))
}

export function helpText(subject: Subject, flags: AnyFlags): string {
  const { args, summary, usage, unlisted = [] } = subject
  const shown = Object.entries(flags).filter(([key]) => !unlisted.includes(key))
  const rows = shown.map(([key, flag]) => [usageOf(key, flag), flag.help + remarkOf(flag)] as const)
  return [
    [commandOf(subject), ...(args ? [args.usage] : []), '[flags]'].join(' '),
    '',
    wrap(summary, 0),
    wrap(usage ?? usageText(flags), 0),
    '',
    ...(args ? [...columns(args.forms), ''] : []),
    ...columns(rows),
    '',
    'Exit: 0 all checks held, 1 one failed, 2 wrong use, 130 interrupted.',
    '',
  ].join('\n')
}

/** The flags as a Markdown table. */
export function flagTable(flags: AnyFlags): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|')
  const rows = Object.entries(flags).map(
    ([key, flag]) => `| \`${cell(usageOf(key, flag))}\` | ${cell(flag.help + remarkOf(flag))} |`,
  )
  return ['| flag | meaning |', '|---|---|', ...rows, ''].join('\n')
}
