/**
 * The vocabulary of placement (Arpaci-Dusseau & Culler 1997, section 4.3): users have a placer choose machines for their
 * jobs, or name them. The placer is who submits the processes, so it hears how they end, and tells the user.
 */
import type { Address } from '../../../lib/actor.ts'
import type { Exited, Funding, Load, Parallel, Program, Refused, Standing } from '../../processor/jobs.ts'

export type ToPlacer = Place | Load | Standing | Refused | Exited

/** From a user: have this run; answered `placed` or `refused`. Asking again for the same job places nothing twice. */
export type Place = Funding & {
  readonly type: 'place'
  /** Unique in the run, of jobs that no placer has placed too. */
  readonly job: string
  readonly program: Exclude<Program, Parallel> | Spread
  readonly borrows?: boolean
  /** The processors, by rank, where the user chooses. */
  readonly on?: readonly Address[]
}

/** A parallel job: so many processes, each on a machine of its own. Its barrier is there already, without members. */
export type Spread = Omit<Parallel, 'rank'> & { readonly size: number }

/** To the barrier of a parallel job: the processors of its processes, by rank. */
export type Enlist = { readonly type: 'enlist'; readonly members: readonly Address[] }

/** To the user. */
export type FromPlacer = Placed | Refused | Ended | Missing | Found

/** Its processes are there. A placer that was restarted may say so again. */
export type Placed = { readonly type: 'placed'; readonly job: string; readonly processors: readonly Address[] }

/** One process is over. */
export type Ended = Exited & { readonly processor: Address }

/**
 * One process is not where it was, and nobody heard how it ended: its machine or the placer was dead. Or its machine does
 * not answer, which looks the same until it does.
 */
export type Missing = { readonly type: 'missing'; readonly job: string; readonly processor: Address }

/** One that was said to be missing is there: its machine answered late. */
export type Found = { readonly type: 'found'; readonly job: string; readonly processor: Address }
