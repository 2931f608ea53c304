/** Tasks of a test as lines of numbers: times in units, money in dollars. */
import type { SiteTerms } from '../../actors/contracts/terms.ts'
import type { Task } from '../../actors/contracts/values.ts'
import { units } from '../../lib/actor.ts'

/** The terms of a site that decides nothing by itself: first come, first served. */
export const SITE_TERMS: SiteTerms = {
  heuristic: { name: 'FCFS', alpha: 0, discount: 0 },
  preempt: 0,
  threshold: null,
  stale: 'honour',
  expiry: null,
  allowance: 0,
}

export type Row = readonly [arrival: number, runtime: number, value: number, decay: number, bound: number | null]

export const tasksOf = (rows: readonly Row[]): Task[] =>
  rows.map(([arrival, runtime, value, decay, bound], task) => ({
    task,
    arrival: units(arrival),
    runtime: units(runtime),
    worth: { shape: 'linear', value, decay, bound },
  }))
