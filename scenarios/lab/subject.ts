/** The subject of a laboratory command: a scenario and its flags. */

import { oneOf, value } from '../../lib/cli/index.ts'
import { shellQuoted } from '../../lib/cli/shell.ts'
import { type AnyFlags, type Arguments, collect, type Flag, flagName, type Given } from '../../lib/scenario/flags.ts'
import { seedFlags } from '../../lib/scenario/run-flags.ts'
import { type Explorable, OF_ONE_RUN } from '../family.ts'
import { explorableOf, SPECIFICATIONS } from './specifications.ts'

const DEFAULT = 'bidding/market'

/** The flags of every command about a scenario. */
export const subjectFlags = {
  ...seedFlags,
  scenario: value({
    metavar: 'NAME',
    fallback: DEFAULT,
    parse: oneOf(...Object.keys(SPECIFICATIONS)),
    help: `one of ${Object.keys(SPECIFICATIONS).join(', ')}; its own flags are allowed as well`,
  }),
}

export interface Subject {
  readonly name: string
  readonly explorable: Explorable
  /** The scenario's own flags, as they were given. */
  readonly given: Given
}

/** The scenario that `--scenario` names. An unknown name gives the default one; reading the flag then reports it. */
export function namedIn(args: readonly string[]): string {
  const place = args.findIndex((word) => word === '--scenario' || word.startsWith('--scenario='))
  const word = args[place] ?? ''
  const name = word.includes('=') ? word.slice(word.indexOf('=') + 1) : args[place + 1]
  return name !== undefined && Object.hasOwn(SPECIFICATIONS, name) ? name : DEFAULT
}

/** The flags of a command together with those of its scenario; the help omits those that the command refuses. */
export const beside = <F extends AnyFlags>(args: readonly string[], own: F, refused: readonly string[] = []) => ({
  flags: { ...explorableOf(namedIn(args)).flags, ...own },
  unlisted: [...OF_ONE_RUN, ...refused],
})

/** Separates the scenario's flags from all given ones; `flags` and `taken` are the command's flags and arguments. */
export function subjectOf(args: readonly string[], flags: AnyFlags, taken?: Arguments): Subject {
  const name = namedIn(args)
  const explorable = explorableOf(name)
  const { given } = collect({ ...explorable.flags, ...flags }, args, taken)
  // a flag of both is the command's, except the seed, which is the scenario's
  const isOwn = (key: string): boolean =>
    Object.hasOwn(explorable.flags, key) && (key === 'seed' || !Object.hasOwn(flags, key))
  const own = [...given].filter(([key]) => isOwn(key))
  return { name, explorable, given: new Map(own) }
}

/** The words of a command line for the given flags. */
export const wordsOf = (flags: AnyFlags, given: Given): string[] =>
  Object.entries<Flag<unknown>>(flags).flatMap(([key, { metavar }]) =>
    (given.get(key) ?? []).flatMap((text) => [flagName(key), ...(metavar === null ? [] : [shellQuoted(text)])]),
  )
