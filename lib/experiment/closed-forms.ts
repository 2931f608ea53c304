/**
 * Closed forms for queues with Poisson arrivals: long-run mean times, as references for a simulation. Rates are
 * per unit of time; every form needs a load below 1.
 */
import { OutOfRange } from '../core/error.ts'
import { sum } from '../core/tally.ts'
import type { ErrorModel } from '../workload/generate.ts'

export interface MeanTimes {
  /** The mean time from arrival until work begins. */
  readonly wait: number
  /** The mean time from arrival until work ends. */
  readonly flow: number
}

/**
 * Checks that the load is between 0 and 1, so that there is a steady state.
 *
 * @throws OutOfRange unless 0 < load < 1
 */
function requireLoad(load: number): void {
  if (!(load > 0 && load < 1)) throw new OutOfRange(`the load must be between 0 and 1, not ${load}`)
}

/** One machine, exponential work, first come first served: wait = rho / (mu (1 - rho)). */
export const mm1 = (lambda: number, mu: number): MeanTimes => mmc(lambda, mu, 1)

/**
 * A queue for several equal machines, exponential work, first come first served. `lambda` is per machine, as in the M/M/m
 * formula of Malone et al. 1986; `mu` is the rate of one machine.
 */
export function mmc(lambda: number, mu: number, machines: number): MeanTimes {
  const rho = lambda / mu
  requireLoad(rho)
  if (!Number.isInteger(machines) || machines < 1)
    throw new OutOfRange(`machines must be an integer >= 1, not ${machines}`)
  // Erlang's B by its recursion, which needs no factorials, and from it C, the probability to wait.
  let blocked = 1
  for (let i = 1; i <= machines; i++) blocked = (machines * rho * blocked) / (i + machines * rho * blocked)
  const waits = blocked / (1 - rho * (1 - blocked))
  const wait = waits / (machines * mu * (1 - rho))
  return { wait, flow: wait + 1 / mu }
}

/** One machine, any work, first come first served (Pollaczek and Khinchine): moments of the execution time. */
export function mg1(lambda: number, first: number, second: number): MeanTimes {
  requireLoad(lambda * first)
  const wait = (lambda * second) / (2 * (1 - lambda * first))
  return { wait, flow: wait + first }
}

/**
 * Mean flow time if all work is on the fastest machines at every moment, and moves there at no cost. No assignment of
 * exponential tasks of unknown length is better (Malone et al. 1986, appendix). `lambda` is the rate of all
 * arrivals, `rates` those of the machines.
 */
export function optimalAssignment(lambda: number, rates: readonly number[]): number {
  const total = sum(rates)
  const rho = lambda / total
  requireLoad(rho)
  // terms lambda^j / M(j), M(j) the product of the capacities with 1..j tasks in the system
  let term = 1
  let capacity = 0
  let weights = 0
  let tasks = 0
  for (const [j, rate] of rates.toSorted((a, b) => b - a).entries()) {
    weights += term
    tasks += j * term
    capacity += rate
    term *= lambda / capacity
  }
  const free = 1 - rho
  const empty = 1 / (weights + term / free)
  const inSystem = empty * (tasks + term * ((rates.length - 1) / free + 1 / (free * free)))
  return inSystem / lambda
}

/** Mean flow time if every machine serves only its own arrivals; `flowAtSpeed1` is that of a machine of speed 1. */
export const localOnly = (speeds: readonly number[], flowAtSpeed1: number): number =>
  (speeds.length / sum(speeds)) * flowAtSpeed1

const STEPS = 20_000

/** The integral of `f` from 0, by Simpson's rule. */
function integral(f: (x: number) => number, to: number): number {
  const h = to / STEPS
  let sum = f(0) + f(to)
  for (let i = 1; i < STEPS; i++) sum += f(i * h) * (i % 2 === 0 ? 2 : 4)
  return (sum * h) / 3
}

/** The upper limit of integrals, in means; the tail beyond it is smaller than the rounding error. */
const FAR = 60

/** E[S^2] times the integral of f(y) / (1 - rho(y))^2 over estimates y, both in means: twice the wait over lambda. */
const delays: { readonly [Model in ErrorModel]: (rho: number) => number } = {
  perfect: (rho) => 2 * exponentialEstimates(rho),
  gen: (rho) => (8 / 3) * exponentialEstimates(rho),
  mult: (rho) => 2 * spreadEstimates(rho),
}

/** The estimate is exponential, and the work of estimates up to y is 1 - (1 + y) e^-y of all. */
const exponentialEstimates = (rho: number): number =>
  integral((y) => {
    const left = 1 - rho * (1 - (1 + y) * Math.exp(-y))
    return Math.exp(-y) / (left * left)
  }, FAR)

/**
 * The estimate is an exponential work times U(0, 2): f(2z) = E1(z) / 2, and the work of estimates up to 2z is 1 - e^-z
 * of all. With E1(z) as an integral and the order of the two exchanged, the inner one is elementary.
 */
const spreadEstimates = (rho: number): number => {
  const free = 1 - rho
  const inner = (t: number): number => {
    const end = free + rho * Math.exp(-t)
    return (t + Math.log(end) + (rho * Math.exp(-t)) / end - rho) / (free * free)
  }
  return integral((t) => (t === 0 ? 1 : (Math.exp(-t) * inner(t)) / t), FAR)
}

/**
 * Mean flow time on one machine that takes the task of the shortest estimate first, without preemption (Phipps 1956,
 * with estimates in place of the work): E[S] + lambda E[S^2] / 2 times the integral of f_E(y) / (1 - lambda E[S; E <= y])^2.
 */
export function sptByEstimate(load: number, errors: ErrorModel, meanWork = 60, speed = 1): number {
  requireLoad(load)
  return (meanWork / speed) * (1 + (load / 2) * delays[errors](load))
}
