/** The studies of coscheduling: their flags, and their runs, which are made in parallel with several seeds per row. */

import { units } from '../../../lib/actor.ts'
import {
  type Check,
  type Invocation,
  integer,
  none,
  number,
  type Outcome,
  oneOf,
  optional,
  seedFlags,
  value,
} from '../../../lib/cli/index.ts'
import { isObject, type Plain } from '../../../lib/core/data.ts'
import { type Interval, tInterval } from '../../../lib/experiment/interval.ts'
import { replicationSeed } from '../../../lib/experiment/replications.ts'
import { plainOf, type ResultTable } from '../../../lib/experiment/report.ts'
import { runPoints } from '../../study/points.ts'
import { sweepFlags } from '../../sweep-flags.ts'
import type { SweepOptions } from '../../sweeping.ts'
import type { Tolerated } from '../paper/converged.ts'
import type { Parameters } from '../paper/parameters.ts'
import { networkOf, runMix } from './one-run.ts'

/** The number of runs of each row. */
export interface Seeds {
  readonly quick: number
  readonly full: number
}

const printed = ({ quick, full }: Seeds): string => (quick === full ? `${quick}` : `${quick}, with --full ${full}`)

export const studyFlags = (seeds: Seeds) => ({
  ...seedFlags,
  seeds: optional({
    metavar: 'N',
    parse: integer({ min: 2, max: 1000 }),
    help: `runs of each row, whose spread gives the intervals (default ${printed(seeds)})`,
  }),
  warmUp: optional({
    metavar: 'MS',
    parse: number({ min: 0, max: 1e7 }),
    help: 'warm-up of a run, not measured, in milliseconds of the model',
  }),
  measure: optional({
    metavar: 'MS',
    parse: number({ min: 100, max: 1e7 }),
    help: 'measured time after the warm-up',
  }),
  runtime: value({
    metavar: 'inline|threads',
    fallback: 'inline',
    parse: oneOf('inline', 'threads'),
    help: 'run all actors in one thread, or each in a worker thread: same numbers, several times slower',
  }),
  ...sweepFlags,
})

/** The number of runs of each row. */
export const seedsOf = (given: { readonly seeds: number | undefined; readonly full: boolean }, seeds: Seeds): number =>
  given.seeds ?? (given.full ? seeds.full : seeds.quick)

/** A row of a study, before its seeds. */
export type Row = Omit<Point, 'seed'>

/** A rough number of messages of a run, which its time grows with. */
const costOf = ({ parameters, tickets, scheduler, warmUp, measure }: Row): number =>
  ((warmUp + measure) * parameters.nodes * (scheduler === 'gang' ? tickets.length : 1)) / parameters.granularity

/** Runs every row with `seeds` seeds; the results of a row are in the order of its seeds. */
export async function runRows(
  rows: readonly Row[],
  invocation: Invocation<SweepOptions & { readonly seed: number; readonly seeds: number }>,
): Promise<(readonly Ran[])[]> {
  const { seed, seeds: count } = invocation.options
  const seeds = Array.from({ length: count }, (_, i) => replicationSeed(seed, i))
  const runner = { module: new URL('./study.ts', import.meta.url), costOf, ranOf }
  const runs = await runPoints(
    runner,
    rows.map((row) => ({ row, seeds })),
    invocation,
  )
  return rows.map((row) => runs.of(row, seeds))
}

/** The mean over several seeds, with its interval. */
export const meanOf = (ran: readonly Ran[], of: (one: Ran) => number): Interval => tInterval(ran.map(of))

/** The measured time of the converged values, in milliseconds of the model. */
const LONG = 60_000

export const isLong = (measure: number): boolean => measure >= LONG

/** Whether a mean agrees with its converged value. Shorter runs may differ by their interval more. */
export const agreesWith = ({ mean, halfWidth }: Interval, [value, tolerance]: Tolerated, measure: number): boolean =>
  Math.abs(mean - value) <= tolerance + (isLong(measure) ? 0 : (halfWidth ?? 0))

/** The barriers that job `index` passed, per barrier of the first job. */
export const ratioAt = (index: number) => (ran: Pick<Ran, 'rates'>) => (ran.rates[index] ?? 0) / (ran.rates[0] ?? 0)

/** The largest relative error of progress against tickets, both relative to the first job. */
export const unfairness = (tickets: readonly number[]) => (ran: Ran) =>
  Math.max(...tickets.map((amount, index) => Math.abs(ratioAt(index)(ran) / (amount / (tickets[0] ?? 1)) - 1)))

/** The outcome of a study: all its rows, its checks, and a check that no run broke a promise. */
export function outcomeOf(
  {
    rows,
    text,
    checks = [],
  }: { readonly rows: ResultTable; readonly text: string; readonly checks?: readonly Check[] },
  ran: readonly (readonly Ran[])[],
): Outcome {
  const all = ran.flat()
  const broken = all.flatMap((one) => one.broken)
  return {
    results: { rows: plainOf(rows), broken: broken.slice(0, 10) },
    checks: [...checks, none('promises of proportional share broken', broken)],
    messages: all.reduce((sum, { messages }) => sum + messages, 0),
    text,
    exhibits: { tables: [rows] },
  }
}

export type Point = {
  readonly parameters: Parameters
  readonly tickets: readonly number[]
  readonly scheduler: 'implicit' | 'gang'
  readonly servers: boolean
  readonly runtime: 'threads' | 'inline'
  readonly seed: number
  /** The time before the measurement and its length, in milliseconds of the model. */
  readonly warmUp: number
  readonly measure: number
}

/** The result of a run. */
export type Ran = {
  /** Barriers per second, by job. */
  readonly rates: readonly number[]
  readonly slowdown: number
  readonly messages: number
  readonly broken: readonly string[]
}

/** Runs a point of a study, in a worker process: plain data in, plain data out. */
export async function runPoint({ seed, runtime, warmUp, measure, ...point }: Point): Promise<Ran> {
  const mix = { ...point, membership: null }
  const span = { warmUp: units(warmUp), measure: units(measure) }
  const { rates, slowdown, run } = await runMix(mix, span, { seed, runtime, network: networkOf(mix.parameters) })
  if (slowdown === null) throw new Error('a job passed no barrier: measure for longer')
  return { rates, slowdown, messages: run.messages, broken: run.broken }
}

const numbersOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one): one is number => typeof one === 'number') : []

/** Reads the result that a worker process sent back. */
export function ranOf(result: Plain | undefined): Ran {
  if (!isObject(result)) throw new TypeError('a run returned no result')
  const { rates, slowdown, messages, broken } = result
  return {
    rates: numbersOf(rates),
    slowdown: Number(slowdown),
    messages: Number(messages),
    broken: Array.isArray(broken) ? broken.map(String) : [],
  }
}
