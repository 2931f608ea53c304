/** Parallel jobs that share a cluster, coscheduled implicitly or by a gang scheduler. */
import { BASE } from '../../../actors/processor/currencies.ts'
import type { Arrive, Parallel, ToScheduler } from '../../../actors/processor/jobs.ts'
import { type Sharing, STANDARD } from '../../../actors/processor/sharing.ts'
import type { BarrierInput, Membership } from '../../../actors/shares/barrier.ts'
import type { GangInput } from '../../../actors/shares/gang.ts'
import { type Ref, ref, type Time, units } from '../../../lib/actor.ts'
import { keyed } from '../../../lib/core/random.ts'
import { type Cluster, machinesOf, type Other, type Said } from '../model.ts'
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

/** A cluster that runs a mix. */
export interface MixCluster extends Cluster, Span {
  readonly mix: Mix
  /** The length of the timeline at the end; 0: none is kept. */
  readonly drawn: Time
}

/** The slots of the gang scheduler; each costs one context switch. */
export const SLOT = units(100)
/** Processes start at random instants within this time. */
const STARTS = units(200)
const PERIOD = units(1000)

const jobOf = (index: number) => `j${index + 1}`
export const jobsOf = ({ tickets }: Mix): string[] => tickets.map((_, index) => jobOf(index))

const barrierOf = (job: string): Ref<Arrive> => ref(`barrier@${job}`)

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
function ordersOf(mix: Mix, members: readonly Ref<ToScheduler>[], seed: number): Said[] {
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

/** The cluster of a mix. The network should have the latency of the parameters. */
export function clusterOf(mix: Mix, span: Span, seed: number, drawn: Time = 0): MixCluster {
  const { parameters, tickets, membership } = mix
  const until = span.warmUp + span.measure
  const machines = parameters.nodes
  const members = machinesOf({ machines }).map((machine) => ref<ToScheduler>(`processor@${machine}`))
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
  const orders = ordersOf(mix, members, seed)
  return { ...span, machines, sharing: sharingOf(mix), orders, others, until, cuts: [span.warmUp, until], mix, drawn }
}

/** The network that the parameters describe. */
export const networkOf = ({ latency }: Parameters) => ({ latency: units(latency) })
