/** The command that runs random fault plans of all families from one seed: a fresh one, unless it is given or kept. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { EXIT, helpText, integer, type OptionsOf, optional, UsageError } from '../lib/cli/index.ts'
import { isObject } from '../lib/core/data.ts'
import { Checkpoint } from '../lib/experiment/checkpoint.ts'
import { collect, flagName, type Given, readOptions } from '../lib/scenario/flags.ts'
import { FAMILIES } from './families.ts'
import { soakFlags } from './faults/soak.ts'

const NAMES = FAMILIES.map(({ name }) => name)

const { full: _full, json: _json, report: _report, ...passed } = soakFlags(300, 20, '')
const FLAGS = {
  ...passed,
  seed: optional({
    metavar: 'N',
    parse: integer({ min: 0 }),
    help: 'seed of the plans (default: the seed of the results in --keep, else a fresh one)',
  }),
}
type Options = OptionsOf<typeof FLAGS>

const ARGUMENTS = {
  usage: '[FAMILY...]',
  least: 0,
  forms: [[NAMES.join(', '), 'only these families (default: all)']],
} as const

const HELP = helpText(
  {
    name: 'soak',
    summary: 'Random fault plans of every family in turn, all drawn from one printed seed.',
    usage: 'With --keep the same command resumes an interrupted soak. Exit 1 if a plan broke a promise.',
    args: ARGUMENTS,
  },
  FLAGS,
)

/** The seed of the last result in a file of kept results; undefined for a new file. */
function keptSeed(path: string): number | undefined {
  const point = new Checkpoint(path).lastPoint
  return isObject(point) && typeof point['seed'] === 'number' ? point['seed'] : undefined
}

/** The flags for the program of one family. */
function flagsOf(given: Given, options: Options, seed: number): string[] {
  const others = Object.entries(passed).flatMap(([key, { metavar }]) =>
    ['seed', 'plans', 'threads'].includes(key)
      ? []
      : (given.get(key) ?? []).flatMap((text) => (metavar === null ? [flagName(key)] : [flagName(key), text])),
  )
  return ['--seed', `${seed}`, '--plans', `${options.plans}`, '--threads', `${options.threads}`, ...others]
}

/** Runs the study of one family. Resolves to its exit code. */
function study(family: string, args: readonly string[]): Promise<number> {
  const program = fileURLToPath(new URL(`./${family}/faults.ts`, import.meta.url))
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], { stdio: 'inherit' })
  // an interrupt from the keyboard reaches the child by itself
  const wait = (): void => {}
  const end = (): void => void child.kill('SIGTERM')
  process.on('SIGINT', wait).on('SIGTERM', end)
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('exit', (code) => {
      process.off('SIGINT', wait).off('SIGTERM', end)
      resolve(code ?? EXIT.interrupted)
    })
  })
}

async function main(args: readonly string[]): Promise<number> {
  const { given, words } = collect(FLAGS, args, ARGUMENTS)
  const options = readOptions(FLAGS, given)
  const unknown = words.find((word) => !NAMES.includes(word))
  if (unknown !== undefined) throw UsageError.unknown('family', unknown, NAMES)
  const kept = options.keep === undefined ? undefined : keptSeed(options.keep)
  const seed = options.seed ?? kept ?? randomInt(2 ** 32)
  if (!options.quiet) process.stderr.write(`seed ${seed}: add --seed ${seed} to run the same plans again\n`)
  let worst: number = EXIT.ok
  for (const family of words.length > 0 ? words : NAMES) {
    const code = await study(family, flagsOf(given, options, seed))
    if (code === EXIT.usage || code === EXIT.interrupted) return code
    worst = Math.max(worst, code)
  }
  return worst
}

const args = process.argv.slice(2)
if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP)
else {
  try {
    process.exitCode = await main(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`bourse: ${error.message}\n`)
    process.exitCode = EXIT.usage
  }
}
