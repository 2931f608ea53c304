/**
 * The messages of placement (Arpaci-Dusseau & Culler 1997, section 4.3). Users let a placer choose machines for their
 * jobs, or name them. The placer submits the processes, so it is told how they end, and tells the user.
 */
import type { Ref } from '../../../lib/actor.ts'
import type {
  Arrive,
  Exited,
  Funding,
  Load,
  Parallel,
  Program,
  Refused,
  Standing,
  ToScheduler,
} from '../../processor/jobs.ts'

/** What a placer takes. */
export type ToPlacer = Place | Load | Standing | Refused | Exited

/**
 * From a user: run this job. It is answered by `placed` or `refused`. Repeating the request does not place the job
 * twice.
 */
export type Place = Funding & {
  readonly type: 'place'
  /** Unique in the run, also among jobs that no placer has placed. */
  readonly job: string
  readonly program: Exclude<Program, Parallel> | Spread
  readonly borrows?: boolean
  /** The processors, by rank, if the user chooses them. */
  readonly on?: readonly Ref<ToScheduler>[]
}

/** A parallel job of `size` processes, each on a machine of its own. Its barrier exists already, without members. */
export type Spread = Omit<Parallel, 'rank' | 'barrier'> & {
  readonly barrier: Ref<Arrive | Enlist>
  readonly size: number
}

/** To the barrier of a parallel job: the processors of its processes, by rank. */
export type Enlist = { readonly type: 'enlist'; readonly members: readonly Ref<ToScheduler>[] }

/** All messages from a placer to a user. */
export type FromPlacer = Placed | Refused | Ended | Missing | Found

/** The processes of a job are on their processors. A restarted placer may repeat this. */
export type Placed = { readonly type: 'placed'; readonly job: string; readonly processors: readonly Ref<ToScheduler>[] }

/** One process has ended. */
export type Ended = Exited & { readonly processor: Ref<ToScheduler> }

/**
 * One process is no longer where it was, and it is not known how it ended, because its machine or the placer was
 * dead. Or its machine does not answer, which looks the same until it does.
 */
export type Missing = { readonly type: 'missing'; readonly job: string; readonly processor: Ref<ToScheduler> }

/** A process that was reported missing exists: its machine answered late. */
export type Found = { readonly type: 'found'; readonly job: string; readonly processor: Ref<ToScheduler> }
