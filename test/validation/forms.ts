/**
 * The systems that `npm run validate` measures: their means are known, and each has a long run and replications. The
 * queues are recursions, which agree with markets job by job (see queues.test.ts); the market is run itself.
 */

import { stream, type Uniform } from '../../lib/core/random.ts'
import { mg1, mm1, mmc, sptByEstimate } from '../../lib/experiment/closed-forms.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import type { Job } from '../../lib/workload/job.ts'
import { mg1Waits, mm1Waits, mmcWaits, sptFlows } from '../experiment/queues.ts'
import { flowsInMarket } from './market.ts'

/** The numbers of observations. */
export interface Lengths {
  /** The long run, for batch means. */
  readonly long: number
  /** The longest extension of a run for Law and Carson's procedure. */
  readonly cap: number
  /** The number and length of replications, and the part of each that is dropped as warm-up. */
  readonly replications: number
  readonly each: number
  readonly drop: number
}

export interface Form {
  readonly name: string
  readonly measured: string
  readonly truth: number
  readonly lengths: Lengths
  /** Makes a run of at least `count` observations, one by one. */
  open(seed: number, count: number): Promise<() => number>
}

const QUEUE: Lengths = { long: 200_000, cap: 10_000_000, replications: 20, each: 5500, drop: 500 }

const queue = (name: string, truth: number, waits: (next: Uniform) => () => number): Form => ({
  name,
  measured: 'mean wait, service 1',
  truth,
  lengths: QUEUE,
  open: async (seed) => waits(stream(seed, name)),
})

/** Makes a run of the values of an array, which ends. */
const each = (values: readonly number[]): (() => number) => {
  let i = 0
  return () => values[i++] ?? Number.NaN
}

/** One machine that takes the shortest estimate first, with wrong estimates. */
const spt = (
  name: string,
  load: number,
  lengths: Lengths,
  flows: (jobs: readonly Job[], seed: number) => Promise<number[]>,
): Form => ({
  name,
  measured: 'mean flow, work 60',
  truth: sptByEstimate(load, 'mult'),
  lengths,
  open: async (seed, count) =>
    each(await flows(generateJobs({ seed, tasks: count, load, speeds: [1], errors: 'mult' }), seed)),
})

export const FORMS: readonly Form[] = [
  queue('M/M/1, load 0.5', mm1(0.5, 1).wait, (next) => mm1Waits(0.5, next)),
  queue('M/M/4, load 0.8', mmc(0.8, 1, 4).wait, (next) => mmcWaits(0.8, 4, next)),
  queue('M/G/1, cv² 4, load 0.5', mg1(0.5, 1, 5).wait, (next) => mg1Waits(0.5, next)),
  spt('SPT, load 0.5', 0.5, { long: 50_000, cap: 50_000, replications: 20, each: 2500, drop: 250 }, async (jobs) =>
    sptFlows(jobs),
  ),
  // about 6000 tasks a second: at a load of 0.5 a run of acceptable duration is too short for batch means (83 %)
  spt('SPT market, load 0.3', 0.3, { long: 4800, cap: 4800, replications: 10, each: 400, drop: 80 }, (jobs, seed) =>
    flowsInMarket(jobs, [1], seed),
  ),
]
