/** The commands on traces, and their arguments. */
import type { Arguments } from '../../../lib/cli/index.ts'
import { nearest, quoted } from '../../../lib/core/format.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'

export const COMMANDS = ['summary', 'task', 'actor', 'causes', 'diff', 'export', 'coverage'] as const
export type Command = (typeof COMMANDS)[number]

/** The arguments after the first file. */
const REST: Readonly<Record<Command, { readonly usage: string; readonly least: number; readonly most: number }>> = {
  summary: { usage: '', least: 0, most: 0 },
  task: { usage: 'ID', least: 1, most: 1 },
  actor: { usage: 'WHO', least: 1, most: 1 },
  causes: { usage: 'EVENT', least: 1, most: 1 },
  diff: { usage: 'FILE', least: 1, most: 1 },
  export: { usage: '[FILE...]', least: 0, most: Number.POSITIVE_INFINITY },
  coverage: { usage: '[FILE...]', least: 0, most: Number.POSITIVE_INFINITY },
}

export const args: Arguments = {
  usage: 'FILE [COMMAND [...]]',
  least: 1,
  forms: [
    [
      'summary FILE',
      'actors, messages by type, what was lost, deaths and faults; of a market also its tasks and broken promises',
    ],
    ['task FILE ID', 'the life of a task of a market: every bid and why it won or lost, awards, restarts, in order'],
    [
      'actor FILE WHO',
      'every step of an actor: the event, the state before and after, the messages and facts, with their contents',
    ],
    ['causes FILE EVENT', 'all that happened before an envelope was sent (7.0.3) or a timer fired (7.0.t2), in order'],
    ['diff FILE FILE', 'the first difference of two runs, with the states before and after'],
    ['export FILE... --to FORMAT', 'the run for another tool; shiviz takes several runs and compares them'],
    ['coverage FILE...', 'the pairs of state and event that were met, of all that the machines define'],
  ],
}

export interface Order {
  readonly command: Command
  readonly file: string
  readonly rest: readonly string[]
}

const commandIn = (word: string | undefined): Command | undefined => COMMANDS.find((command) => command === word)

/** @throws UsageError for too few words, or too many */
export function orderOf(words: readonly string[]): Order {
  const [first, second, ...rest] = words
  const leading = commandIn(first)
  const command = leading ?? (second === undefined ? 'summary' : commandIn(second))
  if (!command) {
    // a word that resembles a command is a mistyped command, and not the file
    const [typed = ''] = [first, second].filter((word) => word !== undefined && nearest(word, COMMANDS) !== undefined)
    throw UsageError.unknown('command', typed || (second ?? ''), COMMANDS)
  }
  const file = leading ? second : first
  const { usage, least, most } = REST[command]
  if (file === undefined || rest.length < least || rest.length > most) {
    throw new UsageError(
      `the command ${command} takes ${`FILE ${usage}`.trimEnd()}, not ${words.map(quoted).join(' ')}`,
    )
  }
  return { command, file, rest }
}
