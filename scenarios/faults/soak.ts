/** What studies of faults share: so many random plans of each kind, in blocks on all cores, and what they come to. */
import {
  type Check,
  commonFlags,
  type Invocation,
  integer,
  none,
  type OptionsOf,
  optional,
  text,
  toggle,
  UsageError,
  value,
} from '../../lib/cli.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import type { Violation } from '../../lib/explore/stage.ts'
import { type Fault, printFault } from '../../lib/faults/faults.ts'
import { numberIn, textsIn } from '../../lib/fields.ts'
import type { Plain } from '../../lib/plain.ts'
import type { Played } from '../../lib/play.ts'
import { placeFlags, sweepFlags } from '../sweep-flags.ts'
import { sweeping } from '../sweeping.ts'

export const RUNTIMES = ['inline', 'threads'] as const
export type Runtime = (typeof RUNTIMES)[number]

export const soakFlags = (plans: number, threads: number, of: string) => ({
  ...commonFlags,
  plans: value({
    metavar: 'N',
    fallback: String(plans),
    parse: integer({ min: 1, max: 100_000 }),
    help: `plans of each kind${of}, all actors in one thread`,
  }),
  threads: value({
    metavar: 'N',
    fallback: String(threads),
    parse: integer({ min: 0, max: 10_000 }),
    help: 'the first N of them again with a thread per actor',
  }),
  full: toggle('300 plans, and 20 of them with threads'),
  only: optional({ metavar: 'TEXT', parse: text, help: 'only what is named in the table with TEXT' }),
  ...placeFlags,
  keep: sweepFlags.keep,
})

type Options = OptionsOf<ReturnType<typeof soakFlags>>

/** A line of the table, and what its blocks have in common as points of a sweep. */
export interface Group {
  readonly name: string
  readonly point: { readonly [key: string]: string }
}

/** So many plans are one point of the sweep. */
const BLOCK = 10

/** Plans `from` to `until`, that one left out. */
function pointsOf({ point }: Group, runtime: Runtime, plans: number) {
  const starts = Array.from({ length: Math.ceil(plans / BLOCK) }, (_, i) => i * BLOCK)
  return starts.map((from) => ({ ...point, runtime, from, until: Math.min(from + BLOCK, plans) }))
}

/** What the export `toll` of `module` makes of the plans of each group, block by block. */
export async function soak<G extends Group>(
  all: readonly G[],
  module: URL,
  invocation: Invocation<Options>,
): Promise<{ readonly group: G; readonly results: readonly Plain[] }[]> {
  const { options } = invocation
  const { only = '' } = options
  const { plans, threads } = options.full ? { plans: 300, threads: 20 } : options
  const groups = all.filter(({ name }) => name.includes(only))
  if (groups.length === 0) {
    throw new UsageError('--only', `a part of ${all.map(({ name }) => name).join(', ')}`, only)
  }
  const blocks = groups.map((group) => [
    ...pointsOf(group, 'inline', plans),
    ...pointsOf(group, 'threads', Math.min(threads, plans)),
  ])
  const results = await sweep({
    ...{ module, export: 'toll', points: blocks.flat() },
    ...sweeping(invocation, (done, total) => `${done} of ${total} blocks of plans`),
  })
  let from = 0
  return groups.map((group, i) => {
    const until = from + (blocks[i]?.length ?? 0)
    const own = results.slice(from, until)
    from = until
    return { group, results: own }
  })
}

export type Toll<S> = S & { readonly violations: readonly string[] }

/** Sums over plans: `ofEach` makes a record of numbers from what each field is to be. */
export const tollsOf = <S extends { readonly [field: string]: Plain }>(
  ofEach: (of: (field: string) => number) => S,
) => {
  const empty: Toll<S> = { ...ofEach(() => 0), violations: [] }
  const add = (one: Toll<S>, other: Toll<S>): Toll<S> => ({
    ...ofEach((field) => numberIn(one, field) + numberIn(other, field)),
    violations: [...one.violations, ...other.violations],
  })
  /** A toll from the result of a sweep. @throws TypeError if it is none */
  const read = (result: Plain): Toll<S> => ({
    ...ofEach((field) => numberIn(result, field)),
    violations: textsIn(result, 'violations'),
  })
  return { empty, add, read, sum: (results: readonly Plain[]) => results.map(read).reduce(add, empty) }
}

/** The tolls of the plans of a point. */
export async function tollOfBlock<S extends { readonly [field: string]: Plain }>(
  { empty, add }: ReturnType<typeof tollsOf<S>>,
  point: Plain,
  tollOf: (n: number) => Promise<Toll<S>>,
): Promise<Toll<S>> {
  let sum = empty
  for (let n = numberIn(point, 'from'); n < numberIn(point, 'until'); n++) sum = add(sum, await tollOf(n))
  return sum
}

/** A plan as people are told of it. */
export const planName = (kind: string, n: number, faults: readonly Fault[]): string =>
  `${kind}, plan ${n} (${faults.map(printFault).join('; ') || 'no single faults'})`

/** What a run broke, in words. */
export const brokenIn = ({
  broken,
  crashes,
  end,
}: Pick<Played, 'crashes' | 'end'> & { readonly broken: readonly Violation[] }): string[] => [
  ...broken.map(({ property, text }) => `${property}: ${text}`),
  ...crashes,
  ...(end.ended === 'idle' ? [] : [`it did not come to rest: ${end.waiting.slice(0, 3).join('; ')}`]),
]

export const checkOf = (name: string, plans: number, violations: readonly string[]): Check =>
  none(`${name}: broken promises in ${plans} plans`, violations)

export const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
export const percent = (part: number, whole: number): number | null => (whole > 0 ? (100 * part) / whole : null)
