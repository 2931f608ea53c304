/**
 * What a processor hears and says of tasks; jobs.ts has what it says of jobs when it is time-shared. It knows no market and no scheduler: whoever sends `run` is its employer and
 * hears how the task ends. Times and work are `Time` (millionths of a unit); work is measured at speed 1.
 */
import type { Call, Outcome, Time } from '../../lib/actor.ts'
import type { FromScheduler, ToScheduler } from './jobs.ts'

/** One attempt at a task: a task that is announced again keeps its number and grows its attempt. */
export type Attempt = {
  /** Unique in the whole run. */
  readonly task: number
  /** 1 for the first announcement, one more for each later one. */
  readonly attempt: number
}

/** What there is to do: so much simulated work, or a call, which needs real time. */
export type Work = Time | Call

export const isCall = (work: Work): work is Call => typeof work !== 'number'

export type ToProcessor = Run | Abort | Probe | Reset | ToScheduler

/** Execute this; the processor must be idle. Simulated work that was the last to run to its end is not run again: that it is finished is said again. */
export type Run = Attempt & {
  readonly type: 'run'
  /** Simulated work takes `duration(work, speed)`; a call takes what it takes, in a thread of its own. */
  readonly work: Work
  /** Before it, to load what is needed; takes as long at any speed. */
  readonly setup: Time
}

/** Stop executing this, with nothing to show for it. Without effect once the attempt is over. */
export type Abort = Attempt & { readonly type: 'abort' }

/** Are you executing this? */
export type Probe = Attempt & { readonly type: 'probe' }

/** Whatever you are executing, its employer has forgotten it. */
export type Reset = { readonly type: 'reset' }

export type FromProcessor = Finished | Progress | FromScheduler

/** The attempt ran to its end. */
export type Finished = Attempt & { readonly type: 'finished' } & Return

/** What came of a call; nothing of simulated work. */
export type Return = {
  /** Its result, or the error it threw. */
  readonly outcome?: Outcome
  /** How long the call itself took, by the clock, as work at speed 1. */
  readonly work?: Time
}

/** The answer to a probe. */
export type Progress = Attempt & {
  readonly type: 'progress'
  /** False: not begun, over, or lost in a restart. */
  readonly running: boolean
  /** It ran to its end, and none has since. */
  readonly done: boolean
}

/** What happened, for whoever folds a run: `started` and its `finished` or `aborted` alternate on one processor. */
export type ProcessorFact =
  | (Attempt & {
      readonly type: 'started'
      /** Null of a call: nobody knows. */
      readonly work: Time | null
    })
  | (Attempt & {
      readonly type: 'finished' | 'aborted'
      /** How long the processor was taken, in Time. Of an aborted attempt this is wasted. */
      readonly busy: Time
    })

/** How long `work` occupies a processor of this speed. */
export const duration = (work: Time, speed: number): Time => Math.round(work / speed)

export const isSame = (one: Attempt, other: Attempt): boolean =>
  one.task === other.task && one.attempt === other.attempt
