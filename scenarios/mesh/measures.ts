/** Response times of jobs on a mesh, of all and by class. */

import { mean, sampleStandardDeviation } from 'simple-statistics'
import { toUnits } from '../../lib/core/time.ts'
import { batchMeans } from '../../lib/experiment/batch-means.ts'
import type { Story } from './oracle.ts'
import { CLASSES, type Class, type ClassedJob } from './workload/generate.ts'

/** A mean ± half-width, which is null of too few. */
export type Estimate = { readonly mean: number; readonly halfWidth: number | null }

/** From its arrival to its end, in seconds, and the same over the time that it takes alone. */
export type Measured = {
  readonly jobs: number
  readonly response: Estimate
  readonly blowUp: Estimate
  /** Standard deviation of blow-ups over their mean; null of a single one. */
  readonly variation: number | null
}

/** Of jobs that come to nothing null. */
export type Measures = { readonly [C in Class | 'all']: Measured | null }

/** The first 5 % are dropped: they found an empty machine. */
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

/** In the order of their arrival; intervals at 90 % by 40 batches. */
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
