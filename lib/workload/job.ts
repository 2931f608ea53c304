/** Jobs and workloads, whatever their source. */
import { OutOfRange } from '../core/error.ts'
import { keyed } from '../core/random.ts'
import type { Tally } from '../core/tally.ts'
import type { Time } from '../core/time.ts'

/** A job of a workload. */
export interface Job {
  /** The id, unique in its workload. */
  readonly id: string
  readonly arrival: Time
  /** The execution time at speed 1. Only the machine that executes the job learns it, when it finishes. */
  readonly work: Time
  /** The client's estimate of the work. */
  readonly estimate: Time
  /** The key of the client's ranking, if that is neither size nor arrival. */
  readonly value?: number
  /** The files that a machine must have to execute it (absent: none). */
  readonly files?: readonly string[]
  /** Whether it may be begun a second time (absent: yes). */
  readonly restartable?: boolean
  /** The machine of its client, such as `c1`; absent if the source does not say. */
  readonly client?: string
}

/** A job with a client. */
export interface OwnedJob extends Job {
  readonly client: string
}

/** Jobs, and the records that were left out or taken although they are strange. */
export interface Workload {
  /** The jobs, sorted by arrival. */
  readonly jobs: readonly Job[]
  /** The numbers of records that were left out, by reason. */
  readonly dropped: Tally
  /** The numbers of oddities in kept records and in the source, by kind. */
  readonly odd: Tally
}

interface Arriving {
  readonly arrival: Time
}

/** Jobs sorted by arrival; jobs that arrive together keep their order. */
export const byArrival = <J extends Arriving>(jobs: readonly J[]): J[] =>
  [...jobs].sort((a, b) => a.arrival - b.arrival)

/** The `first` jobs by arrival, and the number of jobs left out. */
export function firstOf<J extends Arriving>(jobs: readonly J[], first = Infinity): { jobs: J[]; dropped: Tally } {
  const left = jobs.length - first
  return {
    jobs: byArrival(jobs).slice(0, first),
    dropped: new Map(left > 0 ? [[`beyond the first ${first}`, left]] : []),
  }
}

/**
 * Gives each job without a client one of `clients`, drawn by the seed and the job's id: so the jobs themselves do not
 * depend on how many clients there are, and a Poisson stream is split into Poisson streams.
 */
export const withClients = (jobs: readonly Job[], clients: readonly string[], seed: number): OwnedJob[] =>
  jobs.map((job) => {
    const client = job.client ?? clients[Math.floor(keyed(seed, 'client', job.id) * clients.length)]
    if (client === undefined) throw new OutOfRange('withClients needs at least one client')
    return { ...job, client }
  })

/**
 * Gives each job without a client one of `clients` in turn, whatever the seed. Then each client has as many jobs as any other, or one
 * less, and the jobs of two clients alternate.
 */
export const dealtInTurn = (jobs: readonly Job[], clients: readonly string[]): OwnedJob[] => {
  let turn = 0
  return jobs.map((job) => {
    const client = job.client ?? clients[turn++ % clients.length]
    if (client === undefined) throw new OutOfRange('dealtInTurn needs at least one client')
    return { ...job, client }
  })
}
