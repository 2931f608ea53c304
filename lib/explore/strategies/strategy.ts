/** A way to choose schedules: run after run, each with a scheduler of its own. */
import type { Scheduler } from '../../actor/schedule.ts'

export interface StrategyInput {
  readonly seed: number
  /** The run's number, from 0. */
  readonly run: number
  /** Decisions of the run that deviates nowhere: what change points are spread over. */
  readonly decisions: number
}

/** Depends on its arguments alone, so that runs can be had side by side and one of them again. */
export type Strategy = (course: StrategyInput) => Scheduler
