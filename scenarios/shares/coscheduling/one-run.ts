/** One run of parallel jobs that share a cluster, coscheduled implicitly or by a gang scheduler. */

import { BASE } from '../../../actors/processor/currencies.ts'
import type { Parallel } from '../../../actors/processor/jobs.ts'
import { type Sharing, STANDARD } from '../../../actors/processor/sharing.ts'
import type { BarrierInput, Membership } from '../../../actors/shares/barrier.ts'
import type { GangInput } from '../../../actors/shares/gang.ts'
import { type Address, type Message, type Plain, type Time, toUnits, units } from '../../../lib/actor.ts'
import { keyed } from '../../../lib/core/random.ts'
import { type Fault, printFault } from '../../../lib/scenario/faults.ts'
import type { SystemInit } from '../../../lib/system.ts'
import type { Cluster, Other, Said } from '../model.ts'
import { addressesOf, type ClusterRun, type ClusterRunOptions, machinesOf, runCluster } from '../one-run.ts'
import { dedicatedRate } from '../paper/converged.ts'
import { type Parameters, spinOf } from '../paper/parameters.ts'

/** Parallel jobs j1, j2, ..., each with a process on every machine. */
export interface Mix {
  readonly parameters: Parameters
  /** The tickets of each job on each machine. */
  readonly tickets: readonly number[]
  /** The scheduler of the jobs: every processor by itself (implicit), or one gang scheduler. */
  readonly scheduler: 'implicit' | 'gang'
  /** Whether ticket servers tell machines what users hold elsewhere; the shares are the same. */
  readonly servers: boolean
  readonly membership: Membership | null
}

export interface Span {
  /** The time before the measurement. */
  readonly warmUp: Time
  /** The length of the measurement. */
  readonly measure: Time
}

/** The slots of the gang scheduler; each costs one context switch. */
const SLOT = units(100)
/** Processes start at random instants within this time. */
const STARTS = units(200)
const PERIOD = units(1000)

const jobOf = (index: number) => `j${index + 1}`
export const jobsOf = ({ tickets }: Mix): string[] => tickets.map((_, index) => jobOf(index))

const barrierOf = (job: string): Address => `barrier@${job}`

function programOf({ parameters, scheduler }: Mix, job: string): Omit<Parallel, 'rank'> {
  const { granularity, imbalance } = parameters
  const spin = scheduler === 'gang' ? null : spinOf(parameters)
  return {
    kind: 'parallel',
    barrier: barrierOf(job),
    granularity: units(granularity),
    imbalance,
    spin: spin === null ? null : units(spin),
  }
}

function sharingOf({ parameters, tickets, servers }: Mix): Sharing {
  const { quantum, switching, credit, catchUp, cap, competing, preempt, clamp, nodes } = parameters
  const funding = Object.fromEntries(tickets.map((amount, index) => [jobOf(index), amount * nodes]))
  return {
    ...STANDARD,
    preempt,
    clamp,
    quantum: units(quantum),
    switching: units(switching),
    credit: credit === 'none' ? { policy: 'none' } : { policy: 'system', catchUp, cap, competing },
    ...(servers && { funding, tick: { every: PERIOD, patience: 0 } }),
  }
}

/** The orders that start the processes, each at an instant of its own. */
function ordersOf(mix: Mix, members: readonly Address[], seed: number): Said[] {
  if (mix.scheduler === 'gang') return []
  return jobsOf(mix).flatMap((job, index) =>
    members.map((to, rank) => ({
      at: Math.round(keyed(seed, 'start', `${job} ${rank}`) * STARTS),
      user: `user@${job}`,
      to,
      message: {
        type: 'submit' as const,
        job,
        ...(mix.servers ? { currency: job, amount: 1 } : { currency: BASE, amount: mix.tickets[index] ?? 1 }),
        program: { ...programOf(mix, job), rank },
      },
    })),
  )
}

export function clusterOf(mix: Mix, seed: number): Cluster {
  const { parameters, tickets, membership } = mix
  const machines = parameters.nodes
  const members = machinesOf({ machines }).map((machine): Address => `processor@${machine}`)
  const barriers = jobsOf(mix).map((job): Other => {
    const input: BarrierInput = { job, members, membership }
    return { address: barrierOf(job), module: 'shares/barrier.ts', input }
  })
  const gang: GangInput = {
    slot: SLOT,
    jobs: jobsOf(mix).map((job, index) => ({
      job,
      tickets: tickets[index] ?? 1,
      members,
      program: programOf(mix, job),
    })),
  }
  const others =
    mix.scheduler === 'gang'
      ? [...barriers, { address: 'gang@cluster' as const, module: 'shares/gang.ts', input: gang }]
      : barriers
  return { machines, sharing: sharingOf(mix), orders: ordersOf(mix, members, seed), others }
}

export const aboutOf = (mix: Mix, faults: readonly Fault[]): Plain => ({
  scenario: 'shares/coscheduling',
  ...mix,
  faults: faults.map(printFault),
})

/** The addresses of all actors in a run of a mix. */
export const addressesOfMix = (mix: Mix, seed: number): Address[] => addressesOf(clusterOf(mix, seed))

export interface Progress {
  /** Barriers passed per second, by job. */
  readonly rates: readonly number[]
  /** Processor time, by job, in Time. */
  readonly cpu: readonly Time[]
  /** The slowdown compared with gang scheduling; null if a job was given up or passed no barrier. */
  readonly slowdown: number | null
  /** The jobs that were given up because they lost a member: when and why. */
  readonly aborted: readonly string[]
  readonly run: ClusterRun
}

/**
 * The slowdown compared with gang scheduling: slots of 100 ms with one context switch each, and the dedicated rate of
 * every job.
 */
const slowdownOf = (rates: readonly number[], parameters: Parameters): number => {
  const gang = toUnits(SLOT) / (toUnits(SLOT) + parameters.switching)
  return gang / rates.reduce((sum, rate) => sum + rate / dedicatedRate(parameters), 0)
}

/** Each value divided by the first; null if the first is 0. */
const perFirst = (values: readonly number[]): (number | null)[] =>
  values.map((value) => (values[0] ? value / values[0] : null))

export const progressRatio = ({ rates }: Pick<Progress, 'rates'>): (number | null)[] => perFirst(rates)
export const cpuRatio = ({ cpu }: Pick<Progress, 'cpu'>): (number | null)[] => perFirst(cpu)

/** Runs a mix of jobs. The network of `options` should have the latency of the parameters. */
export async function runMix(
  mix: Mix,
  { warmUp, measure }: Span,
  options: SystemInit,
  course: ClusterRunOptions = {},
): Promise<Progress> {
  const jobs = jobsOf(mix)
  const until = warmUp + measure
  const opened = new Map<unknown, number>()
  const aborted: string[] = []
  const run = await runCluster(clusterOf(mix, options.seed ?? 1), options, {
    ...course,
    until,
    cuts: [warmUp, until],
    onFact: (fact, about, usage) => {
      if (fact.type === 'opened' && about.at > warmUp) opened.set(fact['job'], (opened.get(fact['job']) ?? 0) + 1)
      if (fact.type === 'aborted') aborted.push(abortion(fact, about.at))
      course.onFact?.(fact, about, usage)
    },
  })
  const rates = jobs.map((job) => (opened.get(job) ?? 0) / (toUnits(measure) / 1000))
  const cpu = jobs.map((job) => run.usage.between(warmUp, until, (one) => one === job))
  const isWhole = aborted.length === 0 && rates.every((rate) => rate > 0)
  return { rates, cpu, slowdown: isWhole ? slowdownOf(rates, mix.parameters) : null, aborted, run }
}

const abortion = ({ job, round, lost }: Message, at: Time): string =>
  `${job} at ${toUnits(at)} ms, in round ${round}: ${lost} lost`

/** The network that the parameters describe. */
export const networkOf = ({ latency }: Parameters) => ({ latency: units(latency) })
