/** What the figures of coscheduling share: their flags, their rows, and how these are run and compared. */

import { units } from '../../../lib/actor.ts'
import { type Check, none, number, optional } from '../../../lib/cli/index.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { numberIn, numbersIn, textsIn } from '../../../lib/core/decode.ts'
import type { Interval } from '../../../lib/core/table.ts'
import type { Converged } from '../../../lib/experiment/converged.ts'
import { replicationSeeds } from '../../../lib/experiment/replications.ts'
import { inWords } from '../../../lib/scenario/oracle.ts'
import type { Measured } from '../../study/figure.ts'
import { figureFlags, runtimeFlag, seedsFlag } from '../../study/flags.ts'
import type { Runner } from '../../study/points.ts'
import { coscheduling } from '../coscheduling.ts'
import { isLong, type Tolerated } from '../paper/converged.ts'
import type { Parameters } from '../paper/parameters.ts'
import { clusterOf, networkOf } from './model.ts'

/** The number of runs of each row. */
export interface Seeds {
  readonly quick: number
  readonly full: number
}

const printed = ({ quick, full }: Seeds): string => (quick === full ? `${quick}` : `${quick}, with --full ${full}`)

export const studyFlags = (seeds: Seeds, full: string) => ({
  ...figureFlags(full),
  seeds: seedsFlag(`default ${printed(seeds)}`),
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
  runtime: runtimeFlag,
})

interface Given {
  readonly seed: number
  readonly seeds: number | undefined
  readonly full: boolean
}

/** The seeds of each row. */
export const seedsOf = ({ seed, seeds, full }: Given, { quick, full: many }: Seeds): readonly number[] =>
  replicationSeeds(seed, seeds ?? (full ? many : quick))

/** A row of a figure, before its seeds. */
export type Row = Omit<Point, 'seed'>

export const runner: Runner<Row, Ran> = {
  module: new URL('./study.ts', import.meta.url),
  // roughly the number of messages
  costOf: ({ parameters, tickets, scheduler, warmUp, measure }) =>
    ((warmUp + measure) * parameters.nodes * (scheduler === 'gang' ? tickets.length : 1)) / parameters.granularity,
  ranOf,
}

/** The converged value of a mean. Shorter runs may differ by their interval more. */
export const heldTo = ([value, tolerance]: Tolerated, ours: Interval | null, measure: number): Converged => ({
  value,
  tolerance: tolerance + (isLong(measure) ? 0 : (ours?.halfWidth ?? 0)),
})

/** The barriers that job `index` passed, per barrier of the first job. */
export const ratioAt = (index: number) => (ran: Pick<Ran, 'rates'>) => (ran.rates[index] ?? 0) / (ran.rates[0] ?? 0)

/** The largest relative error of progress against tickets, both relative to the first job, in percent. */
export const unfairness = (tickets: readonly number[]) => (ran: Ran) =>
  100 * Math.max(...tickets.map((amount, index) => Math.abs(ratioAt(index)(ran) / (amount / (tickets[0] ?? 1)) - 1)))

export const slowdownOf = ({ slowdown }: Ran): number => slowdown

/** The broken promises of all runs, for the check that there are none, and for `--json`. */
export function promisesOf(measured: readonly Measured<unknown, Ran>[]) {
  const all = new Set(measured.flatMap(({ ran }) => ran.flat()))
  const broken = [...all].flatMap((one) => one.broken)
  const checks: readonly Check[] = [none('promises of proportional share broken', broken)]
  return { checks, results: { broken: broken.slice(0, 10) } }
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
  const network = networkOf(mix.parameters)
  const { oracle, messages, broken } = await coscheduling.run(clusterOf(mix, span, seed), { seed, runtime, network })
  const { rates, slowdown } = oracle
  if (slowdown === null) throw new Error('a job passed no barrier: measure for longer')
  return { rates, slowdown, messages, broken: inWords(broken) }
}

/** Reads the result that a worker process sent back. */
export function ranOf(result: Plain = null): Ran {
  return {
    rates: numbersIn(result, 'rates'),
    slowdown: numberIn(result, 'slowdown'),
    messages: numberIn(result, 'messages'),
    broken: textsIn(result, 'broken'),
  }
}
