/**
 * Response times of section 5.4 on 16x16, from an independent implementation of the same rules. A row has 1,000,000
 * jobs without the first 5 %, load 0.5, baseline parameters and thread times ± 5 ms. Even numbers of jobs rotate as one
 * ring.
 */
import * as v from 'valibot'
import { decoderOf } from '../../../lib/core/decode.ts'
import { tableOf } from '../../study/paper.ts'
import data from './simulated.json' with { type: 'json' }

/** The policy and its parameters in a row. */
export interface Setting {
  readonly policy: 'equi' | 'equi+' | 'fold' | 'fcfs'
  /** The assignment of partitions under EQUI; null for FOLD and FCFS. */
  readonly deal: 'arrival' | 'random' | null
  /** The fraction of jobs that are short. */
  readonly short: number
  /** The most jobs that run at once; null: as many as there are processors. */
  readonly limit: number | null
  /** The part of the time that swaps take while jobs wait; null without swaps. */
  readonly overhead: number | null
  /** Seconds between rotations; null without rotations. */
  readonly interval: number | null
  readonly isPerJob: boolean
  /** Whether moving threads takes time. */
  readonly isCharged: boolean
}

/** A mean with its half-width at 90 %. */
export interface Known {
  readonly mean: number
  readonly halfWidth: number
}

export interface Simulated extends Setting {
  /** Response times in seconds, and blow-ups. */
  readonly of: { readonly short: Known; readonly long: Known; readonly 'blow-up': Known }
  /**
   * Values without an interval: response time of all jobs in seconds, and standard deviation of blow-ups over their
   * mean.
   */
  readonly also: { readonly all: number; readonly variation: number }
}

const FCFS_LIMIT = 1

const ROW = v.object({
  policy: v.picklist(['equi', 'equi+', 'fold', 'fcfs']),
  deal: v.nullable(v.picklist(['arrival', 'random'])),
  p: v.number(),
  L: v.number(),
  OQ: v.nullable(v.number()),
  /** Negative for an interval per job. */
  I: v.number(),
  costs: v.number(),
  short: v.number(),
  shortCi: v.number(),
  long: v.number(),
  longCi: v.number(),
  blow: v.number(),
  blowCi: v.number(),
  all: v.number(),
  cv: v.number(),
})

export const SIMULATED: readonly Simulated[] = decoderOf(tableOf(ROW))(data.simulated).map((row) => ({
  policy: row.policy,
  deal: row.deal,
  short: row.p,
  limit: row.policy === 'fcfs' ? FCFS_LIMIT : row.L === 256 ? null : row.L,
  overhead: row.OQ,
  isCharged: row.costs === 1,
  interval: row.I === 0 ? null : Math.abs(row.I),
  isPerJob: row.I < 0,
  of: {
    short: { mean: row.short, halfWidth: row.shortCi },
    long: { mean: row.long, halfWidth: row.longCi },
    'blow-up': { mean: row.blow, halfWidth: row.blowCi },
  },
  also: { all: row.all, variation: row.cv },
}))
