/** The subject of a laboratory command: a scenario and its flags. */
import { UsageError, value } from '../../lib/cli/index.ts'
import { commandOf } from '../../lib/core/command-name.ts'
import { nearest, quoted } from '../../lib/core/format.ts'
import { type AnyFlags, type Arguments, collect, type Given, wordsOf } from '../../lib/scenario/flags.ts'
import { loadScenario } from '../../lib/scenario/load.ts'
import { seedFlags } from '../../lib/scenario/run-flags.ts'
import type { Scenario } from '../../lib/scenario/scenario.ts'
import type { SweepOptions } from '../sweeping.ts'
import { SCENARIO_FILE, SCENARIOS, scenarioNamed } from './scenarios.ts'

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

/** The flags of every command about a scenario. */
export const subjectFlags = {
  ...seedFlags,
  scenario: value({
    metavar: 'NAME|FILE',
    fallback: DEFAULT,
    parse: (text: string) => {
      if (!isScript(text)) scenarioNamed(text)
      return text
    },
    help: `one of ${Object.keys(SCENARIOS).join(', ')}, or a ${SCENARIO_FILE}; its own flags are allowed as well`,
  }),
}

/** The first word of a command may be a scenario, too. */
export const SCENARIO_FORM = ['SCENARIO', `the name of a scenario, or a ${SCENARIO_FILE}, as for --scenario`] as const

/** The arguments of a command whose only word is a scenario. */
export const SCENARIO: Arguments = { usage: '[SCENARIO]', least: 0, forms: [SCENARIO_FORM] }

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
 * The scenario that the first word or `--scenario` names, or else the default one. A first word that is neither a file of code nor
 * the name of a scenario may be something else, if `isOther` says so.
 *
 * @throws UsageError for an unknown name, and for a file that exports no scenario
 */
export async function foundIn(
  args: readonly string[],
  isOther: (word: string) => boolean = () => false,
): Promise<Found> {
  const [first = ''] = args
  const isNamed = isScript(first) || Object.hasOwn(SCENARIOS, first) || (isWord(first) && !isOther(first))
  const flagged = flaggedIn(args)
  const name = isNamed ? first : (flagged ?? DEFAULT)
  const stated = { isStated: isNamed || flagged !== undefined, ...(isNamed && { word: first }) }
  if (isScript(name)) return { name, path: name, ...stated, scenario: await loadScenario(name) }
  return { name, ...stated, scenario: scenarioNamed(name) }
}

const isWord = (text: string): boolean => text !== '' && !text.startsWith('-')

/** The value of `--scenario`; undefined without one. Reading the flags reports a missing value. */
function flaggedIn(args: readonly string[]): string | undefined {
  const place = args.findIndex((word) => word === '--scenario' || word.startsWith('--scenario='))
  const { [place]: word = '', [place + 1]: next = '' } = args
  const name = word.includes('=') ? word.slice(word.indexOf('=') + 1) : next
  return place >= 0 && isWord(name) ? name : undefined
}

/** Whether a word is a scenario's name, or nearly so. */
export const isNearName = (word: string): boolean => nearest(word, Object.keys(SCENARIOS)) !== undefined

/**
 * The flags of a command together with those of its scenario, whose defaults are those of its small instance. The help omits
 * those that the command refuses, and lists the scenario's only if the command line names one.
 */
export function beside<F extends AnyFlags>(
  { scenario, isStated }: Found,
  own: F,
  small: Given,
  refused: readonly string[] = [],
): { flags: Scenario['flags'] & F; unlisted: readonly string[] } {
  const others = Object.keys(scenario.flags).filter((key) => !Object.hasOwn(own, key))
  const flags = withDefaults(scenario.flags, small)
  return { flags: { ...flags, ...own }, unlisted: isStated ? unlistedOf(refused) : others }
}

function withDefaults<F extends AnyFlags>(flags: F, defaults: Given): F {
  const all = { ...flags }
  for (const key in all) {
    const [fallback] = defaults.get(key) ?? []
    if (fallback !== undefined && all[key]?.metavar !== null) all[key] = { ...all[key], fallback }
  }
  return all
}

/** The flags that the small instance of the scenario adds to a command line; `own` are the command's flags. */
export function smallOf(found: Found, args: readonly string[], own: AnyFlags, taken: Arguments): Given {
  const isHelp = args.includes('--help') || args.includes('-h')
  return found.scenario.small(isHelp ? new Map() : subjectOf(found, args, own, taken).given)
}

/** The subject with the flags of the small instance of its scenario. */
export const inSmall = <S extends Subject>(subject: S): S => ({
  ...subject,
  given: subject.scenario.small(subject.given),
})

/** A subject for the first line of a command: the scenario with its flags, as they would be typed. */
export const titleOf = ({ name, scenario, given }: Pick<Subject, 'name' | 'scenario' | 'given'>): string =>
  [name, ...wordsOf(scenario.flags, new Map([...given].filter(([key]) => key !== 'seed')))].join(' ')

/** The keys of the flags of a scenario that a command on many runs does not take. */
export const unlistedOf = (refused: readonly string[]): readonly string[] => [...OF_ONE_RUN, ...refused]

/** How to see the flags of a scenario, for the help of a command that takes them too. */
export const seeFlags = (name: string): string =>
  `The own flags of the scenario are allowed, by default those of a small instance; \`${commandOf({ name })} SCENARIO --help\` lists them too.`

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
    throw new UsageError(`unexpected argument ${quoted(other)}: only the scenario may stand here, as the first word`)
}

/** @throws UsageError for a scenario in a file with `--workers` */
export function requireOnHosts({ path }: { readonly path?: string | undefined }, { workers }: SweepOptions): void {
  if (path !== undefined && workers)
    throw UsageError.conflicts('--workers', path, 'hosts run only the scenarios of this project')
}

/** The words of a command line without the scenario. */
export const otherWords = ({ word }: Found, words: readonly string[]): readonly string[] =>
  words.filter((one, i) => i > 0 || one !== word)
