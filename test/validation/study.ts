/** One seed of one form: the intervals that each method gives. */
import { mean } from 'simple-statistics'
import { batchMeans } from '../../lib/experiment/batch-means.ts'
import { numberIn, textIn } from '../../lib/experiment/fields.ts'
import { lawCarson } from '../../lib/experiment/law-carson.ts'
import { replicationSeed, tInterval } from '../../lib/experiment/replications.ts'
import type { Plain } from '../../lib/plain.ts'
import { take } from '../experiment/queues.ts'
import { FORMS } from './forms.ts'

export const CONFIDENCE = 0.9
export const METHODS = ['batch means', 'Law and Carson', 'replications'] as const
export type Method = (typeof METHODS)[number]

/** Mean, half-width, number of observations used, and 1 if the wanted precision was reached. */
export type Measured = readonly [mean: number, halfWidth: number, observations: number, reached: number]

export async function intervals(point: Plain): Promise<{ readonly [method in Method]: Measured }> {
  const form = FORMS.find(({ name }) => name === textIn(point, 'form'))
  if (form === undefined) throw new RangeError('no such form')
  const { long, cap, replications, each, drop } = form.lengths
  const seed = numberIn(point, 'seed')

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
