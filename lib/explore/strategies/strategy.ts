/** A strategy chooses schedules: it makes a scheduler for each run. */
import type { Deviations, Scheduler } from '../../actor/schedule.ts'

export interface StrategyInput {
  readonly seed: number
  /** The run's number, from 0. */
  readonly run: number
  /** The number of decisions in the run without deviations; change points are spread over them. */
  readonly decisions: number
  /** Whether the run has planned or drawn faults, other than losses and copies of messages; false if it is absent. */
  readonly hasFaults?: boolean
}

/** Makes the scheduler of a run. It depends on its argument alone, so runs can be executed in parallel and repeated. */
export type Strategy = (input: StrategyInput) => Scheduler

/** A strategy that learns from the runs of its search. The same search gives the same runs, one after the other. */
export interface LearningStrategy {
  /** Makes what chooses the schedules of one search. */
  begin(): Learner
}

export interface Learner {
  plan(input: StrategyInput): Plan
  /** Called after each run, with what it was like. */
  learn(lesson: Lesson): void
}

/** How a run is made. */
export interface Plan {
  readonly scheduler: Scheduler
  /** The number of the run whose drawn faults this run has too. */
  readonly faultsOf: number
}

/** A run that is over. */
export interface Lesson {
  readonly deviations: Deviations
  readonly decisions: number
  /** The number of the run whose drawn faults it had. */
  readonly faultsOf: number
  /** Whether it met something that no earlier run of the search did. */
  readonly isNew: boolean
}

/** The learner of a strategy that does not learn. */
export const unlearning = (strategy: Strategy): Learner => ({
  plan: (input) => ({ scheduler: strategy(input), faultsOf: input.run }),
  learn: () => {},
})
