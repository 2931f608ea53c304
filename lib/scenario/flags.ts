/**
 * Flags as data: one declaration is the source of parsing, of `--help`, of the manual's tables and of the types.
 *
 * ```ts
 * const flags = { lateBids: value({ metavar: 'I0', fallback: 'off', help: '...', parse: off(number()) }) }
 * const { options } = parseFlags(flags, ['--late-bids', '0.5'])   // options.lateBids: number | null
 * ```
 */
import { parseArgs } from 'node:util'
import { shellQuoted } from '../core/command-name.ts'
import { quoted } from '../core/format.ts'
import { UsageError } from '../core/usage-error.ts'

/** The use of a file that a flag names: a `kept` file is read and appended to, a `folder` gets results. */
export type FileRole = 'input' | 'result' | 'kept' | 'folder'

/** Reads the text of a flag. @throws UsageError that names `flag` */
export type Parser<T> = (text: string, flag: string) => T

/** The headings under which `--help` lists flags, in this order; flags of the scenario itself have none and come first. */
export const GROUPS = ['workload', 'protocol', 'faults', 'network', 'hosts', 'output', 'run'] as const
export type Group = (typeof GROUPS)[number]

/** One flag; its name on the command line is its key with hyphens (`lateBids`: `--late-bids`). */
export interface Flag<T> {
  /** What stands for the value in the help; null for a flag without one. */
  readonly metavar: string | null
  readonly help: string
  /** Where the help lists it; absent for a flag of the scenario itself. */
  readonly group?: Group | undefined
  /** The default, as it would be typed; null for none. */
  readonly fallback: string | null
  readonly repeatable: boolean
  /** What the command does with the file that the value names; absent if it names none. */
  readonly file?: FileRole | undefined
  /** The option's value, from the texts given for it; from `fallback` where none were given and there is one. */
  read(texts: readonly string[], flag: string): T
}

/** The flags for options, by their keys: the flag of `warmUp` is `--warm-up`. */
export type Flags<O> = { readonly [K in keyof O]: Flag<O[K]> }

/** Flags of any types. */
export type AnyFlags = { readonly [key: string]: Flag<unknown> }

/** The options that a declaration yields. */
export type OptionsOf<F> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never }

interface Declared<T> {
  readonly group?: Group | undefined
  readonly metavar: string
  readonly help: string
  readonly file?: FileRole
  readonly parse: Parser<T>
}

/** A flag with a value; it has its default if it is not given. */
export const value = <T>({
  group,
  metavar,
  help,
  file,
  parse,
  fallback,
}: Declared<T> & { readonly fallback: string }): Flag<T> => ({
  group,
  metavar,
  help,
  fallback,
  repeatable: false,
  file,
  read: ([text = ''], flag) => parse(text, flag),
})

/** A flag with a value and without a default. */
export const optional = <T>({ group, metavar, help, file, parse }: Declared<T>): Flag<T | undefined> => ({
  group,
  metavar,
  help,
  fallback: null,
  repeatable: false,
  file,
  read: ([text], flag) => (text === undefined ? undefined : parse(text, flag)),
})

/** A flag that may be given any number of times. */
export const repeated = <T>({ group, metavar, help, file, parse }: Declared<T>): Flag<readonly T[]> => ({
  group,
  metavar,
  help,
  fallback: null,
  repeatable: true,
  file,
  read: (texts, flag) => texts.map((text) => parse(text, flag)),
})

/** A flag without a value. */
export const toggle = (help: string): Flag<boolean> => ({
  metavar: null,
  help,
  fallback: null,
  repeatable: false,
  read: (texts) => texts.length > 0,
})

/** The same flags, listed under the heading `group`. */
export function grouped<F extends AnyFlags>(group: Group, flags: F): F {
  const all = { ...flags }
  for (const key in all) all[key] = { ...all[key], group }
  return all
}

export const flagName = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The texts given for each flag that was given, by the flag's key; a flag without a value has one empty text. */
export type Given = ReadonlyMap<string, readonly string[]>

/** Flags by their keys, with their values as code has them: `{ tasks: 5, reliable: true, fault: ['kill client@c1 at 3'] }`. */
export type FlagTexts = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** @throws UsageError for a flag that `where`, such as a scenario, does not have, and for a value of the wrong kind */
export function givenFrom(flags: AnyFlags, texts: FlagTexts, where: string): Given {
  return new Map(
    Object.entries(texts).flatMap(([key, said]): [string, readonly string[]][] => {
      const flag = Object.hasOwn(flags, key) ? flags[key] : undefined
      if (flag === undefined) throw UsageError.unknown('flag', key, Object.keys(flags), { where })
      const isToggle = flag.metavar === null
      if (isToggle !== (typeof said === 'boolean')) {
        const mustBe = isToggle ? 'true or false' : 'a text, a number or a list'
        throw UsageError.invalid(`flag ${key} of ${where}`, mustBe, String(said))
      }
      if (isToggle) return said ? [[key, ['']]] : []
      return [[key, typeof said === 'object' ? said : [String(said)]]]
    }),
  )
}

/** The words that a command takes in addition to its flags, in order. */
export interface Arguments {
  /** The words as the help shows them: `FILE [COMMAND]`. */
  readonly usage: string
  /** The least number of words. */
  readonly least: number
  /** All forms with their meanings, for the help. */
  readonly forms: readonly (readonly [form: string, help: string])[]
}

/** Whether a word may be a value. A word with a hyphen may be only if it is a number; the flag itself refuses negative ones. */
const isValue = (word: string): boolean => !word.startsWith('-') || /^-[\d.]/.test(word)

/**
 * Assigns the arguments to their flags. The tokens come from `parseArgs`, the checks do not: its messages differ between
 * Node versions, take several lines, and none reports a flag that is given twice.
 *
 * @throws UsageError for an unknown flag; for a missing, unwanted or second value; and for words that the command does
 *   not take, or too few of them
 */
export function collect(
  flags: AnyFlags,
  args: readonly string[],
  taken?: Arguments,
): { given: Given; words: readonly string[] } {
  const known = new Map(Object.entries(flags).map(([key, flag]) => [flagName(key), { key, flag }]))
  const options = Object.fromEntries(
    [...known].map(([name, { flag }]) => [
      name.slice(2),
      { type: flag.metavar === null ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const given = new Map<string, string[]>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (!taken)
        throw new UsageError(
          `unexpected argument ${quoted(token.value)}: this command takes only flags (--help lists them)`,
        )
      words.push(token.value)
      continue
    }
    if (token.kind === 'option-terminator')
      throw new UsageError(`unexpected argument "--": this command takes ${taken ? taken.usage : 'only flags'}`)
    const entry = token.rawName === `--${token.name}` ? known.get(token.rawName) : undefined
    if (!entry) throw UsageError.unknown('flag', token.rawName, [...known.keys()], { list: '--help lists all flags' })
    const { key, flag } = entry
    const texts = given.get(key) ?? []
    if (texts.length > 0 && !flag.repeatable) throw UsageError.repeated(token.rawName)
    given.set(key, [...texts, textOf(token, flag.metavar)])
  }
  if (taken && words.length < taken.least) throw UsageError.requires('this command', taken.usage)
  return { given, words }
}

interface OptionToken {
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function textOf({ rawName, value, inlineValue }: OptionToken, metavar: string | null): string {
  if (metavar === null) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value: leave out ${quoted(value)}`)
    return ''
  }
  if (value === undefined) throw UsageError.requires(rawName, `a value (${metavar})`)
  if (!inlineValue && !isValue(value)) throw UsageError.requires(rawName, `a value (${metavar}) before ${value}`)
  return value
}

const isComplete = <O extends object>(options: Partial<O>, flags: Flags<O>): options is O =>
  Object.keys(flags).every((key) => key in options)

/**
 * The options of every flag.
 *
 * @throws UsageError for the first flag with a text that its parser refuses
 */
export function readOptions<O extends object>(flags: Flags<O>, given: Given): O {
  const options: Partial<O> = {}
  for (const key in flags) {
    const { fallback } = flags[key]
    const texts = given.get(key) ?? (fallback === null ? [] : [fallback])
    options[key] = flags[key].read(texts, flagName(key))
  }
  if (!isComplete(options, flags)) throw new Error('a flag was declared on a prototype')
  return options
}

/** The options and the given texts of a command line: `collect`, then `readOptions`. */
export function parseFlags<O extends object>(flags: Flags<O>, args: readonly string[]): { options: O; given: Given } {
  const { given } = collect(flags, args)
  return { options: readOptions(flags, given), given }
}

/** The text of every flag, as given or by default. Reports show them; typed again they give the same run. */
export function optionTexts(flags: AnyFlags, given: Given): Record<string, string | readonly string[] | boolean> {
  const shown: Record<string, string | readonly string[] | boolean> = {}
  for (const [key, { metavar, fallback, repeatable }] of Object.entries(flags)) {
    const texts = given.get(key)
    const text = texts?.[0] ?? fallback
    if (metavar === null) shown[key] = texts !== undefined
    else if (repeatable) shown[key] = texts ?? []
    else if (text !== null) shown[key] = text
  }
  return shown
}

/** The words of a command line for the given flags. */
export const wordsOf = (flags: AnyFlags, given: Given): string[] =>
  Object.entries<Flag<unknown>>(flags).flatMap(([key, { metavar }]) =>
    (given.get(key) ?? []).flatMap((text) => [flagName(key), ...(metavar === null ? [] : [shellQuoted(text)])]),
  )
