#!/usr/bin/env node
/**
 * The command of the installed package: `bourse COMMAND ...`. Each command is a program of its own, which gets the rest of
 * the words. Scenarios and actors of the user may be JavaScript or TypeScript.
 */
import { EXIT, UsageError } from '../lib/cli/index.ts'
import { loadTypeScript } from '../lib/core/typescript.ts'
import { VERSION } from '../lib/core/version.ts'

interface Program {
  readonly does: string
  /** What must follow the command, if anything must. */
  readonly needs?: string
  start(): Promise<unknown>
}

const SCENARIO = 'a scenario: a file that exports one, or a name such as bidding/market'

/** The commands, in the order of their use. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  new: { does: 'write a folder with an actor, a scenario and a test that run', start: () => import('./lab/new.ts') },
  run: { does: 'run a scenario once', needs: SCENARIO, start: () => import('./lab/run.ts') },
  explore: {
    does: 'search for schedules and faults that break a promise',
    needs: SCENARIO,
    start: () => import('./lab/explore.ts'),
  },
  faults: {
    does: 'run a scenario under random plans of faults',
    needs: SCENARIO,
    start: () => import('./lab/faults.ts'),
  },
  races: {
    does: 'list the races of a run, and try their other orders',
    needs: SCENARIO,
    start: () => import('./lab/races.ts'),
  },
  replay: { does: 'repeat a recorded run step by step, byte for byte', start: () => import('./lab/replay.ts') },
  trace: { does: 'tell what happened in a recorded run', start: () => import('./lab/trace.ts') },
  host: { does: 'work for runs of other machines', start: () => import('./host.ts') },
  completion: { does: 'print the completion of commands for bash, zsh or fish', start: () => complete() },
}
const NAMES = Object.keys(PROGRAMS)

/** The commands by what a user wants to do. */
const GROUPS: readonly (readonly [aim: string, ...names: string[]])[] = [
  ['Write and run', 'new', 'run'],
  ['Search for bugs', 'explore', 'faults', 'races'],
  ['Study a recorded run', 'replay', 'trace'],
  ['Other machines and the shell', 'host', 'completion'],
]

const HELP = [
  'npx bourse COMMAND [words] [flags]',
  ...GROUPS.flatMap(([aim, ...names]) => [
    '',
    `${aim}:`,
    ...names.map((name) => `  ${name.padEnd(12)}${PROGRAMS[name]?.does}`),
  ]),
  '',
  '`bourse COMMAND --help` lists the flags of a command; `bourse --version` prints the version.',
  'A scenario is a file whose default export is made by defineScenario, or one of the package, such as bidding/market.',
  '',
].join('\n')

/** @throws UsageError for a shell without a completion */
async function complete(): Promise<void> {
  const [, , shell = '', ...others] = process.argv
  const { completionFor, SHELLS } = await import('./completion.ts')
  const text = others.length === 0 ? completionFor(shell, NAMES) : undefined
  if (text === undefined) throw new UsageError(`bourse completion needs a shell: ${SHELLS.join(', ')}`)
  process.stdout.write(`${text}\n`)
}

/** `bourse help run` is `bourse run --help`. */
function helpOf(command: string): Promise<void> {
  process.argv.splice(2, process.argv.length, command, '--help')
  return main()
}

async function main(): Promise<void> {
  const [, , name = '--help'] = process.argv
  if (name === 'help' && process.argv.length > 3) return helpOf(process.argv[3] ?? '')
  if (name === '--help' || name === '-h' || name === 'help') return void process.stdout.write(HELP)
  if (name === '--version') return void process.stdout.write(`${VERSION}\n`)
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined
  if (program === undefined) throw UsageError.unknown('command', name, NAMES)
  process.argv.splice(2, 1)
  if (program.needs !== undefined && process.argv.length === 2) throw UsageError.requires(name, program.needs)
  // the files of one user may import each other, whatever Node can load by itself
  await loadTypeScript()
  await program.start()
}

await main().catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`bourse: ${error.message}\n`)
  process.exitCode = EXIT.usage
})
