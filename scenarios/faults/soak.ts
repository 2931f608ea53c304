/** A soak: a given number of random fault plans of each kind, run in blocks on all cores. */
import {
  type Invocation,
  integer,
  type OptionsOf,
  optional,
  seedFlags,
  text,
  toggle,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { listed, quoted } from '../../lib/core/format.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { placeFlags, sweepFlags } from '../sweep-flags.ts'
import { sweeping } from '../sweeping.ts'
import type { Runtime } from './study.ts'

export const soakFlags = (plans: number, threads: number, of: string) => ({
  ...seedFlags,
  seed: { ...seedFlags.seed, help: 'seed of all plans' },
  plans: value({
    metavar: 'N',
    fallback: String(plans),
    parse: integer({ min: 1, max: 100_000 }),
    help: `number of plans of each kind${of}, run in one thread`,
  }),
  from: value({
    metavar: 'N',
    fallback: '0',
    parse: integer({ min: 0, max: 1_000_000_000 }),
    help: 'number of the first plan',
  }),
  threads: value({
    metavar: 'N',
    fallback: String(threads),
    parse: integer({ min: 0, max: 10_000 }),
    help: 'run the first N plans again with a thread per actor',
  }),
  full: toggle('run 300 plans, and 20 of them with threads'),
  only: optional({ metavar: 'TEXT', parse: text, help: 'run only the rows of the table whose name contains TEXT' }),
  ...placeFlags,
  keep: sweepFlags.keep,
})

type Options = OptionsOf<ReturnType<typeof soakFlags>>

/** A line of the table, and the fields that its blocks share as points of a sweep. */
export interface Group {
  readonly name: string
  readonly point: { readonly [key: string]: string }
}

/** The number of plans in one point of the sweep. */
const BLOCK = 10

/** The points for `plans` plans of a group, from plan `from` on; each point ends before its `until`. */
function pointsOf({ point }: Group, runtime: Runtime, { seed, from: first }: Options, plans: number) {
  const starts = Array.from({ length: Math.ceil(plans / BLOCK) }, (_, i) => first + i * BLOCK)
  return starts.map((from) => ({ ...point, runtime, seed, from, until: Math.min(from + BLOCK, first + plans) }))
}

/** Runs the export `toll` of `module` on the plans of each group, block by block, and returns its results. */
export async function soak(
  all: readonly Group[],
  module: URL,
  invocation: Invocation<Options>,
): Promise<{ readonly group: Group; readonly results: readonly Plain[] }[]> {
  const { options } = invocation
  const { only = '' } = options
  const { plans, threads } = options.full ? { plans: 300, threads: 20 } : options
  const groups = all.filter(({ name }) => name.includes(only))
  if (groups.length === 0) {
    throw UsageError.invalid('--only', `a part of ${listed(all.map(({ name }) => name))}`, quoted(only))
  }
  const results = await sweep({
    module,
    export: 'toll',
    points: groups.flatMap((group) => [
      ...pointsOf(group, 'inline', options, plans),
      ...pointsOf(group, 'threads', options, Math.min(threads, plans)),
    ]),
    ...sweeping(invocation, (done, total) => `${done} of ${total} blocks of plans`),
  })
  const each = results.length / groups.length
  return groups.map((group, i) => ({ group, results: results.slice(i * each, (i + 1) * each) }))
}
