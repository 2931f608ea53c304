/**
 * Response times of section 5.4 on 16x16, from an independent implementation of the same rules. A row has 1,000,000
 * jobs without the first 5 %, load 0.5, baseline parameters and thread times ± 5 ms. Even numbers of jobs rotate as one
 * ring.
 */
import data from './simulated.json' with { type: 'json' }
import { rowsIn } from './table.ts'

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

export const SIMULATED: readonly Simulated[] = rowsIn(data.simulated).map((row, i) => {
  const number = (name: string): number => {
    const cell = row[name]
    if (typeof cell !== 'number') throw new TypeError(`row ${i + 1} has no number in column ${name}`)
    return cell
  }
  const known = (name: string): Known => ({ mean: number(name), halfWidth: number(`${name}Ci`) })
  const policy = (['equi', 'equi+', 'fold', 'fcfs'] as const).find((one) => one === row['policy'])
  if (!policy) throw new TypeError(`row ${i + 1} has no known policy`)
  return {
    policy,
    deal: (['arrival', 'random'] as const).find((one) => one === row['deal']) ?? null,
    short: number('p'),
    limit: policy === 'fcfs' ? FCFS_LIMIT : number('L') === 256 ? null : number('L'),
    overhead: row['OQ'] === null ? null : number('OQ'),
    isCharged: number('costs') === 1,
    interval: number('I') === 0 ? null : Math.abs(number('I')),
    isPerJob: number('I') < 0,
    of: { short: known('short'), long: known('long'), 'blow-up': known('blow') },
    also: { all: number('all'), variation: number('cv') },
  }
})
