/** Response times of jobs on a mesh, over all jobs and by class. */

import { mean, sampleStandardDeviation } from 'simple-statistics'
import { toUnits } from '../../lib/core/time.ts'
import { batchMeans } from '../../lib/experiment/batch-means.ts'
import type { Story } from './oracle.ts'
import { CLASSES, type Class, type ClassedJob } from './workload/generate.ts'

/** A mean ± half-width; null with too few values. */
export type Estimate = { readonly mean: number; readonly halfWidth: number | null }

/** The response time of a job in seconds, and its blow-up: the same over the time that it takes alone. */
type Measured = {
  readonly jobs: number
  readonly response: Estimate
  readonly blowUp: Estimate
  /** Standard deviation of blow-ups over their mean; null for a single one. */
  readonly variation: number | null
}

/** The measures of all jobs and of each class; null if no job of it ended. */
export type Measures = { readonly [C in Class | 'all']: Measured | null }

/** Drops the first 5 % of jobs, which found an empty machine. */
const WARM_UP = 0.05

function measured(jobs: readonly ClassedJob[], stories: ReadonlyMap<number, Story>): Measured | null {
  const values = jobs.flatMap(({ job, arrival, work }) => {
    const ended = stories.get(job)?.ended
    return ended == null ? [] : [{ response: toUnits(ended - arrival), blowUp: (ended - arrival) / work }]
  })
  if (values.length === 0) return null
  const blowUps = values.map(({ blowUp }) => blowUp)
  const interval = (of: readonly number[]): Estimate => {
    const { mean: center, halfWidth } = batchMeans(of, { drop: 0 })
    return { mean: center, halfWidth }
  }
  return {
    jobs: values.length,
    response: interval(values.map(({ response }) => response)),
    blowUp: interval(blowUps),
    variation: blowUps.length > 1 ? sampleStandardDeviation(blowUps) / mean(blowUps) : null,
  }
}

/** Measures of responses in the order of arrival, with intervals at 90 % from 40 batches. */
export function measuresOf(jobs: readonly ClassedJob[], stories: ReadonlyMap<number, Story>): Measures {
  const kept = jobs.slice(Math.floor(jobs.length * WARM_UP))
  const of = (wanted: Class) =>
    measured(
      kept.filter((job) => job.class === wanted),
      stories,
    )
  const [short, long] = CLASSES
  return { all: measured(kept, stories), short: of(short), long: of(long) }
}
