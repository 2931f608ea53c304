/** Generated workloads: Poisson arrivals, exponential work, and estimates with three models of error. */
import { OutOfRange } from '../core/error.ts'
import { exponential, keyed, uniform } from '../core/random.ts'
import { sum } from '../core/tally.ts'
import { type Time, units } from '../core/time.ts'
import type { Job } from './job.ts'

/**
 * - `perfect`: the estimate is the work;
 * - `gen`: the estimate is exponential, the work is it times U(0, 2), and so more variable (this gives the ±100 %
 *   columns of Malone et al. 1986, Table 1);
 * - `mult`: the work is exponential, the estimate is it times U(0, 2) (their text, read literally).
 */
export const ERROR_MODELS = ['perfect', 'gen', 'mult'] as const
export type ErrorModel = (typeof ERROR_MODELS)[number]

/** The description of a generated workload. */
export interface Generated {
  readonly seed: number
  readonly tasks: number
  /** Offered work per unit of capacity, > 0. */
  readonly load: number
  readonly speeds: readonly number[]
  readonly errors: ErrorModel
  /** The mean work in units at speed 1 (default 60). */
  readonly meanWork?: number
}

const sized = (errors: ErrorModel, size: number, factor: number): { work: Time; estimate: Time } => {
  const exact = units(size)
  const wrong = units(size * factor)
  if (errors === 'perfect') return { work: exact, estimate: exact }
  return errors === 'gen' ? { work: wrong, estimate: exact } : { work: exact, estimate: wrong }
}

/**
 * Jobs `t1`, `t2`, ... Job k's numbers are drawn for k alone (common random numbers): they do not depend on protocol,
 * clients or number of tasks, and load and speeds only stretch the arrivals.
 *
 * @throws OutOfRange for a load or speeds that give no arrivals
 */
export function generateJobs({ seed, tasks, load, speeds, errors, meanWork = 60 }: Generated): Job[] {
  const capacity = sum(speeds)
  const meanGap = meanWork / (load * capacity)
  if (!(meanGap > 0 && meanGap < Infinity))
    throw new OutOfRange(`generateJobs: the load and the speeds must be > 0, not load ${load}, speeds ${speeds.join()}`)
  let gaps = 0
  return Array.from({ length: tasks }, (_, i) => {
    const k = i + 1
    gaps += exponential(keyed(seed, 'arrivals', k), 1)
    const size = exponential(keyed(seed, 'work', k), meanWork)
    const factor = uniform(keyed(seed, 'estimates', k), 0, 2)
    return { id: `t${k}`, arrival: units(gaps * meanGap), ...sized(errors, size, factor) }
  })
}
