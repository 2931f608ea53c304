/** Work that arrives: what every source of workload yields. */
import { keyed } from '../core/random.ts'
import type { Time } from '../core/time.ts'
import type { Tally } from './tally.ts'

export interface Job {
  /** Unique in its workload. */
  readonly id: string
  readonly arrival: Time
  /** How long it takes at speed 1; nobody but the machine that does it learns this, by finishing. */
  readonly work: Time
  /** What its client believes the work to be. */
  readonly estimate: Time
  /** What its client's ranking goes by, where that is neither size nor arrival. */
  readonly value?: number
  /** What a machine must have to do it; absent: nothing. */
  readonly files?: readonly string[]
  /** May it be begun a second time? Absent: yes. */
  readonly restartable?: boolean
  /** The machine of its client, such as `c1`; absent where the source does not say. */
  readonly client?: string
}

/** A job that has its client. */
export interface OwnedJob extends Job {
  readonly client: string
}

export interface Workload {
  /** Sorted by arrival. */
  readonly jobs: readonly Job[]
  /** How many records of the source were left out, by the reason. */
  readonly dropped: Tally
  /** What is odd about those that were kept and about the source, counted likewise. */
  readonly odd: Tally
}

interface Arriving {
  readonly arrival: Time
}

/** By arrival; jobs that arrive together keep their order. */
export const byArrival = <J extends Arriving>(jobs: readonly J[]): J[] =>
  [...jobs].sort((a, b) => a.arrival - b.arrival)

/** The `first` jobs to arrive, by arrival, and how many that leaves out. */
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
    if (client === undefined) throw new RangeError('withClients needs at least one client')
    return { ...job, client }
  })
