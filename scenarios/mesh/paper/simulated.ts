/**
 * Response times of section 5.4 on 16x16, as another implementation of the same rules came to from 1,000,000 jobs a row, of
 * which the first 5 % are dropped: load 0.5, baseline parameters, thread times ± 5 ms, an even number of jobs rotates as one ring.
 */
import data from './simulated.json' with { type: 'json' }
import { rowsIn } from './table.ts'

/** How the jobs shared the machine. */
export interface Setting {
  readonly policy: 'equi' | 'equi+' | 'fold' | 'fcfs'
  /** null: of FOLD and FCFS. */
  readonly deal: 'arrival' | 'random' | null
  /** The part of all jobs that is short. */
  readonly short: number
  /** Jobs that run at once; null: as many as there are processors. */
  readonly limit: number | null
  /** The part of the time that swaps take, while jobs wait; null: there are none. */
  readonly overhead: number | null
  /** Seconds between rotations; null: never. */
  readonly interval: number | null
  readonly isPerJob: boolean
  /** Does it take time to move threads? */
  readonly isCharged: boolean
}

/** A mean with its half-width at 90 %. */
export interface Known {
  readonly mean: number
  readonly halfWidth: number
}

export interface Simulated extends Setting {
  /** Seconds. */
  readonly of: { readonly short: Known; readonly long: Known; readonly 'blow-up': Known }
  /** Without an interval: seconds of all jobs, and the standard deviation of blow-ups over their mean. */
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
