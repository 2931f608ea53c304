/**
 * The messages between a processor and the employers of tasks; those about jobs, for a time-shared processor, are in
 * jobs.ts. A processor knows no market and no scheduler: the actor that sends `run` is the employer, and is told how
 * the task ends. Times and work are `Time` (millionths of a unit); work is measured at speed 1.
 */
import type { Call, Outcome, Time } from '../../lib/actor.ts'
import type { FromScheduler, ToScheduler } from './jobs.ts'

/** One attempt at a task. A task that is announced again keeps its number, and its attempt number grows. */
export type Attempt = {
  /** Unique in the whole run. */
  readonly task: number
  /** The attempt number, from 1; one more for each later announcement. */
  readonly attempt: number
}

/** The work of a task: an amount of simulated work, or a call, which takes real time. */
export type Work = Time | Call

/** Whether work is the call of a function, and not a time. */
export const isCall = (work: Work): work is Call => typeof work !== 'number'

/** What a processor takes. */
export type ToProcessor = Run | Abort | Probe | Reset | ToScheduler

/**
 * Execute this; the processor must be idle. The simulated work that finished last is not executed again: the
 * processor repeats that it is finished.
 */
export type Run = Attempt & {
  readonly type: 'run'
  /** Simulated work takes `duration(work, speed)`; a call runs in a thread of its own and takes as long as it takes. */
  readonly work: Work
  /** The time to load what is needed, before the work; the same at any speed. */
  readonly setup: Time
}

/** Stop executing this attempt and discard its work. It has no effect once the attempt is over. */
export type Abort = Attempt & { readonly type: 'abort' }

/** Ask whether the processor is executing this attempt. */
export type Probe = Attempt & { readonly type: 'probe' }

/** Abort the current execution, because its employer has forgotten it. */
export type Reset = { readonly type: 'reset' }

/** What a processor sends. */
export type FromProcessor = Finished | Progress | FromScheduler

/** The attempt has run to completion. */
export type Finished = Attempt & { readonly type: 'finished' } & Return

/** The result of a call; empty for simulated work. */
export type Return = {
  /** The result of a call, or the error that it threw. */
  readonly outcome?: Outcome
  /** How long the call itself took, by the clock, as work at speed 1. */
  readonly work?: Time
}

/** The answer to a probe. */
export type Progress = Attempt & {
  readonly type: 'progress'
  /** Whether the attempt is being executed; false if it has not started, is over, or was lost in a restart. */
  readonly running: boolean
  /** Whether the attempt has run to completion, and no other has done so since. */
  readonly done: boolean
}

/** The facts of a processor about tasks: `started` alternates with `finished` or `aborted` on one processor. */
export type ProcessorFact =
  | (Attempt & {
      readonly type: 'started'
      /** The work; null for a call, whose work is unknown. */
      readonly work: Time | null
    })
  | (Attempt & {
      readonly type: 'finished' | 'aborted'
      /** How long the attempt took the processor. For an aborted attempt this time is wasted. */
      readonly busy: Time
    })

/** How long `work` occupies a processor of this speed. */
export const duration = (work: Time, speed: number): Time => Math.round(work / speed)

/** Whether two attempts are the same. */
export const isSame = (one: Attempt, other: Attempt): boolean =>
  one.task === other.task && one.attempt === other.attempt
