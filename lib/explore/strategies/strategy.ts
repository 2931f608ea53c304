/** A strategy chooses schedules: it makes a scheduler for each run. */
import type { Scheduler } from '../../actor/schedule.ts'

export interface StrategyInput {
  readonly seed: number
  /** The run's number, from 0. */
  readonly run: number
  /** The number of decisions in the run without deviations; change points are spread over them. */
  readonly decisions: number
}

/** Makes the scheduler of a run. It depends on its argument alone, so runs can be executed in parallel and repeated. */
export type Strategy = (input: StrategyInput) => Scheduler
