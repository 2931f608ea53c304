/** Tasks of a test as lines of numbers: times in units, money in dollars. */
import type { Task } from '../../actors/contracts/values.ts'
import { units } from '../../lib/actor.ts'

export type Row = readonly [arrival: number, runtime: number, value: number, decay: number, bound: number | null]

export const tasksOf = (rows: readonly Row[]): Task[] =>
  rows.map(([arrival, runtime, value, decay, bound], task) => ({
    task,
    arrival: units(arrival),
    runtime: units(runtime),
    worth: { shape: 'linear', value, decay, bound },
  }))
