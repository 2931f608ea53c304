/** A replay and its record part: the first step at which they do. */
import { lifeName, type Step } from '../trace/run.ts'

export class Drift extends Error {
  override readonly name = 'Drift'
  readonly step: Step
  /** Lines of the trace, or in words what is wrong with them. */
  readonly recorded: string
  readonly came: string

  constructor(step: Step, recorded: string, came: string) {
    super(`step ${step.index} (${lifeName(step)}, its step ${step.n}): recorded ${recorded}, came ${came}`)
    this.step = step
    this.recorded = recorded
    this.came = came
  }
}
