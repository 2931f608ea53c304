/** One seed of one form: the intervals that each method gives. */
import { mean } from 'simple-statistics'
import type { Plain } from '../../lib/core/data.ts'
import { numberIn, textIn } from '../../lib/core/decode.ts'
import { batchMeans } from '../../lib/experiment/batch-means.ts'
import { tInterval } from '../../lib/experiment/interval.ts'
import { lawCarson } from '../../lib/experiment/law-carson.ts'
import { replicationSeed } from '../../lib/experiment/replications.ts'
import { take } from '../experiment/queues.ts'
import { FORMS, type Form } from './forms.ts'

export const CONFIDENCE = 0.9
export const METHODS = ['batch means', 'Law and Carson', 'replications'] as const
export type Method = (typeof METHODS)[number]

/** Mean, half-width, number of observations used, and 1 if the wanted precision was reached. */
export type Measured = readonly [mean: number, halfWidth: number, observations: number, reached: number]

/** Whether an interval contains the true value. */
export const covers = ([center = 0, half = 0]: readonly number[], truth: number): boolean =>
  Math.abs(center - truth) <= half

export async function measure(form: Form, seed: number): Promise<{ readonly [M in Method]: Measured }> {
  const { long, cap, replications, each, drop } = form.lengths
  // one long run for two methods: a market's takes seconds
  const run = await form.open(replicationSeed(seed, replications), long)
  const values = take(long, run)
  const batches = batchMeans(values, { confidence: CONFIDENCE })
  let taken = drop
  const settled = (): number => values[taken++] ?? run()
  const sequential = lawCarson(settled, { confidence: CONFIDENCE, cap: cap - drop })
  const means: number[] = []
  for (let r = 0; r < replications; r++) {
    const next = await form.open(replicationSeed(seed, r), each)
    means.push(mean(take(each, next).slice(drop)))
  }
  const replicated = tInterval(means, CONFIDENCE)
  return {
    'batch means': [batches.mean, batches.halfWidth ?? 0, long, 1],
    'Law and Carson': [sequential.mean, sequential.halfWidth, sequential.observations, sequential.reached ? 1 : 0],
    replications: [replicated.mean, replicated.halfWidth ?? 0, replications * each, 1],
  }
}

/** Runs a point, which is the name of a form and a seed. */
export async function intervals(point: Plain): Promise<Plain> {
  const form = FORMS.find(({ name }) => name === textIn(point, 'form'))
  if (form === undefined) throw new RangeError(`expected a form, got ${textIn(point, 'form')}`)
  return measure(form, numberIn(point, 'seed'))
}
