/** Which scenario a command of the laboratory is about, and with which of its flags. */

import { type AnyFlags, type Arguments, collect, type Flag, flagName, type Given } from '../../lib/cli/flags.ts'
import { oneOf, value } from '../../lib/cli/index.ts'
import { seedFlags } from '../../lib/cli/run-flags.ts'
import { shellQuoted } from '../../lib/cli/shell.ts'
import { type Explorable, OF_ONE_RUN } from '../family.ts'
import { explorableOf, SPECIFICATIONS } from './specifications.ts'

const DEFAULT = 'bidding/market'

/** Of every command about a scenario. */
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
  /** Its own flags, as they were given. */
  readonly given: Given
}

/** The scenario that `--scenario` names; for a name that is none the default one, and the flag says so when it is read. */
export function namedIn(args: readonly string[]): string {
  const place = args.findIndex((word) => word === '--scenario' || word.startsWith('--scenario='))
  const word = args[place] ?? ''
  const name = word.includes('=') ? word.slice(word.indexOf('=') + 1) : args[place + 1]
  return name !== undefined && Object.hasOwn(SPECIFICATIONS, name) ? name : DEFAULT
}

/** The flags of a command beside those of its scenario; in its help none that it refuses. */
export const beside = <F extends AnyFlags>(args: readonly string[], own: F, refused: readonly string[] = []) => ({
  flags: { ...explorableOf(namedIn(args)).flags, ...own },
  unlisted: [...OF_ONE_RUN, ...refused],
})

/** What the scenario's flags say, sorted out of all that was given; `flags` and `taken` are those of the command. */
export function subjectOf(args: readonly string[], flags: AnyFlags, taken?: Arguments): Subject {
  const name = namedIn(args)
  const explorable = explorableOf(name)
  const { given } = collect({ ...explorable.flags, ...flags }, args, taken)
  // what both have is the command's, but for the seed, which is the run's
  const isOwn = (key: string): boolean =>
    Object.hasOwn(explorable.flags, key) && (key === 'seed' || !Object.hasOwn(flags, key))
  const own = [...given].filter(([key]) => isOwn(key))
  return { name, explorable, given: new Map(own) }
}

/** Flags as they would be typed. */
export const wordsOf = (flags: AnyFlags, given: Given): string[] =>
  Object.entries<Flag<unknown>>(flags).flatMap(([key, { metavar }]) =>
    (given.get(key) ?? []).flatMap((text) => [flagName(key), ...(metavar === null ? [] : [shellQuoted(text)])]),
  )
