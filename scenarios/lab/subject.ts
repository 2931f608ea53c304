/** The subject of a laboratory command: a scenario and its flags. */
import { oneOf, UsageError, value } from '../../lib/cli/index.ts'
import { commandOf } from '../../lib/core/command-name.ts'
import { quoted } from '../../lib/core/format.ts'
import { type AnyFlags, type Arguments, collect, type Given } from '../../lib/scenario/flags.ts'
import { loadScenario } from '../../lib/scenario/load.ts'
import { seedFlags } from '../../lib/scenario/run-flags.ts'
import type { Scenario } from '../../lib/scenario/scenario.ts'
import type { SweepOptions } from '../sweeping.ts'
import { SCENARIOS, scenarioNamed } from './scenarios.ts'

const DEFAULT = 'bidding/market'

/** Flags about how one run is made or what becomes of it; a search of many runs fixes or refuses them. */
const OF_ONE_RUN = [
  'runtime',
  'time',
  'scale',
  'trace',
  'jobsOut',
  'log',
  'fsync',
  'live',
  'liveEvents',
  'checkDeterminism',
]

/** Whether a word names a file of code. */
export const isScript = (word: string): boolean => /\.[cm]?[jt]s$/.test(word)

const nameOf = oneOf(...Object.keys(SCENARIOS))

/** The flags of every command about a scenario. */
export const subjectFlags = {
  ...seedFlags,
  scenario: value({
    metavar: 'NAME|FILE',
    fallback: DEFAULT,
    parse: (text: string, flag: string) => (isScript(text) ? text : nameOf(text, flag)),
    help: `one of ${Object.keys(SCENARIOS).join(', ')}, or a file whose default export is a scenario; its own flags are allowed as well`,
  }),
}

/** The first word of a command may be a scenario, too. */
export const SCENARIO_FORM = [
  'SCENARIO',
  'a scenario, or a file whose default export is one, as for --scenario',
] as const

export interface Found {
  /** The name of a scenario of this project, or the file of another. */
  readonly name: string
  /** The file of a scenario that is not of this project. */
  readonly path?: string
  /** The first word, if it is the scenario. */
  readonly word?: string
  /** Whether the command line names a scenario, and not this default. */
  readonly isStated: boolean
  readonly scenario: Scenario
}

export interface Subject extends Found {
  /** The scenario's own flags, as they were given. */
  readonly given: Given
}

/**
 * The scenario that the first word or `--scenario` names. An unknown name gives the default one; reading the flag then
 * reports it.
 *
 * @throws UsageError for a file that exports no scenario
 */
export async function foundIn(args: readonly string[]): Promise<Found> {
  const [first = ''] = args
  const place = args.findIndex((word) => word === '--scenario' || word.startsWith('--scenario='))
  const word = args[place] ?? ''
  const flagged = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (args[place + 1] ?? '')
  const isNamed = isScript(first) || Object.hasOwn(SCENARIOS, first)
  const name = isNamed ? first : flagged
  const stated = { isStated: isNamed || place >= 0, ...(isNamed && { word: first }) }
  if (isScript(name)) return { name, path: name, ...stated, scenario: await loadScenario(name) }
  const known = Object.hasOwn(SCENARIOS, name) ? name : DEFAULT
  return { name: known, ...stated, scenario: scenarioNamed(known) }
}

/**
 * The flags of a command together with those of its scenario. The help omits those that the command refuses, and lists the
 * scenario's only if the command line names one.
 */
export function beside<F extends AnyFlags>(
  { scenario, isStated }: Found,
  own: F,
  refused: readonly string[] = [],
): { flags: Scenario['flags'] & F; unlisted: readonly string[] } {
  const others = Object.keys(scenario.flags).filter((key) => !Object.hasOwn(own, key))
  return { flags: { ...scenario.flags, ...own }, unlisted: isStated ? unlistedOf(refused) : others }
}

/** The keys of the flags of a scenario that a command on many runs does not take. */
export const unlistedOf = (refused: readonly string[]): readonly string[] => [...OF_ONE_RUN, ...refused]

/** How to see the flags of a scenario, for the help of a command that takes them too. */
export const seeFlags = (name: string): string =>
  `The own flags of the scenario are allowed; \`${commandOf({ name })} SCENARIO --help\` lists them too.`

/** Separates the scenario's flags from all given ones; `flags` and `taken` are the command's flags and arguments. */
export function subjectOf(found: Found, args: readonly string[], flags: AnyFlags, taken?: Arguments): Subject {
  const { scenario } = found
  const { given } = collect({ ...scenario.flags, ...flags }, args, taken)
  // a flag of both is the command's, except the seed, which is the scenario's
  const isOwn = (key: string): boolean =>
    Object.hasOwn(scenario.flags, key) && (key === 'seed' || !Object.hasOwn(flags, key))
  const own = [...given].filter(([key]) => isOwn(key))
  return { ...found, given: new Map(own) }
}

/** @throws UsageError for words other than the scenario */
export function requireOnly(found: Found, words: readonly string[]): void {
  const [other] = otherWords(found, words)
  if (other !== undefined)
    throw new UsageError(`unexpected argument ${quoted(other)}: only a scenario or its file may stand here, first`)
}

/** @throws UsageError for a scenario in a file with `--workers` */
export function requireOnHosts({ path }: { readonly path?: string | undefined }, { workers }: SweepOptions): void {
  if (path !== undefined && workers)
    throw UsageError.conflicts('--workers', path, 'hosts run only the scenarios of this project')
}

/** The words of a command line without the scenario. */
export const otherWords = ({ word }: Found, words: readonly string[]): readonly string[] =>
  words.filter((one, i) => i > 0 || one !== word)
