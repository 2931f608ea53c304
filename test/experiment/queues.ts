/** Queues as recursions, for the tests of output analysis and for `npm run validate`. */
import TinyQueue from 'tinyqueue'
import { exponential, hyperexponential, splitMix64, type Uniform } from '../../lib/core/random.ts'
import { toUnits } from '../../lib/core/time.ts'
import type { Job } from '../../lib/workload/job.ts'

/** A distribution by its inverse: from a uniform number to a value. */
export type Draw = (u: number) => number

/** Waiting times in a queue with one server, from an empty one, by Lindley's recursion: service first, then the gap. */
export function lindley(next: Uniform, service: Draw, gap: Draw): () => number {
  let wait = 0
  return () => {
    const recorded = wait
    const busy = service(next())
    wait = Math.max(0, wait + busy - gap(next()))
    return recorded
  }
}

/** M/M/1 with service rate 1. */
export const mm1Waits = (rho: number, next: Uniform): (() => number) =>
  lindley(
    next,
    (u) => exponential(u, 1),
    (u) => exponential(u, 1 / rho),
  )

/** M/G/1 with hyperexponential service of mean 1 and squared coefficient of variation 4. */
export const mg1Waits = (rho: number, next: Uniform): (() => number) =>
  lindley(
    next,
    (u) => hyperexponential(u, 1),
    (u) => exponential(u, 1 / rho),
  )

/** Waiting times with several servers alike, first come first served, by the recursion of Kiefer and Wolfowitz. */
export function kieferWolfowitz(next: Uniform, servers: number, service: Draw, gap: Draw): () => number {
  const left = new Array<number>(servers).fill(0)
  return () => {
    const recorded = left[0] ?? 0
    left[0] = recorded + service(next())
    const passed = gap(next())
    for (const [i, work] of left.entries()) left[i] = Math.max(0, work - passed)
    left.sort((a, b) => a - b)
    return recorded
  }
}

/** M/M/c with service rate 1. */
export const mmcWaits = (rho: number, servers: number, next: Uniform): (() => number) =>
  kieferWolfowitz(
    next,
    servers,
    (u) => exponential(u, 1),
    (u) => exponential(u, 1 / (rho * servers)),
  )

/** The flow time in units of each of `jobs`, on one machine of speed 1 that takes the shortest estimate first. */
export function sptFlows(jobs: readonly Job[]): number[] {
  const flows = new Array<number>(jobs.length).fill(0)
  const waiting = new TinyQueue<number>([], (a, b) => (jobs[a]?.estimate ?? 0) - (jobs[b]?.estimate ?? 0))
  let now = 0
  let next = 0
  while (next < jobs.length || waiting.length > 0) {
    if (waiting.length === 0) {
      now = Math.max(now, jobs[next]?.arrival ?? 0)
      waiting.push(next++)
    }
    const taken = waiting.pop() ?? 0
    const { arrival = 0, work = 0 } = jobs[taken] ?? {}
    now += work
    flows[taken] = toUnits(now - arrival)
    for (; (jobs[next]?.arrival ?? Infinity) < now; next++) waiting.push(next)
  }
  return flows
}

/** The golden numbers draw -ln(u) where `exponential` takes -ln(1 - u). */
export const golden = (seed: bigint): Uniform => {
  const next = splitMix64(seed)
  return () => 1 - (Number(next() >> 11n) + 0.5) / 9_007_199_254_740_992
}

export const take = (count: number, next: () => number): number[] => Array.from({ length: count }, next)
